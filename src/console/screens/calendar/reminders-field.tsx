import { known } from "../../lib/cast.ts";
import { fullText, type TimeHabits } from "../../lib/time.ts";
import { event as m } from "../../messages/event.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import type { Event } from "./event.ts";

type Reminders = Event["reminders"];
type Reminder = NonNullable<Reminders>[number];

const CHOICES = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10080];
const MAX = 5;

interface RemindersFieldProps {
  habits: TimeHabits;
  reminders: Reminders;
  onChange(reminders: Reminders): void;
}

/** When to be reminded: as in the settings, not at all, or at times of its own. */
export function RemindersField({ habits, reminders, onChange }: RemindersFieldProps) {
  const kind = reminders === null ? "default" : reminders.length === 0 ? "none" : "own";
  const list = reminders ?? [];
  const used = new Set(list.map(({ minutesBefore }) => minutesBefore));
  const free = CHOICES.find((minutes) => minutes > 0 && !used.has(minutes)) ?? 3;
  const own = (minutesBefore: number): Reminder => ({ at: null, minutesBefore, channel: "default" });
  const replace = (at: number, changes: Partial<Reminder>) =>
    onChange(list.map((each, index) => (index === at ? { ...each, ...changes } : each)));
  return (
    <div class="stack gap-12">
      <SelectField
        label={m.reminders}
        value={kind}
        options={Object.entries(m.remindersKinds)}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === "default" ? null : value === "none" ? [] : [own(10)])
        }
      />
      {list.map((reminder, index) => (
        <div key={index} class="reminder-row">
          {reminder.minutesBefore === null ? (
            <p>{fullText(habits, new Date(reminder.at ?? 0))}</p>
          ) : (
            <SelectField
              label={m.reminderWhen}
              value={String(reminder.minutesBefore)}
              options={choices(reminder.minutesBefore).map(
                (minutes) => [String(minutes), beforeText(minutes)] as const,
              )}
              onChange={({ currentTarget: { value } }) => replace(index, { minutesBefore: Number(value) })}
            />
          )}
          <SelectField
            label={m.reminderHow}
            value={reminder.channel}
            options={Object.entries(m.channels)}
            onChange={({ currentTarget: { value } }) => replace(index, { channel: known(value) })}
          />
          <IconButton
            icon="close"
            label={m.removeReminder}
            onClick={() => onChange(list.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {kind === "own" && list.length < MAX && (
        <Button tone="quiet" icon="plus" onClick={() => onChange([...list, own(free)])}>
          {m.addReminder}
        </Button>
      )}
    </div>
  );
}

function choices(minutes: number): number[] {
  return [...new Set([...CHOICES, minutes])].sort((a, b) => a - b);
}

function beforeText(minutes: number): string {
  return minutes === 0 ? m.atStart : m.before(m.minutes(minutes));
}
