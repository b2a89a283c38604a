import { useEffect, useState } from "preact/hooks";
import { api } from "../client/api.ts";
import { queryClient } from "../client/queries.ts";
import type { Command } from "../lib/commands.ts";
import { eventPath } from "../lib/event-path.ts";
import { navigate } from "../lib/router.ts";
import { addDays, dayOf, dayText, type TimeHabits, timeText } from "../lib/time.ts";
import { shell } from "../messages/shell.ts";

export interface Entry extends Command {
  group: string;
  detail?: string;
}

const PAUSE_MS = 180;
const SHOWN = 5;

/** Searches the data while somebody types. An answer that comes after the next letter is thrown away. */
export function useFound(query: string, habits: TimeHabits): { found: Entry[]; isSearching: boolean } {
  const [result, setResult] = useState<{ query: string; found: Entry[] }>({ query: "", found: [] });
  const text = query.trim();
  useEffect(() => {
    if (text.length < 2) return;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const found = await Promise.all(SEARCHES.map((search) => search(text, leaving.signal, habits).catch(() => [])));
      if (!leaving.signal.aborted) setResult({ query: text, found: found.flat() });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return {
    found: text.length < 2 ? [] : result.found,
    isSearching: text.length >= 2 && result.query !== text,
  };
}

type Search = (q: string, signal: AbortSignal, habits: TimeHabits) => Promise<Entry[]>;

const findTasks: Search = async (q, signal) => {
  const { data } = await api.get("/api/tasks", { query: { q, limit: SHOWN, sort: "created" }, signal });
  return data.map(({ id, title, tags }) => ({
    id: `task-${id}`,
    group: shell.palette.tasks,
    icon: "tasks",
    label: title,
    detail: tags.join(", "),
    run: () => navigate(`/app/tasks/${id}`),
  }));
};

const findEmails: Search = async (q, signal) => {
  const { data } = await api.get("/api/emails", { query: { q, status: "any", limit: SHOWN }, signal });
  return data.map(({ id, subject, from, status }) => ({
    id: `email-${id}`,
    group: shell.palette.emails,
    icon: "mail",
    label: subject || from.email,
    detail: from.name || from.email,
    run: () => navigate(`/app/mail/${status === "archived" ? "archive" : status}/${id}`),
  }));
};

const [DAYS_BACK, DAYS_AHEAD, MAX_PAGES] = [90, 365, 10];
type Event = Awaited<ReturnType<typeof readEvents>>[number];

/** The API finds events by their time, so their words are compared here: a quarter back and a year ahead. */
async function readEvents(today: string) {
  const range = { start: addDays(today, -DAYS_BACK), end: addDays(today, DAYS_AHEAD), limit: 100 };
  const { data, nextCursor } = await api.get("/api/calendar/events", { query: range });
  const found = [...data];
  let next = nextCursor;
  for (let page = 1; next !== null && page < MAX_PAGES; page++) {
    const more = await api.get("/api/calendar/events", { query: { ...range, cursor: next } });
    found.push(...more.data);
    next = more.nextCursor;
  }
  return found;
}

const findEvents: Search = async (q, _signal, habits) => {
  const now = new Date();
  const today = dayOf(habits, now);
  const all = await queryClient.fetchQuery({
    queryKey: ["event", "search", today],
    queryFn: () => readEvents(today),
    staleTime: 60_000,
  });
  const words = q.toLowerCase().split(/\s+/);
  const textOf = ({ title, location, tags, attendees }: Event) =>
    [title, location, ...tags, ...attendees.flatMap(({ name, email }) => [name, email])].join(" ").toLowerCase();
  const found = all.filter((event) => words.every((word) => textOf(event).includes(word)));
  const isAhead = ({ end }: Event) => new Date(end) > now;
  // The next one of each series, then what is over, the latest first.
  const ordered = [...found.filter(isAhead), ...found.filter((event) => !isAhead(event)).toReversed()];
  const seen = new Set<number>();
  const single = ordered.filter(({ id, recurringEventId }) => {
    const key = recurringEventId ?? id;
    return !seen.has(key) && seen.add(key);
  });
  return single.slice(0, SHOWN).map((event) => {
    const { id, start, startDate, recurringEventId, originalStart, allDay, title } = event;
    const day = startDate ?? dayOf(habits, new Date(start));
    const at = id === recurringEventId ? originalStart : null;
    return {
      id: `event-${id}-${start}`,
      group: shell.palette.events,
      icon: "calendar",
      label: title,
      detail: allDay ? dayText(habits, day) : `${dayText(habits, day)}, ${timeText(habits, new Date(start))}`,
      run: () => navigate(eventPath(habits, { id, start, startDate, at })),
    };
  });
};

/** Screens add their search here. */
const SEARCHES: readonly Search[] = [findEmails, findTasks, findEvents];
