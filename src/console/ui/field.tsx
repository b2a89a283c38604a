import { type ComponentChildren, createContext, type InputHTMLAttributes, type Ref, type TargetedEvent } from "preact";
import { useContext, useId, useLayoutEffect } from "preact/hooks";
import { known } from "../lib/cast.ts";

interface Known {
  problemOf(path: string): string | undefined;
  paths: Set<string>;
}

/** What the form around a field knows of the request that was refused. */
export const Problems = createContext<Known>({ problemOf: () => undefined, paths: new Set() });

/** What the API said of a member of the request, which the caller shows. */
export function useProblem(path: string): string | undefined {
  const { problemOf, paths } = useContext(Problems);
  useLayoutEffect(() => {
    paths.add(path);
    return () => void paths.delete(path);
  }, [path, paths]);
  return problemOf(path);
}

/** For what is no field of its own. */
export function Problem({ path }: { path: string }) {
  const problem = useProblem(path);
  return problem ? <p class="field-problem">{problem}</p> : null;
}

interface Labelled {
  label: string;
  hint?: ComponentChildren;
  /** What is wrong with the value; read out with the field. The form around it knows it, too, by the path. */
  problem?: string | undefined;
  /** What to say if the API refuses the value, in place of its own words. */
  refused?: string | undefined;
  /** The member of the request that the field is, if its name is another. */
  path?: string;
}

/** What a control needs to be known by its label, and described by what is below it. */
export interface Described {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export function useDescribed(hint: ComponentChildren, problem: string | undefined): Described {
  const id = useId();
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return {
    id,
    ...(described && { "aria-describedby": described }),
    ...(problem && { "aria-invalid": true as const }),
  };
}

interface NotesProps extends Pick<Labelled, "hint" | "problem"> {
  of: Described;
  /** Whether the problem is read out when it comes. */
  isAlert?: boolean;
}

/** What is wrong with a control, and its hint. */
export function Notes({ of: { id }, hint, problem, isAlert = false }: NotesProps) {
  return (
    <>
      {problem && (
        <p class="field-problem" id={`${id}-problem`} {...(isAlert && { role: "alert" })}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

interface Shape extends Labelled {
  children(attributes: Described): ComponentChildren;
}

/** A label above a control, with a hint and what is wrong below it. */
export function Field({ label, hint, problem: given, refused, path = "", children }: Shape) {
  const found = useProblem(path);
  const problem = found ? (refused ?? found) : given;
  const described = useDescribed(hint, problem);
  return (
    <div class="field stack gap-4">
      <label class="label" for={described.id}>
        {label}
      </label>
      {children(described)}
      <Notes of={described} hint={hint} problem={problem} />
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
  /** What can be chosen instead of being typed. */
  suggestions?: readonly string[];
}

export function TextField(props: TextFieldProps) {
  const { label, hint, problem, refused, path, inputRef, suggestions, type = "text", ...rest } = props;
  const list = useId();
  return (
    <Field label={label} hint={hint} problem={problem} refused={refused} path={path ?? rest.name ?? ""}>
      {(attributes) => (
        <>
          <input
            // The types of inputs are a union by `type`, which is only known to the caller.
            {...known<InputHTMLAttributes>({ ...rest, ...attributes, type, ...(suggestions && { list }) })}
            ref={inputRef ?? null}
            class="input"
          />
          {suggestions && (
            <datalist id={list}>
              {suggestions.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

interface TextAreaProps extends Labelled, Control<HTMLTextAreaElement> {
  /** For one that completes what is typed. */
  "aria-autocomplete"?: "list";
  "aria-controls"?: string | undefined;
  "aria-activedescendant"?: string | undefined;
  onFocus?(event: TargetedEvent<HTMLTextAreaElement>): void;
  onBlur?(): void;
  onKeyDown?(event: KeyboardEvent): void;
  placeholder?: string;
  maxLength?: number;
  rows?: number;
}

export function TextAreaField({ label, hint, problem, path, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} problem={problem} path={path ?? rest.name ?? ""}>
      {(attributes) => <textarea {...rest} {...attributes} class="input" />}
    </Field>
  );
}

interface SelectProps extends Labelled, Control<HTMLSelectElement> {
  options: readonly (readonly [value: string, text: string])[];
}

/** Preact gives `defaultValue` to a list that has no options yet, so the chosen option says it. */
export function SelectField({ label, hint, problem, path, options, defaultValue, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint} problem={problem} path={path ?? rest.name ?? ""}>
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
