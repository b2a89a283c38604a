import { useEffect, useRef, useState } from "preact/hooks";
import { searchedPersonAt } from "../lib/people.ts";
import { navigate, withQuery } from "../lib/router.ts";
import { useCompletion } from "./completion.tsx";
import { Icon } from "./icon.tsx";

/* Filters stand in the address, so that they can be kept, shared and gone back to. */

interface FilterProps {
  label: string;
  value: string;
  /** Where the list is, if the address names more. */
  path?: string;
}

const PAUSE_MS = 250;

interface SearchFilterProps extends FilterProps {
  id?: string;
  title?: string;
  /** Whether people are suggested behind `from:` and its like. */
  hasPeople?: boolean;
}

/** The words to look for, as `q`. */
export function SearchFilter({ label, value, path, hasPeople = false, ...rest }: SearchFilterProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const completion = useCompletion({
    field: input,
    value: text,
    pieceAt: (typed, caret) => (hasPeople ? searchedPersonAt(typed, caret) : null),
    textOf: ({ email }) => `${email} `,
    onChange: setText,
  });
  // What was typed since stays when the address gets the words before.
  const given = useRef<string | null>(null);
  useEffect(() => {
    if (value !== given.current) setText(value);
    given.current = null;
  }, [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      given.current = text;
      navigate(withQuery({ q: text }, path), { replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, path]);
  return (
    <div class="filter-search edged line">
      <Icon name="search" size={16} />
      <input
        {...rest}
        {...(hasPeople && completion.attributes)}
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={({ currentTarget }) => {
          completion.type(currentTarget);
          setText(currentTarget.value);
        }}
        onKeyDown={completion.press}
        onBlur={completion.close}
      />
      {completion.list}
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
