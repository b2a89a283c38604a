import { useEffect, useState } from "preact/hooks";
import { navigate, withQuery } from "../lib/router.ts";
import { Icon } from "./icon.tsx";

/* Filters stand in the address, so that they can be kept, shared and gone back to. */

interface FilterProps {
  label: string;
  value: string;
  /** Where the list is, if the address names more. */
  path?: string;
}

const PAUSE_MS = 250;

/** The words to look for, as `q`. */
export function SearchFilter({ label, value, path, ...rest }: FilterProps & { id?: string; title?: string }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => navigate(withQuery({ q: text }, path), { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, path]);
  return (
    <div class="filter-search edged line">
      <Icon name="search" size={16} />
      <input
        {...rest}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}

interface SelectFilterProps extends FilterProps {
  /** Its name in the address. */
  name: string;
  options: readonly (readonly [value: string, text: string])[];
}

export function SelectFilter({ label, name, value, path, options }: SelectFilterProps) {
  return (
    <select
      class="chip"
      aria-label={label}
      value={value}
      onChange={(event) => navigate(withQuery({ [name]: event.currentTarget.value }, path), { replace: true })}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}
