import "../../base.ts";
import { useHabits, useNow, useProfile } from "../../client/profile.ts";
import { useGet } from "../../client/queries.ts";
import { dayOf, dayText, longDay, type TimeHabits, timeText } from "../../lib/time.ts";
import { wallAt } from "../../lib/zone.ts";
import { today as m } from "../../messages/today.ts";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { Agenda } from "./agenda.tsx";
import type { Stats } from "./data.ts";
import { Decisions } from "./decisions.tsx";
import { DueTasks } from "./due-tasks.tsx";
import { StartHere } from "./start-here.tsx";
import { Trends } from "./trends.tsx";
import { WaitingEmails } from "./waiting-emails.tsx";

export default function Today() {
  const profile = useProfile();
  const habits = useHabits();
  const now = useNow();
  const day = dayOf(habits, now);
  const { data: stats } = useGet(["stats"], "/api/stats");
  const name = profile?.name.split(" ")[0] ?? "";
  return (
    <Page heading={m.heading} lead={m.lead(greeting(habits, now), name, longDay(habits, now))} class="today-page">
      {stats && <StartHere stats={stats} />}
      <div class="today-grid">
        <div class="today-main stack gap-16">
          <DueTasks habits={habits} now={now} day={day} />
          <WaitingEmails habits={habits} now={now} />
        </div>
        <Agenda habits={habits} now={now} day={day} />
        <Decisions />
        {stats && <Around stats={stats} habits={habits} now={now} />}
      </div>
      {stats && <Trends series={stats.series} habits={habits} />}
    </Page>
  );
}

function greeting(habits: TimeHabits, now: Date): string {
  const hour = wallAt(habits.timeZone, now.getTime()).minutes / 60;
  return hour < 12 ? m.greeting.morning : hour < 18 ? m.greeting.day : m.greeting.evening;
}

/** How the stream and the bookings are. */
function Around({ stats, habits, now }: { stats: Stats; habits: TimeHabits; now: Date }) {
  const { lastSync, stream } = stats;
  const hasFailed = lastSync?.status === "failed";
  return (
    <Card heading={m.service}>
      <ul class="around">
        <li class="line gap-12">
          <Icon name="streams" />
          <a class="plain grow" href="/app/streams">
            {m.stream[stream.state]}
          </a>
          {stream.state === "live" && <span class="badge danger">{m.live}</span>}
        </li>
        {lastSync && (
          <li class="line gap-12">
            <Icon name="bookings" />
            <a class="plain grow" href="/app/bookings">
              {(hasFailed ? m.syncFailed : m.synced)(
                when(habits, new Date(lastSync.finishedAt ?? lastSync.startedAt), now),
              )}
            </a>
            {hasFailed && <span class="badge danger">{m.failed}</span>}
          </li>
        )}
      </ul>
    </Card>
  );
}

function when(habits: TimeHabits, moment: Date, now: Date): string {
  const day = dayOf(habits, moment);
  return day === dayOf(habits, now) ? m.todayAt(timeText(habits, moment)) : m.onDay(dayText(habits, day));
}
