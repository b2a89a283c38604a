import { known } from "../lib/cast.ts";

interface ChipsProps<T extends string> {
  label: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onChange(value: T): void;
}

/** One of a few, in a row. */
export function Chips<T extends string>({ label, options, value, onChange }: ChipsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of choices is no fieldset of a form.
    <div class="chips wrap gap-6" role="group" aria-label={label}>
      {known<[T, string][]>(Object.entries(options)).map(([each, text]) => (
        <button key={each} type="button" class="chip" aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </div>
  );
}
