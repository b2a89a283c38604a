import { useRef } from "preact/hooks";
import { addressesOf, addressIn, personText, pieceAt } from "../lib/people.ts";
import { useCompletion } from "./completion.tsx";
import { PeopleChips, type PeopleInputProps } from "./people-chips.tsx";

/** A field for people, which suggests those one knows. */
export function PeopleInput(props: PeopleInputProps) {
  return (props.asChips ?? !props.isOne) ? <PeopleChips {...props} /> : <PeopleText {...props} />;
}

function PeopleText(props: PeopleInputProps) {
  const { value, isOne = false, without = [], onChange, onKeyDown, onBlur, asChips: _, onBeyond: __, ...rest } = props;
  const input = useRef<HTMLInputElement>(null);
  const completion = useCompletion({
    field: input,
    value,
    without: [...without, ...addressesOf(value).map((each) => addressIn(each).toLowerCase())],
    pieceAt(text, caret) {
      const { start, end } = isOne ? { start: 0, end: text.length } : pieceAt(text, caret);
      const [separator = ""] = /^[,;]\s*/.exec(text.slice(end)) ?? [];
      return { start, end: end + separator.length, words: text.slice(start, end).trim() };
    },
    textOf: (person, { start }) => `${start > 0 ? " " : ""}${personText(person)}${isOne ? "" : ", "}`,
    onChange: (text) => onChange(text, true),
  });
  return (
    <>
      <input
        {...rest}
        {...completion.attributes}
        ref={input}
        type="text"
        inputMode="email"
        class="input"
        role="combobox"
        aria-expanded={completion.isOpen}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => {
          completion.type(currentTarget);
          onChange(currentTarget.value, false);
        }}
        onKeyDown={(event) => completion.press(event) || onKeyDown?.(event)}
        onBlur={() => {
          completion.close();
          onBlur?.();
        }}
      />
      {completion.list}
    </>
  );
}
