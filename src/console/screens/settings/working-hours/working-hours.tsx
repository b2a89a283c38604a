import { useLayoutEffect, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { toast } from "../../../client/notices.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import type { TimeHabits } from "../../../lib/time.ts";
import { workingHours as m } from "../../../messages/settings-working-hours.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Problem, useProblem } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section, SelectRow } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import { TimeInput } from "../../../ui/time-input.tsx";
import type { SettingsProps } from "../page.ts";
import { zones } from "../profile/places.ts";

type Hours = components["schemas"]["WorkingHours"];
type Days = Hours["days"];
type Day = keyof Days;
type Range = Days[Day][number];

const DAYS: readonly Day[] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const WEEKDAYS = DAYS.slice(1, 5);
const FIRST: Range = { start: "09:00", end: "17:00" };
const MOST = 8;

export default function WorkingHours({ profile }: SettingsProps) {
  const query = useGet(["setting", "working-hours"], "/api/settings/profile/working-hours");
  if (!query.data) return <Pending of={query} />;
  const first = { monday: 0, sunday: 6, saturday: 5 }[profile.weekStart];
  const order = [...DAYS.slice(first), ...DAYS.slice(0, first)];
  return <Week hours={query.data} order={order} habits={profile} />;
}

interface WeekProps {
  hours: Hours;
  order: readonly Day[];
  habits: TimeHabits;
}

function Week({ hours, order, habits }: WeekProps) {
  const [days, setDays] = useState(hours.days);
  const [timeZone, setTimeZone] = useState(hours.timeZone);
  useLayoutEffect(() => {
    setDays(hours.days);
    setTimeZone(hours.timeZone);
    // Only what was saved here or elsewhere takes away what is being edited.
  }, [hours.version]);
  const set = (day: Day, ranges: Range[]) => setDays({ ...days, [day]: ranges });
  return (
    <Section heading={m.heading} lead={hours.isDefault ? m.isDefault : m.lead}>
      <Form
        class="form hours"
        button={m.save}
        send={async () => {
          const saved = await api.put("/api/settings/profile/working-hours", {
            body: { timeZone, days },
            version: hours.version,
          });
          queryClient.setQueryData(["setting", "working-hours"], saved);
          toast(m.saved);
        }}
        beside={
          <Button
            onClick={() => {
              const copied = WEEKDAYS.map((day) => [day, days.monday] as const);
              setDays({ ...days, ...Object.fromEntries(copied) });
              toast(m.copied);
            }}
          >
            {m.copy}
          </Button>
        }
      >
        {order.map((day) => (
          <fieldset key={day} class="hours-day">
            <legend>{m.days[day]}</legend>
            <div class="hours-ranges stack gap-6">
              {days[day].length === 0 && <p class="muted">{m.free}</p>}
              {days[day].map((range, index) => (
                <RangeFields
                  key={index}
                  habits={habits}
                  day={day}
                  index={index}
                  range={range}
                  onChange={(next) => set(day, days[day].with(index, next))}
                  onRemove={() => set(day, days[day].toSpliced(index, 1))}
                />
              ))}
              {days[day].length === 0 && <Problem path={`days.${day}`} />}
            </div>
            {days[day].length < MOST && (
              <IconButton
                icon="plus"
                label={m.add(m.days[day])}
                onClick={() => set(day, [...days[day], nextRange(days[day].at(-1))])}
              />
            )}
          </fieldset>
        ))}
        <SelectRow label={m.zone} value={timeZone} options={zones(timeZone)} onChange={setTimeZone} />
        <Problem path="timeZone" />
      </Form>
    </Section>
  );
}

interface RangeFieldsProps {
  habits: TimeHabits;
  day: Day;
  index: number;
  range: Range;
  onChange(range: Range): void;
  onRemove(): void;
}

function RangeFields({ habits, day, index, range, onChange, onRemove }: RangeFieldsProps) {
  const problem = useProblem(`days.${day}.${index}`);
  const invalid = problem ? { "aria-invalid": true as const } : {};
  return (
    <div class="hours-range cluster">
      <TimeInput
        {...invalid}
        habits={habits}
        name={`days.${day}.${index}.start`}
        label={m.from(m.days[day])}
        value={range.start}
        onChange={(start) => onChange({ ...range, start })}
      />
      <span aria-hidden="true">–</span>
      <TimeInput
        {...invalid}
        habits={habits}
        name={`days.${day}.${index}.end`}
        label={m.until(m.days[day])}
        value={range.end}
        // Midnight at the end of a day is its 24th hour.
        onChange={(end) => onChange({ ...range, end: end === "00:00" ? "24:00" : end })}
      />
      <IconButton icon="close" label={m.remove(m.days[day], index + 1)} onClick={onRemove} />
      {problem && <p class="field-problem">{problem}</p>}
    </div>
  );
}

/** After a break of an hour, for three hours. */
function nextRange(last: Range | undefined): Range {
  if (!last) return FIRST;
  const hour = Number(last.end.slice(0, 2)) + 1;
  if (hour > 21) return { start: "22:00", end: "24:00" };
  const clock = (value: number) => `${String(value).padStart(2, "0")}:00`;
  return { start: clock(hour), end: clock(Math.min(hour + 3, 24)) };
}
