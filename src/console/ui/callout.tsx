import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

const ICONS = { info: "info", good: "check", warn: "alert", danger: "alert" };

interface CalloutProps {
  tone?: keyof typeof ICONS;
  role?: "alert" | "status" | "note";
  /** What can be done about it. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** Something to know before going on. */
export function Callout({ tone = "info", role, action, children }: CalloutProps) {
  return (
    <div class={`callout ${tone}`} {...(role && { role })}>
      <Icon name={ICONS[tone]} />
      <div class="grow">{children}</div>
      {action}
    </div>
  );
}
