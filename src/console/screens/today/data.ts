import type { components } from "#api";
import { patched } from "../../client/changes.ts";
import { type ListResult, useGet } from "../../client/queries.ts";
import { useRecords } from "../../client/records.ts";
import { addDays, type TimeHabits } from "../../lib/time.ts";
import { startOfDay } from "../../lib/zone.ts";
import type { Task } from "../tasks/task.ts";

export type Event = components["schemas"]["Event"];
export type Email = components["schemas"]["EmailList"]["data"][number];
export type Stats = components["schemas"]["Stats"];

/** The events that touch the day, cancelled ones left out. */
export function useEvents(habits: TimeHabits, day: string) {
  const query = useGet(["event", "day", day, habits.timeZone], "/api/calendar/events", {
    query: {
      start: startOfDay(habits.timeZone, day).toISOString(),
      end: startOfDay(habits.timeZone, addDays(day, 1)).toISOString(),
      limit: 100,
    },
  });
  const events = query.data && patched("event", query.data.data).filter(({ status }) => status !== "cancelled");
  return { events, error: query.error, retry: () => void query.refetch() };
}

/** The next half hour that is free today, within working hours. */
export function useNextFree(habits: TimeHabits, day: string) {
  const { data } = useGet(["event", "free", day, habits.timeZone], "/api/calendar/slots", {
    query: {
      durationMinutes: 30,
      start: new Date().toISOString(),
      end: startOfDay(habits.timeZone, addDays(day, 1)).toISOString(),
    },
    refetchInterval: 15 * 60_000,
  });
  return data?.slots[0];
}

export function useDueTasks(day: string): ListResult<Task> {
  return useRecords(["task", "list", "due", day], "/api/tasks", {
    query: { status: "open", dueBefore: day, sort: "due", limit: 50 },
  });
}

const LEVELS = ["critical", "high", "normal", "low"];

/** Emails that need an answer: the most urgent first, then the newest. */
export function useWaitingEmails() {
  const query = useGet(["email", "list", "waiting"], "/api/emails", {
    query: { replyNeeded: true, status: "inbox", limit: 30 },
  });
  const rank = ({ analysis }: Email) => LEVELS.indexOf(analysis?.urgency.level ?? "low");
  const emails =
    query.data &&
    patched("email", query.data.data)
      .filter(({ status, replyNeeded }) => status === "inbox" && replyNeeded)
      .sort((a, b) => rank(a) - rank(b) || (a.receivedAt < b.receivedAt ? 1 : -1));
  return { emails, hasMore: Boolean(query.data?.nextCursor), error: query.error, retry: () => void query.refetch() };
}

export function useInvitations(): number {
  const { data } = useGet(["event", "invitations"], "/api/calendar/events", {
    query: { awaitsAnswer: true, start: new Date().toISOString(), limit: 50 },
  });
  return data?.data.length ?? 0;
}
