import { useId } from "preact/hooks";
import { dayOf, dayText, type TimeHabits, timeText } from "../../lib/time.ts";
import { today as m } from "../../messages/today.ts";
import { Icon } from "../../ui/icon.tsx";
import { type Stats, useInvitations, usePendingCaptions } from "./data.ts";

/** What waits for a decision, and how stream and bookings are. */
export function Around({ stats, habits, now }: { stats: Stats; habits: TimeHabits; now: Date }) {
  const id = useId();
  const captions = usePendingCaptions();
  const invitations = useInvitations();
  const { lastSync, stream } = stats;
  const hasFailed = lastSync?.status === "failed";
  const decisions = [
    captions > 0 && { icon: "streams", text: m.captions(captions) },
    invitations > 0 && { icon: "calendar", text: m.invitations(invitations) },
  ].filter((each) => each !== false);
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{m.service}</h2>
      </header>
      <ul class="around">
        {decisions.map(({ icon, text }) => (
          <li key={text}>
            <Icon name={icon} />
            <span>{text}</span>
            <span class="badge warn">{m.decisions}</span>
          </li>
        ))}
        <li>
          <Icon name="streams" />
          <span>{m.stream[stream.state]}</span>
          {stream.state === "live" && <span class="badge danger">{m.live}</span>}
        </li>
        {lastSync && (
          <li>
            <Icon name="bookings" />
            <span>
              {(hasFailed ? m.syncFailed : m.synced)(
                when(habits, new Date(lastSync.finishedAt ?? lastSync.startedAt), now),
              )}
            </span>
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
