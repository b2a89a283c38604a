import type { InputHTMLAttributes } from "preact";
import { useId } from "preact/hooks";

interface SwitchProps extends Pick<InputHTMLAttributes, "id" | "disabled" | "aria-label"> {
  value: boolean;
  onChange(isOn: boolean): void;
}

/** On or off, at once. */
export function Switch({ value, onChange, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      class="switch"
      checked={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

interface SwitchLineProps extends Pick<SwitchProps, "value" | "onChange"> {
  label: string;
  hint?: string;
}

/** A switch with its name on a line of a form. */
export function SwitchLine({ label, hint, ...rest }: SwitchLineProps) {
  const id = useId();
  return (
    <label class="switch-row line gap-16" for={id}>
      <span class="stack gap-0 grow">
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <Switch {...rest} id={id} />
    </label>
  );
}
