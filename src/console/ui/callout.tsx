import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

const ICONS = { info: "info", good: "check", warn: "alert", danger: "alert" };

interface CalloutProps {
  tone?: keyof typeof ICONS;
  role?: "alert" | "status";
  children: ComponentChildren;
}

/** Something to know before going on. */
export function Callout({ tone = "info", role, children }: CalloutProps) {
  return (
    <div class={`callout ${tone}`} {...(role && { role })}>
      <Icon name={ICONS[tone]} />
      <span>{children}</span>
    </div>
  );
}
