import { dayOf, dayText, type TimeHabits, timeText } from "../../lib/time.ts";
import { today as m } from "../../messages/today.ts";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Stats } from "./data.ts";

/** How the stream and the bookings are. */
export function Around({ stats, habits, now }: { stats: Stats; habits: TimeHabits; now: Date }) {
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
