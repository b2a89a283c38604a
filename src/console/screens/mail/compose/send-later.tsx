import { useId, useState } from "preact/hooks";
import { addDays, dayOf, type TimeHabits } from "../../../lib/time.ts";
import { momentAt } from "../../../lib/zone.ts";
import { compose as m } from "../../../messages/compose.ts";
import { Button } from "../../../ui/button.tsx";
import { Choices } from "../../../ui/choices.tsx";
import { DateField } from "../../../ui/date-field.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TimeInput } from "../../../ui/time-input.tsx";

interface SendLaterProps {
  habits: TimeHabits;
  onChoose(at: Date): void;
  onClose(): void;
}

/** A moment by the clock of the profile. */
function at(habits: TimeHabits, day: string, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return new Date(momentAt(habits.timeZone, { day, minutes: hours * 60 + minutes }));
}

export function SendLater({ habits, onChoose, onClose }: SendLaterProps) {
  const today = dayOf(habits, new Date());
  const tomorrow = addDays(today, 1);
  const weekday = new Date(`${today}T12:00:00Z`).getUTCDay();
  const monday = addDays(today, (8 - weekday) % 7 || 7);
  const [day, setDay] = useState(tomorrow);
  const [time, setTime] = useState("08:00");
  const timeId = useId();
  const choices = [
    [m.laterChoices.morning, at(habits, tomorrow, "08:00")],
    [m.laterChoices.afternoon, at(habits, tomorrow, "13:00")],
    [m.laterChoices.monday, at(habits, monday, "08:00")],
  ] as const;
  return (
    <Dialog title={m.laterTitle} size="small" onClose={onClose}>
      <Choices options={choices} onChoose={onChoose} />
      <form
        class="later-form"
        onSubmit={(event) => {
          event.preventDefault();
          onChoose(at(habits, day, time));
        }}
      >
        <DateField
          label={m.laterDate}
          habits={habits}
          required
          min={today}
          value={day}
          onInput={(event) => setDay(event.currentTarget.value)}
        />
        <div class="field stack gap-4">
          <label class="label" for={timeId}>
            {m.laterTime}
          </label>
          <TimeInput id={timeId} habits={habits} value={time} onChange={setTime} />
        </div>
        <Button type="submit" tone="primary">
          {m.schedule}
        </Button>
      </form>
    </Dialog>
  );
}
