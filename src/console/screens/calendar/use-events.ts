import { useMemo } from "preact/hooks";
import { api } from "../../client/api.ts";
import { patched } from "../../client/changes.ts";
import { useGet, useQuery } from "../../client/queries.ts";
import { addDays, type TimeHabits } from "../../lib/time.ts";
import { dueOf, isOpen, type Task } from "../tasks/task.ts";
import { type Event, giveColours } from "./event.ts";
import { place } from "./layout.ts";

/** More pages than anybody's month has; a bound for a calendar that is broken. */
const MAX_PAGES = 20;

async function readAll(start: string, end: string, signal: AbortSignal): Promise<Event[]> {
  const found: Event[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, nextCursor } = await api.get("/api/calendar/events", {
      query: { start, end, limit: 100, ...(cursor && { cursor }) },
      signal,
    });
    found.push(...data);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found;
}

/** The key begins like those of all events, so that every change makes it stale. */
function eventsKey(first: string, last: string, zone: string) {
  return ["event", "range", first, last, zone] as const;
}

/** The events of these days in the profile's zone, with the changes that are under way. */
export function useEvents(habits: TimeHabits, first: string, last: string) {
  const query = useQuery({
    queryKey: eventsKey(first, last, habits.timeZone),
    // A day more on each side: whole days of another zone begin and end at other times than ours.
    queryFn: ({ signal }) => readAll(addDays(first, -1), addDays(last, 1), signal),
  });
  const events = query.data && patched<Event>("event", query.data);
  giveColours(events ?? []);
  return { events, error: query.data ? null : query.error, retry: () => void query.refetch() };
}

/** Reads the days before and after, so that the next step shows at once. */
export function useNeighbours(habits: TimeHabits, ranges: readonly (readonly [string, string])[], isReady: boolean) {
  const [before, after] = ranges;
  usePrefetch(habits, before, isReady);
  usePrefetch(habits, after, isReady);
}

function usePrefetch(habits: TimeHabits, range: readonly [string, string] | undefined, isReady: boolean): void {
  const [first = "", last = ""] = range ?? [];
  useQuery({
    queryKey: eventsKey(first, last, habits.timeZone),
    queryFn: ({ signal }) => readAll(addDays(first, -1), addDays(last, 1), signal),
    enabled: isReady && range !== undefined,
    notifyOnChangeProps: [],
  });
}

export function usePlaced(habits: TimeHabits, events: readonly Event[] | undefined, hidden: ReadonlySet<string>) {
  return useMemo(
    () => events?.filter(({ tags }) => !hidden.has(tags[0] ?? "")).map((event) => place(habits.timeZone, event)) ?? [],
    [events, hidden, habits.timeZone],
  );
}

export interface DayTask {
  task: Task;
  day: string;
}

/** The open tasks that are due on these days. */
export function useDayTasks(habits: TimeHabits, first: string, last: string, enabled: boolean): DayTask[] {
  const { data } = useGet(["task", "list", "days", first, last, habits.timeZone], "/api/tasks", {
    query: { status: "open", dueAfter: first, dueBefore: last, sort: "due", limit: 100 },
    enabled,
  });
  if (!enabled || !data) return [];
  return patched<Task>("task", data.data).flatMap((task) => {
    const due = dueOf(habits, task);
    return due && due.day >= first && due.day <= last && isOpen(task) ? [{ task, day: due.day }] : [];
  });
}
