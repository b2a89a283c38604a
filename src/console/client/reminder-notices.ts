import "../base.ts";
import type { components } from "#api";
import { dayOf, timeText } from "../lib/time.ts";
import { reminders as m } from "../messages/reminders.ts";
import { api } from "./api.ts";
import { attempt, dismiss, notices, reminderToast, toast } from "./notices.ts";
import type { Profile } from "./profile.ts";
import { queryClient } from "./queries.ts";
import { whenSignedOut } from "./session.ts";

/* A reminder that fires while the console is open: a notice in every tab, until it is answered in one of them. */

type Reminder = components["schemas"]["Reminder"];

/** A reminder that has fired, or was answered somewhere. */
export interface ReminderChange {
  id: number;
  hasFired: boolean;
}

/** More than these, after a time without a connection, are one notice. */
const MOST = 3;
const SNOOZE_MINUTES = 10;
/** Reminder → its notice. */
const shown = new Map<number, number>();

whenSignedOut(() => {
  for (const id of [...shown.keys()]) hide(id);
});

export async function showReminders(changes: readonly ReminderChange[]): Promise<void> {
  for (const { id } of changes) hide(id);
  const fired = changes.filter(({ hasFired }) => hasFired);
  if (fired.length > MOST) {
    reminderToast({ text: m.several(fired.length), href: "/app" });
    return;
  }
  for (const { id } of fired) {
    // One that was deleted meanwhile, or cannot be read now: the other channels have it.
    const reminder = await api.get("/api/reminders/{id}", { params: { id } }).catch(() => null);
    if (reminder?.state === "fired" && reminder.title !== null) show(reminder, reminder.title);
  }
}

function show(reminder: Reminder, title: string): void {
  hide(reminder.id);
  const { id, recordType, recordId, late } = reminder;
  const isTask = recordType === "task";
  const answer = (act: () => Promise<void>) => void attempt(m.notDone, act, `reminder:${id}`);
  const notice = reminderToast({
    text: m.fired(title),
    detail: late ? m.late : undefined,
    href: isTask ? `/app/tasks/${recordId}` : calendarOf(reminder),
    action: { label: m.snooze, run: () => answer(() => snooze(id, title)) },
    second: {
      label: isTask ? m.done : m.dismiss,
      run: () => answer(() => (isTask ? finish(recordId) : putAway(id))),
    },
  });
  shown.set(id, notice);
}

function hide(id: number): void {
  const notice = shown.get(id);
  shown.delete(id);
  if (notice !== undefined && notices.value.some((each) => each.id === notice)) dismiss(notice);
}

/** The profile is read before any screen is drawn. */
const habits = () => queryClient.getQueryData<Profile>(["profile"]);

function calendarOf({ recordAt }: Reminder): string {
  const profile = habits();
  return profile && recordAt ? `/app/calendar/day/${dayOf(profile, new Date(recordAt))}` : "/app/calendar";
}

async function snooze(id: number, title: string): Promise<void> {
  const body = { minutes: SNOOZE_MINUTES };
  const { snoozedUntil } = await api.post("/api/reminders/{id}/snooze", { params: { id }, body });
  const profile = habits();
  if (profile && snoozedUntil) toast(m.snoozed(title, timeText(profile, new Date(snoozedUntil))));
}

async function finish(id: number): Promise<void> {
  await api.patch("/api/tasks/{id}", { params: { id }, body: { status: "done" } });
  void queryClient.invalidateQueries({ queryKey: ["task"] });
}

async function putAway(id: number): Promise<void> {
  await api.post("/api/reminders/{id}/dismiss", { params: { id } });
}
