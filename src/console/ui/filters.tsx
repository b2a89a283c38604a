import { useRef } from "preact/hooks";
import { useStable } from "../lib/memo.ts";
import { useOwnText } from "../lib/own-text.ts";
import { searchedPersonAt } from "../lib/people.ts";
import { navigate, withQuery } from "../lib/router.ts";
import { type Hint, useCompletion } from "./completion.tsx";
import { Icon } from "./icon.tsx";

/* Filters stand in the address, so that they can be kept, shared and gone back to. */

interface FilterProps {
  label: string;
  value: string;
  /** Where the list is, if the address names more. */
  path?: string;
}

interface SearchFilterProps extends FilterProps {
  id?: string;
  title?: string;
  /** Whether people are suggested behind `from:` and its like. */
  hasPeople?: boolean;
  hintsAt?(text: string, caret: number): { start: number; end: number; options: readonly Hint[] } | null;
}

/** The words to look for, as `q`. */
export function SearchFilter({ label, value, path, hasPeople = false, hintsAt, ...rest }: SearchFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const give = useStable((words: string) => navigate(withQuery({ q: words }, path), { replace: true }));
  const { text, type, rest: leave } = useOwnText(value, give);
  const completion = useCompletion({
    field: input,
    value: text,
    pieceAt: (typed, caret) => (hasPeople ? searchedPersonAt(typed, caret) : null),
    textOf: ({ email }) => `${email} `,
    ...(hintsAt && { hintsAt }),
    onChange: type,
  });
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
          type(currentTarget.value);
        }}
        onFocus={({ currentTarget }) => completion.begin(currentTarget)}
        onKeyDown={completion.press}
        onBlur={() => {
          completion.close();
          leave();
        }}
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
