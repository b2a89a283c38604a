import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { EVERY_MINUTE, runSchedule } from "../../src/schedule.ts";
import { openSession, type Person, setClock, signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { deliverQueue, takeQueued } from "../queued.ts";
import { mailbox } from "../settings/people.ts";
import { asSystem, removeWebhooks } from "../webhooks/receiver.ts";

export const api = service();
export const at = (time: string) => Date.parse(time);

export interface Fired {
  id: number;
  recordType: string;
  recordId: number;
  title: string | null;
  recordAt: string | null;
  at: string;
  state: string;
  late: boolean;
  snoozedUntil: string | null;
  deliverAt: string | null;
  deliveries: { channel: string | null; outcome: string; detail: string | null }[];
}

/** A service with one person, its owner, at this time, who has seen everything that was due before. */
export async function stage(time: string, preferences: object = {}) {
  await emptyService();
  await removeWebhooks();
  takeQueued();
  setClock(at(time));
  const tables = ["reminders", "push_subscriptions", "users", "series_reminders", "reminder_times"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await env.DB.prepare("UPDATE reminder_state SET checked_until = ?, recheck_after = NULL").bind(at(time)).run();
  const owner = await signedInPerson("owner");
  const mail = mailbox();
  if (Object.keys(preferences).length > 0) await prefer(owner, preferences);
  return { owner, mail };
}

/** A session for each call, since tests move the clock past the life of a token. */
export const tokenOf = async ({ id }: { id: number }) => ({ token: (await openSession(id)).token });

export async function prefer(person: Person, preferences: object): Promise<void> {
  const answer = await api.patch("/api/settings/profile/notifications", preferences, await tokenOf(person));
  expect(answer.status).toBe(200);
}

export async function setProfile(person: Person, changes: object): Promise<void> {
  expect((await api.patch("/api/settings/profile", changes, await tokenOf(person))).status).toBe(200);
}

/** The cron of a minute, at this time, with what it hands to the queue. */
export async function tick(time: string | number, vars: Partial<Env> = {}): Promise<void> {
  setClock(typeof time === "string" ? at(time) : time);
  await asSystem((ctx) => runSchedule(EVERY_MINUTE, ctx), vars);
  await deliverQueue({ vars });
}

export async function remindersOf(person: { id: number }, query = ""): Promise<Fired[]> {
  const answer = await api.get(`/api/reminders${query}`, await tokenOf(person));
  expect(answer.status).toBe(200);
  return answer.body.data;
}

export async function newTask(task: object): Promise<{ id: number }> {
  const answer = await api.post("/api/tasks", task);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

export async function newEvent(event: object): Promise<{ id: number }> {
  const answer = await api.post("/api/calendar/events", event);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

export function leaveStage(): void {
  vi.useRealTimers();
  takeQueued();
}
