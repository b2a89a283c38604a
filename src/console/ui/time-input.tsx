import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { clockOf, clockText } from "../lib/clock.ts";
import type { TimeHabits } from "../lib/time.ts";

interface TimeInputProps {
  habits: TimeHabits;
  /** `17:30`. */
  value: string;
  label?: string;
  name?: string;
  id?: string;
  disabled?: boolean;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
  /** With what was typed if it is no time: the API says what is wrong with it. */
  onChange(value: string): void;
}

const HALF_HOURS = Array.from({ length: 48 }, (_, half) => `${Math.floor(half / 2)}:${half % 2 === 0 ? "00" : "30"}`);

/** A time of the day. The browser's own field follows the machine; this one the person's clock. */
export function TimeInput({ habits, value, label, onChange, ...rest }: TimeInputProps) {
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const shown = clockOf(value) === null ? value : clockText(habits, value);
  const isTyping = useRef(false);
  useLayoutEffect(() => {
    // Says what was understood.
    if (input.current && !isTyping.current) input.current.value = shown;
  }, [shown]);
  return (
    <>
      <input
        {...rest}
        type="text"
        class="input time"
        aria-label={label}
        list={list}
        autocomplete="off"
        maxLength={12}
        ref={input}
        defaultValue={shown}
        onFocus={(event) => event.currentTarget.select()}
        onInput={() => {
          isTyping.current = true;
        }}
        onBlur={() => {
          isTyping.current = false;
        }}
        onChange={(event) => {
          isTyping.current = false;
          const typed = event.currentTarget.value;
          const next = clockOf(typed) ?? typed.trim();
          if (next === value) event.currentTarget.value = shown;
          onChange(next);
        }}
      />
      <datalist id={list}>
        {HALF_HOURS.map((each) => (
          <option key={each} value={clockText(habits, each)} />
        ))}
      </datalist>
    </>
  );
}
