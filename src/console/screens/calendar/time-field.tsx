import { useEffect, useId, useState } from "preact/hooks";
import { type TimeHabits, timeText } from "../../lib/time.ts";
import { clockText } from "../../lib/zone.ts";
import { event as m } from "../../messages/event.ts";
import { Field } from "../../ui/field.tsx";
import { readClock } from "./read-clock.ts";

interface TimeFieldProps {
  label: string;
  habits: TimeHabits;
  /** `09:30` */
  value: string;
  problem?: string | undefined;
  onChange(value: string): void;
}

/** The browser's own field follows the machine; this one follows the profile: 9:30 PM or 21:30. */
export function TimeField({ label, habits, value, problem, onChange }: TimeFieldProps) {
  const list = useId();
  const shown = shownTime(habits, value);
  const [text, setText] = useState(shown);
  const [isWrong, setIsWrong] = useState(false);
  useEffect(() => {
    setText(shown);
    setIsWrong(false);
  }, [shown]);
  return (
    <Field label={label} problem={isWrong ? m.problems.time : problem}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            class="input"
            autocomplete="off"
            list={list}
            value={text}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setText(event.currentTarget.value)}
            onChange={(event) => {
              const read = readClock(event.currentTarget.value);
              setIsWrong(read === null);
              if (read === null) return;
              setText(shownTime(habits, read));
              onChange(read);
            }}
          />
          <datalist id={list}>
            {Array.from({ length: 48 }, (_, index) => (
              <option key={index} value={shownTime(habits, clockText(index * 30))} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function shownTime(habits: TimeHabits, clock: string): string {
  return timeText({ ...habits, timeZone: "UTC" }, new Date(`2026-01-01T${clock}:00Z`));
}
