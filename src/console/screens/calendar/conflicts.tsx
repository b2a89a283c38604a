import { patched } from "../../client/changes.ts";
import { useGet } from "../../client/queries.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { event as m } from "../../messages/event.ts";
import { Callout } from "../../ui/callout.tsx";
import { conflictsWith, type Event, fullWhenText } from "./event.ts";
import { type Form, momentsOf } from "./form.ts";

type Other = Pick<Event, "id" | "title" | "start" | "end"> & Partial<Pick<Event, "attendees">>;

/** What else is at the time of the form. Undefined until it is known. */
export function useConflicts(form: Form, self: Event | null): Event[] | undefined {
  const { start, end } = momentsOf(form);
  const isAsked = form.busy && form.status !== "cancelled" && end > start;
  const [from, to] = isAsked ? [new Date(start).toISOString(), new Date(end).toISOString()] : ["", ""];
  const { data } = useGet(["event", "conflicts", from, to], "/api/calendar/events", {
    query: { start: from, end: to, limit: 50 },
    enabled: isAsked,
  });
  if (!isAsked) return [];
  return data && conflictsWith(patched<Event>("event", data.data), { start: from, end: to, self: self ?? undefined });
}

const NAMED = 6;

interface ConflictsProps {
  habits: TimeHabits;
  others: readonly Other[];
  /** The API has compared a whole series. */
  isOfSeries: boolean;
}

/** Who and what is in the way, before it is saved. */
export function Conflicts({ habits, others, isOfSeries }: ConflictsProps) {
  return (
    <div class="event-conflicts" role="status">
      {others.length > 0 && (
        <Callout tone="warn">
          <strong>{isOfSeries ? m.someOccurrences : m.conflicts}</strong>
          <ul>
            {others.slice(0, NAMED).map((other) => (
              <li key={`${other.id} ${other.start}`}>
                {m.conflictLine(
                  other.title,
                  fullWhenText(habits, { ...other, allDay: false, startDate: null, endDate: null }),
                  (other.attendees ?? []).map(({ name, email }) => name ?? email),
                )}
              </li>
            ))}
            {others.length > NAMED && <li>{m.moreConflicts(others.length - NAMED)}</li>}
          </ul>
        </Callout>
      )}
    </div>
  );
}
