import { useState } from "preact/hooks";
import { clockOf } from "../../lib/clock.ts";
import { addDays, durationText, type TimeHabits } from "../../lib/time.ts";
import { normal, wallAt } from "../../lib/zone.ts";
import { event as m } from "../../messages/event.ts";
import { Field, TextField } from "../../ui/field.tsx";
import { SwitchLine } from "../../ui/switch.tsx";
import { TimeInput } from "../../ui/time-input.tsx";
import { isDay } from "./days.ts";
import { fullWhenText } from "./event.ts";
import { type Form, momentsOf, type Problems, shownOf, timesOf } from "./form.ts";

interface WhenFieldsProps {
  habits: TimeHabits;
  form: Form;
  problems: Problems;
  edit(changes: Partial<Form>): void;
}

/** Start and end. A new start takes the end with it, so that the length stays. */
export function WhenFields({ habits, form, problems, edit }: WhenFieldsProps) {
  function moveStart(changes: Partial<Form>) {
    const next = { ...form, ...changes };
    const by = momentsOf(next).start - momentsOf(form).start;
    if (form.allDay) {
      const days = Math.round(by / 86_400_000);
      edit({ ...changes, endDay: addDays(form.endDay, days) });
      return;
    }
    const end = wallAt(form.timeZone, momentsOf(form).end + by);
    edit({ ...changes, endDay: end.day, endTime: timesOf(end, end).endTime });
  }
  function toggleAllDay(allDay: boolean) {
    // A day does not take up the hours, unless the person says so; an hour does.
    if (allDay) edit({ allDay, busy: false, endDay: form.endDay < form.startDay ? form.startDay : form.endDay });
    else {
      const start = { day: form.startDay, minutes: 540 };
      edit({ allDay, busy: true, ...timesOf(start, normal({ ...start, minutes: 570 })) });
    }
  }
  const { start, end } = momentsOf(form);
  const isElsewhere = form.timeZone !== habits.timeZone && !form.allDay && end > start;
  return (
    <div class="stack gap-12">
      <SwitchLine label={m.allDay} value={form.allDay} onChange={toggleAllDay} />
      <div class="when-pair">
        <TextField
          label={m.startDate}
          type="date"
          required
          value={form.startDay}
          onChange={({ currentTarget: { value } }) => isDay(value) && moveStart({ startDay: value })}
        />
        {!form.allDay && (
          <TimeField
            label={m.startTime}
            habits={habits}
            value={form.startTime}
            onChange={(startTime) => moveStart({ startTime })}
          />
        )}
      </div>
      <div class="when-pair">
        <TextField
          label={m.endDate}
          type="date"
          required
          min={form.startDay}
          value={form.endDay}
          problem={problems.end}
          onChange={({ currentTarget: { value } }) => isDay(value) && edit({ endDay: value })}
        />
        {!form.allDay && (
          <TimeField label={m.endTime} habits={habits} value={form.endTime} onChange={(endTime) => edit({ endTime })} />
        )}
      </div>
      {end > start && (
        <p class="hint">
          {inWords({ ...habits, timeZone: form.timeZone }, form)}
          {!form.allDay && ` · ${durationText(Math.round((end - start) / 60_000))}`}
          {isElsewhere && ` · ${form.timeZone}. ${m.onYourClock(inWords(habits, form))}`}
        </p>
      )}
    </div>
  );
}

/** The browser writes dates in its own language; here they stand in the person's. */
function inWords(habits: TimeHabits, form: Form): string {
  const { start = "", end = "", allDay = false, startDate = null, endDate = null } = shownOf(form);
  return fullWhenText(habits, { start, end, allDay, startDate, endDate });
}

interface TimeFieldProps {
  label: string;
  habits: TimeHabits;
  /** `09:30` */
  value: string;
  onChange(value: string): void;
}

/** A time of the day that has to be one. */
function TimeField({ label, habits, value, onChange }: TimeFieldProps) {
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
