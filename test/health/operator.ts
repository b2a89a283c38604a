import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Env } from "../../src/config.ts";
import { watchService } from "../../src/features/health/watch.ts";
import { runSchedule } from "../../src/schedule.ts";
import { openSession, type Person, signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { mailbox } from "../settings/people.ts";
import { emptyStream } from "../stream/reports.ts";
import { asSystem, newWebhook, removeWebhooks } from "../webhooks/receiver.ts";

/** A service with nothing wrong, an owner, and what the owner is told. */
export async function newOperator() {
  await removeWebhooks();
  await emptyService();
  await emptyStream();
  const tables = ["users", "jobs", "service_alerts", "files_to_delete"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  const owner: Person = await signedInPerson("owner");
  const mail = mailbox();
  const hook = await newWebhook(["service.alert"], owner);
  const always: Partial<Env> = { OWNER_EMAIL: owner.email };
  const vars = (more: Partial<Env> = {}) => ({ ...mail.vars, ...always, ...more });
  const details = async (more: Partial<Env> = {}) => {
    const { token } = await openSession(owner.id);
    const { status, body } = await service({ ...always, ...more }).get("/api/health/details", { token });
    expect(status).toBe(200);
    return body;
  };
  return {
    owner,
    mail,
    hook,
    details,
    /** Settings from now on. */
    configure: (settings: Partial<Env>) => void Object.assign(always, settings),
    /** The problems that the owner sees, by code. */
    problems: async (more: Partial<Env> = {}): Promise<string[]> =>
      (await details(more)).problems.map(({ code }: { code: string }) => code),
    /** The whole cron of every 15 minutes, and what it sends to the queue. */
    cron: async (more: Partial<Env> = {}) => {
      await asSystem((ctx) => runSchedule("*/15 * * * *", ctx), vars(more));
      await deliverQueue({ vars: vars(more) });
    },
    /** Only the job that looks whether something is wrong. The other jobs might repair it first. */
    watch: (more: Partial<Env> = {}) => asSystem(watchService, vars(more)),
    subjects: () => mail.subjectsTo(owner.email),
    /** What came by webhook: code, subject and state. */
    events: async (): Promise<string[]> =>
      (await hook.events()).map(({ data }) => [data.code, data.subject, data.status].filter(Boolean).join(" ")),
  };
}

export type Operator = Awaited<ReturnType<typeof newOperator>>;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Makes what a column says older. */
export function age(table: string, column: string, ms: number): Promise<unknown> {
  return env.DB.prepare(`UPDATE ${table} SET ${column} = ${column} - ?`).bind(ms).run();
}
