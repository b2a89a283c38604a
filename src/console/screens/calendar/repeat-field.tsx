import { useState } from "preact/hooks";
import { known } from "../../lib/cast.ts";
import { repeatText, weekdayName } from "../../lib/repeat.ts";
import { type Frequency, nthOf, type Rule, readRule, WEEKDAYS, weekdayOf, writeRule } from "../../lib/rule.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { event as m } from "../../messages/event.ts";
import { DateField } from "../../ui/date-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";

interface RepeatFieldProps {
  habits: TimeHabits;
  rrule: string;
  /** The first day. */
  day: string;
  zone: string;
  onChange(rrule: string): void;
}

const NEVER = { kind: "never" } as const;

/** How an event repeats: the usual ways in one list, the others in fields, and what they cannot say as its rule. */
export function RepeatField({ habits, rrule, day, zone, onChange }: RepeatFieldProps) {
  const rule = rrule === "" ? null : readRule(rrule, day, zone);
  const usual = usualRules(day);
  const withoutEnd = rule && writeRule({ ...rule, ends: NEVER }, zone);
  const [isCustom, setIsCustom] = useState(false);
  const usualOne = usual.find((text) => text === withoutEnd);
  const choice = rrule === "" && !isCustom ? "" : !isCustom && usualOne ? usualOne : "custom";
  const write = (changes: Partial<Rule>) => rule && onChange(writeRule({ ...rule, ...changes }, zone));
  return (
    <div class="stack gap-12">
      <SelectField
        label={m.repeat}
        value={choice}
        options={[
          ["", m.repeats.none],
          ...usual.map((text) => [text, usualText(habits, text)] as const),
          ["custom", m.repeats.custom],
        ]}
        onChange={({ currentTarget: { value } }) => {
          setIsCustom(value === "custom");
          if (value === "custom") onChange(rrule || `FREQ=WEEKLY;BYDAY=${weekdayOf(day)}`);
          else
            onChange(
              value === "" || !rule
                ? value
                : writeRule({ ...(readRule(value, day, zone) ?? rule), ends: rule.ends }, zone),
            );
        }}
      />
      {rrule !== "" && !rule && (
        <TextField
          label={m.ruleText}
          hint={m.ruleHint}
          value={rrule}
          onChange={({ currentTarget: { value } }) => onChange(value.trim())}
        />
      )}
      {rule && choice === "custom" && <Custom habits={habits} rule={rule} day={day} write={write} />}
      {rule && <Ends habits={habits} rule={rule} day={day} write={write} />}
    </div>
  );
}

function usualRules(day: string): string[] {
  const weekday = weekdayOf(day);
  return [
    "FREQ=DAILY",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    `FREQ=WEEKLY;BYDAY=${weekday}`,
    `FREQ=WEEKLY;INTERVAL=2;BYDAY=${weekday}`,
    "FREQ=MONTHLY",
    `FREQ=MONTHLY;BYDAY=${nthOf(day)}${weekday}`,
    "FREQ=YEARLY",
  ];
}

function usualText(habits: TimeHabits, text: string): string {
  if (text === "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR") return m.repeats.weekdays;
  return repeatText(habits, text, null);
}

interface PartProps {
  rule: Rule;
  day: string;
  write(changes: Partial<Rule>): void;
}

function Custom({ habits, rule, day, write }: PartProps & { habits: TimeHabits }) {
  return (
    <>
      <div class="field-pair">
        <CountField label={m.repeatEvery} value={rule.interval} onChange={(interval) => write({ interval })} />
        <SelectField
          label={m.repeatUnit}
          value={rule.every}
          options={Object.entries(m.units)}
          onChange={({ currentTarget: { value } }) => {
            const every = known<Frequency>(value);
            write({ every, nth: null, on: every === "WEEKLY" ? [weekdayOf(day)] : [] });
          }}
        />
      </div>
      {rule.every === "WEEKLY" && (
        <fieldset class="weekdays wrap gap-6">
          <legend class="label">{m.repeatOn}</legend>
          {WEEKDAYS.map((each, index) => (
            <label key={each} class="chip">
              <input
                class="visually-hidden"
                type="checkbox"
                checked={rule.on.includes(each)}
                onChange={({ currentTarget: { checked } }) => {
                  const on = checked ? [...rule.on, each] : rule.on.filter((other) => other !== each);
                  if (on.length > 0) write({ on });
                }}
              />
              {weekdayName(habits, index, "short")}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

const MOST = 1000;

function CountField({ label, value, onChange }: { label: string; value: number; onChange(value: number): void }) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={1}
      max={MOST}
      value={String(value)}
      onChange={({ currentTarget }) =>
        onChange(Math.min(MOST, Math.max(1, Math.round(Number(currentTarget.value)) || 1)))
      }
    />
  );
}

function Ends({ habits, rule, day, write }: PartProps & { habits: TimeHabits }) {
  const { ends } = rule;
  return (
    <div class="field-pair">
      <SelectField
        label={m.ends}
        value={ends.kind}
        options={Object.entries(m.endsKinds)}
        onChange={({ currentTarget: { value } }) => {
          if (value === "after") write({ ends: { kind: "after", times: 10 } });
          else write({ ends: value === "on" ? { kind: "on", day } : NEVER });
        }}
      />
      {ends.kind === "after" && (
        <CountField
          label={m.endsTimes}
          value={ends.times}
          onChange={(times) => write({ ends: { kind: "after", times } })}
        />
      )}
      {ends.kind === "on" && (
        <DateField
          label={m.endsDay}
          habits={habits}
          min={day}
          value={ends.day}
          onChange={({ currentTarget: { value } }) => value >= day && write({ ends: { kind: "on", day: value } })}
        />
      )}
    </div>
  );
}
