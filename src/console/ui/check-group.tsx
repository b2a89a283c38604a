import { useId } from "preact/hooks";
import { useProblem } from "./field.tsx";

interface CheckGroupProps {
  label: string;
  name: string;
  hint?: string | undefined;
  options: readonly { value: string; text: string; hint?: string; isChecked?: boolean }[];
  /** What to say if the API refuses the choice, in place of its own words. */
  refused?: string;
}

const nameOf = (name: string, value: string) => `${name}:${value}`;

/** Several of several, as part of a form. */
export function CheckGroup({ label, name, hint, options, refused }: CheckGroupProps) {
  const id = useId();
  const found = useProblem(name);
  const problem = found && (refused ?? found);
  return (
    <fieldset class="check-group" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend class="label">{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {problem && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      <div class="check-options tiles">
        {options.map(({ value, text, hint: detail, isChecked = false }) => (
          <label key={value} class="check-option">
            <input type="checkbox" name={nameOf(name, value)} defaultChecked={isChecked} />
            <span>
              {text}
              {detail && <small>{detail}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The values that are checked in the group of that name. */
export function checked(values: Record<string, string>, name: string): string[] {
  const start = nameOf(name, "");
  return Object.keys(values).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
}
