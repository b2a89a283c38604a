import type { ComponentChildren, InputHTMLAttributes, Ref, TargetedEvent } from "preact";
import { useId } from "preact/hooks";
import { known } from "../lib/cast.ts";

interface Labelled {
  label: string;
  hint?: ComponentChildren;
  /** What is wrong with the value; read out with the field. */
  problem?: string | undefined;
}

interface Shape extends Labelled {
  children(attributes: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }): ComponentChildren;
}

/** A label above a control, with a hint and what is wrong below it. */
export function Field({ label, hint, problem, children }: Shape) {
  const id = useId();
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div class="field stack gap-4">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described && { "aria-describedby": described }),
        ...(problem && { "aria-invalid": true as const }),
      })}
      {problem && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface Control<E extends EventTarget> {
  name?: string;
  value?: string;
  defaultValue?: string;
  autofocus?: boolean;
  required?: boolean;
  disabled?: boolean;
  onChange?(event: TargetedEvent<E>): void;
  onInput?(event: TargetedEvent<E>): void;
  onBlur?(event: TargetedEvent<E>): void;
}

export interface TextFieldProps extends Labelled, Control<HTMLInputElement> {
  type?: "text" | "email" | "password" | "search" | "url" | "tel" | "number" | "date" | "time" | "datetime-local";
  autocomplete?: AutoFill;
  inputMode?: "text" | "numeric" | "email" | "url" | "search" | "decimal";
  placeholder?: string;
  maxLength?: number;
  min?: string | number;
  max?: string | number;
  step?: string | number;
  spellcheck?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField({ label, hint, problem, inputRef, type = "text", ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(attributes) => (
        // The types of inputs are a union by `type`, which is only known to the caller.
        <input {...known<InputHTMLAttributes>({ ...rest, ...attributes, type })} ref={inputRef ?? null} class="input" />
      )}
    </Field>
  );
}

interface TextAreaProps extends Labelled, Control<HTMLTextAreaElement> {
  placeholder?: string;
  maxLength?: number;
  rows?: number;
}

export function TextAreaField({ label, hint, problem, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(attributes) => <textarea {...rest} {...attributes} class="input" />}
    </Field>
  );
}

interface SelectProps extends Labelled, Control<HTMLSelectElement> {
  options: readonly (readonly [value: string, text: string])[];
}

/** Preact gives `defaultValue` to a list that has no options yet, so the chosen option says it. */
export function SelectField({ label, hint, problem, options, defaultValue, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(attributes) => (
        <select {...rest} {...attributes} class="input">
          {options.map(([value, text]) => (
            <option key={value} value={value} {...(value === defaultValue && { selected: true })}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
