import type { components } from "#api";
import { PERSONAL_CHANNELS, type PersonalChannel } from "../../../../lib/channels.ts";
import { api } from "../../../client/api.ts";
import { useRecord } from "../../../client/record.ts";
import { dayText, timeText } from "../../../lib/time.ts";
import { parts } from "../../../messages/parts.ts";
import { notifications as m } from "../../../messages/settings-notifications.ts";
import { Row, Section, SelectRow, SwitchRow } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import { TimeInput } from "../../../ui/time-input.tsx";
import type { SettingsProps } from "../page.ts";
import { Devices } from "./devices.tsx";
import { FiredReminders, UpcomingReminders } from "./reminders.tsx";

type Preferences = components["schemas"]["NotificationPreferences"];
type Changes = Partial<Omit<Preferences, "version" | "lastBrief" | "securityAlerts">>;

const MINUTES = [0, 5, 10, 15, 30, 60, 120, 1440];
const ORDERS = ordersOf(PERSONAL_CHANNELS);
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));
const QUIET = { start: "22:00", end: "07:00" };

export default function Notifications({ profile }: SettingsProps) {
  const { record, error, retry, save, problemOf, row, isSaved } = useRecord<Preferences, Changes>({
    key: ["setting", "notifications"],
    read: (signal) => api.get("/api/settings/profile/notifications", { signal }),
    send: (body, version) => api.patch("/api/settings/profile/notifications", { body, version }),
    failed: parts.notSaved,
  });
  if (!record) return <Pending of={{ error, retry }} />;
  const { quietHours, lastBrief } = record;
  const hour = (text: string) =>
    timeText({ ...profile, timeZone: "UTC" }, new Date(Date.UTC(2026, 0, 1, Number(text))));
  return (
    <>
      <Section heading={m.reminders} lead={m.own} isSaved={isSaved}>
        <SwitchRow label={m.on} hint={m.onHint} {...row("reminders")} />
        <SelectRow
          label={m.tasks}
          hint={m.tasksHint}
          value={choiceOf(record.taskReminderMinutes)}
          options={timesWith(record.taskReminderMinutes)}
          disabled={!record.reminders}
          problem={problemOf("taskReminderMinutes")}
          onChange={(value) => void save({ taskReminderMinutes: minutesOf(value) })}
        />
        <SelectRow
          label={m.events}
          hint={m.eventsHint}
          value={choiceOf(record.eventReminderMinutes)}
          options={timesWith(record.eventReminderMinutes)}
          disabled={!record.reminders}
          problem={problemOf("eventReminderMinutes")}
          onChange={(value) => void save({ eventReminderMinutes: minutesOf(value) })}
        />
        <SelectRow
          label={m.channels}
          hint={m.channelsHint}
          value={record.reminderChannels.join()}
          options={ORDERS.map((order) => [order.join(), m.ways(order)] as const)}
          disabled={!record.reminders}
          problem={problemOf("reminderChannels")}
          onChange={(value) => void save({ reminderChannels: ORDERS.find((order) => order.join() === value) })}
        />
        <SwitchRow
          label={m.quiet}
          hint={m.quietHint}
          value={quietHours !== null}
          disabled={!record.reminders}
          problem={problemOf("quietHours")}
          onChange={(isOn) => void save({ quietHours: isOn ? QUIET : null })}
        />
        {quietHours && (
          <div class="setting-pair">
            {(["start", "end"] as const).map((side) => (
              <Row key={side} label={m.quietSides[side]} problem={problemOf(`quietHours.${side}`)}>
                {(attributes) => (
                  <TimeInput
                    {...attributes}
                    habits={profile}
                    value={quietHours[side]}
                    onChange={(time) => void save({ quietHours: { ...quietHours, [side]: time } })}
                  />
                )}
              </Row>
            ))}
          </div>
        )}
      </Section>
      <Devices profile={profile} />
      <UpcomingReminders profile={profile} />
      <FiredReminders profile={profile} />
      <Section heading={m.emails} isSaved={isSaved}>
        <SwitchRow
          label={m.brief}
          hint={
            lastBrief
              ? `${m.briefHint} ${m.lastBrief(dayText(profile, lastBrief.date), m.briefStates[lastBrief.status])}`
              : m.briefHint
          }
          {...row("dailyBrief")}
        />
        <SelectRow
          label={m.briefHour}
          value={String(record.briefHour)}
          options={HOURS.map((each) => [each, hour(each)] as const)}
          disabled={!record.dailyBrief}
          problem={problemOf("briefHour")}
          onChange={(value) => void save({ briefHour: Number(value) })}
        />
        <SwitchRow label={m.sync} hint={m.syncHint} {...row("syncFailure")} />
        <SwitchRow label={m.tokens} hint={m.tokensHint} {...row("tokenAlerts")} />
        <SwitchRow label={m.security} hint={m.securityHint} value disabled onChange={() => {}} />
      </Section>
    </>
  );
}

/** Some of these channels in the order in which they are tried: every such list, the longest first. */
function ordersOf(channels: readonly PersonalChannel[]): PersonalChannel[][] {
  const orders = channels.flatMap((first) =>
    ordersOf(channels.filter((other) => other !== first)).map((others) => [first, ...others]),
  );
  return [...orders, []].sort((one, other) => other.length - one.length);
}

const choiceOf = (minutes: number | null) => (minutes === null ? "none" : String(minutes));
const minutesOf = (value: string) => (value === "none" ? null : Number(value));

/** The usual times, and the one that is set. */
function timesWith(current: number | null): [string, string][] {
  const all = new Set(current === null ? MINUTES : [...MINUTES, current]);
  return [
    ...[...all].sort((one, other) => one - other).map((each): [string, string] => [String(each), timeBefore(each)]),
    ["none", m.notAtAll],
  ];
}

function timeBefore(minutes: number): string {
  if (minutes === 0) return m.atTime;
  if (minutes === 1440) return m.day;
  return minutes % 60 === 0 ? m.hours(minutes / 60) : m.minutes(minutes);
}
