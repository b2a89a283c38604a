import type { ComponentChildren, TargetedEvent, TargetedInputEvent } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { keep, kept } from "../client/kept.ts";
import { known } from "../lib/cast.ts";
import { parts as m } from "../messages/parts.ts";
import { type Described, Notes, useDescribed } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { Switch } from "./switch.tsx";

interface SectionProps {
  heading: string;
  lead?: ComponentChildren;
  /** Beside the heading. */
  actions?: ComponentChildren;
  /** Whether a change in it has just been saved. */
  isSaved?: boolean;
  children?: ComponentChildren;
  tone?: "danger";
}

/** A group of settings. */
export function Section({ heading, lead, actions, isSaved, children, tone }: SectionProps) {
  const id = useId();
  return (
    <section class={`setting-section card ${tone ?? ""}`} aria-labelledby={id}>
      <header class="setting-head">
        <div class="grow">
          <h2 id={id}>{heading}</h2>
          {lead && <p class="hint">{lead}</p>}
        </div>
        {isSaved !== undefined && (
          <span class="saved line inline gap-4" aria-live="polite">
            {isSaved && (
              <>
                <Icon name="check" size={14} /> {m.saved}
              </>
            )}
          </span>
        )}
        {actions}
      </header>
      {children && <div class="setting-body stack gap-4">{children}</div>}
    </section>
  );
}

interface RowProps {
  label: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
  children(attributes: Described): ComponentChildren;
}

/** A setting on one line: what it is on the left, its control on the right. */
export function Row({ label, hint, problem, children }: RowProps) {
  const described = useDescribed(hint, problem);
  return (
    <div class="setting-row">
      <div class="setting-label">
        <label for={described.id}>{label}</label>
        <Notes of={described} hint={hint} problem={problem} isAlert />
      </div>
      <div class="setting-control">{children(described)}</div>
    </div>
  );
}

interface SwitchRowProps extends Omit<RowProps, "children"> {
  value: boolean;
  disabled?: boolean;
  onChange(isOn: boolean): void;
}

export function SwitchRow({ value, disabled = false, onChange, ...rest }: SwitchRowProps) {
  return (
    <Row {...rest}>
      {(attributes) => <Switch {...attributes} value={value} disabled={disabled} onChange={onChange} />}
    </Row>
  );
}

interface SelectRowProps<V extends string> extends Omit<RowProps, "children"> {
  value: V;
  options: readonly (readonly [value: V, text: string])[];
  disabled?: boolean;
  onChange(value: V): void;
}

export function SelectRow<V extends string>({ value, options, disabled, onChange, ...rest }: SelectRowProps<V>) {
  return (
    <Row {...rest}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          value={value}
          disabled={disabled ?? false}
          onChange={(event) => {
            const chosen = options.find(([each]) => each === event.currentTarget.value);
            if (chosen) onChange(chosen[0]);
          }}
        >
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Row>
  );
}

type Typeable = HTMLInputElement | HTMLTextAreaElement;

interface TextRowProps extends Omit<RowProps, "children"> {
  value: string;
  type?: "text" | "tel";
  maxLength?: number;
  min?: number;
  max?: number;
  autocomplete?: AutoFill;
  placeholder?: string;
  disabled?: boolean;
  /** A text of several lines. */
  isLong?: boolean;
  /** Called when the field is left and its value is another. Resolves to false if it was not saved. */
  onSave(value: string): Promise<boolean>;
}

export function TextRow({ label, hint, problem, value, onSave, isLong = false, type = "text", ...rest }: TextRowProps) {
  const Control = isLong ? "textarea" : "input";
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = control.current;
    // What was refused stays to be corrected, and nobody's typing is taken away.
    if (field && !problem && field !== document.activeElement) field.value = value;
  }, [value, problem]);
  // On this device until it is saved.
  const place = `row:${location.pathname}:${label}`;
  async function save(next: string): Promise<void> {
    if (next.trim() === value || (await onSave(next.trim())) !== false) keep(place, null);
  }
  useLayoutEffect(() => {
    const typed = kept<{ from: string; to: string }>(place);
    if (typed?.from !== value || !control.current) return;
    control.current.value = typed.to;
    void save(typed.to);
  }, []);
  return (
    <Row label={label} hint={hint} problem={problem}>
      {(attributes) => (
        <Control
          // The types of inputs are a union by `type`, which is only known to the caller.
          {...known<object>({ ...attributes, ...rest, ...(isLong ? { rows: 3 } : { type }) })}
          ref={control}
          class="input"
          defaultValue={value}
          onInput={({ currentTarget }: TargetedInputEvent<Typeable>) =>
            keep(place, { from: value, to: currentTarget.value })
          }
          onChange={({ currentTarget }: TargetedEvent<Typeable>) => void save(currentTarget.value)}
        />
      )}
    </Row>
  );
}
