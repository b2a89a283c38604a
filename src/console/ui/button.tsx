import type { ButtonHTMLAttributes, ComponentChildren, Ref } from "preact";
import { Icon } from "./icon.tsx";
import { Keys } from "./keys.tsx";

type Native = Omit<ButtonHTMLAttributes, "size" | "icon">;

interface ButtonProps extends Native {
  tone?: "primary" | "plain" | "quiet" | "danger";
  icon?: string | undefined;
  isBusy?: boolean;
  children: ComponentChildren;
  buttonRef?: Ref<HTMLButtonElement>;
}

/** A busy button keeps its place and its focus, and does nothing. */
export function Button({ tone = "plain", icon, isBusy = false, children, buttonRef, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      ref={buttonRef ?? null}
      class={`button ${tone} ${rest.class ?? ""}`}
      aria-disabled={isBusy || rest["aria-disabled"]}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={16} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends Native {
  icon: string;
  /** Its accessible name, also shown as a tooltip. */
  label: string;
  keys?: string;
  buttonRef?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon, label, keys, buttonRef, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      ref={buttonRef ?? null}
      class={`icon-button ${rest.class ?? ""}`}
      aria-label={label}
    >
      <Icon name={icon} />
      <span class="tooltip line" aria-hidden="true">
        {label}
        {keys && <Keys keys={keys} />}
      </span>
    </button>
  );
}
