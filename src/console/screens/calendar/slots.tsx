import { useState } from "preact/hooks";
import { useGet } from "../../client/queries.ts";
import { addDays, dayOf, dayText, type TimeHabits, timeText } from "../../lib/time.ts";
import { event as m } from "../../messages/event.ts";
import { DateField } from "../../ui/date-field.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { isDay } from "./days.ts";

interface Slot {
  start: string;
  end: string;
}

const LENGTHS = [15, 30, 45, 60, 90, 120, 180];
const SHOWN_A_DAY = 12;

interface SlotsProps {
  habits: TimeHabits;
  minutes: number;
  from: string;
  onChoose(slot: Slot): void;
}

/** Free times for seven days, to choose from. */
export function Slots({ habits, minutes, from, onChoose }: SlotsProps) {
  const [length, setLength] = useState(minutes);
  const [day, setDay] = useState(from);
  const query = useGet(["event", "slots", length, day, habits.timeZone], "/api/calendar/slots", {
    query: { durationMinutes: length, start: day, end: addDays(day, 6) },
  });
  const days = new Map<string, Slot[]>();
  for (const slot of query.data?.slots ?? []) {
    const of = dayOf(habits, new Date(slot.start));
    days.set(of, [...(days.get(of) ?? []), slot]);
  }
  return (
    <div class="slots stack gap-12">
      <div class="field-pair">
        <SelectField
          label={m.length}
          value={String(length)}
          options={[...new Set([...LENGTHS, length])]
            .sort((a, b) => a - b)
            .map((each) => [String(each), m.lengths(each)] as const)}
          onChange={({ currentTarget: { value } }) => setLength(Number(value))}
        />
        <DateField
          label={m.from}
          habits={habits}
          value={day}
          onChange={({ currentTarget: { value } }) => isDay(value) && setDay(value)}
        />
      </div>
      <p class="hint">{m.slotsHint}</p>
      {!query.data && <Pending of={query} rows={4} form="text" />}
      {query.data?.slots.length === 0 && <Empty icon="clock" title={m.noSlots} text={m.noSlotsText} />}
      {[...days].map(([of, slots]) => (
        <section key={of} class="slot-day" aria-label={dayText(habits, of, { isLong: true })}>
          <h3>{dayText(habits, of, { isLong: true })}</h3>
          <ul class="wrap gap-6">
            {slots.slice(0, SHOWN_A_DAY).map((slot) => (
              <li key={slot.start}>
                <button
                  type="button"
                  class="chip"
                  aria-label={m.chooseSlot(slotText(habits, slot))}
                  onClick={() => onChoose(slot)}
                >
                  {timeText(habits, new Date(slot.start))}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function slotText(habits: TimeHabits, { start, end }: Slot): string {
  const day = dayText(habits, dayOf(habits, new Date(start)), { isLong: true });
  return `${day}, ${timeText(habits, new Date(start))} – ${timeText(habits, new Date(end))}`;
}
