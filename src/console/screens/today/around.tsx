import { useId } from "preact/hooks";
import { dayOf, dayText, type TimeHabits, timeText } from "../../lib/time.ts";
import { today as m } from "../../messages/today.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Stats } from "./data.ts";

/** How the stream and the bookings are. */
export function Around({ stats, habits, now }: { stats: Stats; habits: TimeHabits; now: Date }) {
  const id = useId();
  const { lastSync, stream } = stats;
  const hasFailed = lastSync?.status === "failed";
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{m.service}</h2>
      </header>
      <ul class="around">
        <li class="line gap-12">
          <Icon name="streams" />
          <a class="plain" href="/app/streams">
            {m.stream[stream.state]}
          </a>
          {stream.state === "live" && <span class="badge danger">{m.live}</span>}
        </li>
        {lastSync && (
          <li class="line gap-12">
            <Icon name="bookings" />
            <a class="plain" href="/app/bookings">
              {(hasFailed ? m.syncFailed : m.synced)(
                when(habits, new Date(lastSync.finishedAt ?? lastSync.startedAt), now),
              )}
            </a>
            {hasFailed && <span class="badge danger">{m.failed}</span>}
          </li>
        )}
      </ul>
    </section>
  );
}

function when(habits: TimeHabits, moment: Date, now: Date): string {
  const day = dayOf(habits, moment);
  return day === dayOf(habits, now) ? m.todayAt(timeText(habits, moment)) : m.onDay(dayText(habits, day));
}
