import "../../base.ts";
import { useHabits, useNow, useProfile } from "../../client/profile.ts";
import { useGet } from "../../client/queries.ts";
import { dayOf, longDay, type TimeHabits } from "../../lib/time.ts";
import { wallAt } from "../../lib/zone.ts";
import { today as m } from "../../messages/today.ts";
import { Page } from "../../ui/page.tsx";
import { Agenda } from "./agenda.tsx";
import { Around } from "./around.tsx";
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
