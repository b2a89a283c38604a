import { useState } from "preact/hooks";
import { clockOf } from "../../lib/clock.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { event as m } from "../../messages/event.ts";
import { Field } from "../../ui/field.tsx";
import { TimeInput } from "../../ui/time-input.tsx";

interface TimeFieldProps {
  label: string;
  habits: TimeHabits;
  /** `09:30` */
  value: string;
  onChange(value: string): void;
}

/** A time of the day that has to be one. */
export function TimeField({ label, habits, value, onChange }: TimeFieldProps) {
  const [isWrong, setIsWrong] = useState(false);
  return (
    <Field label={label} problem={isWrong ? m.problems.time : undefined}>
      {(attributes) => (
        <TimeInput
          {...attributes}
          habits={habits}
          value={value}
          onChange={(typed) => {
            const read = clockOf(typed);
            const isTime = read !== null && read !== "24:00";
            setIsWrong(!isTime);
            if (isTime) onChange(read);
          }}
        />
      )}
    </Field>
  );
}
