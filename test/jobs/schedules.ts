import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { watchService } from "../../src/features/health/watch.ts";
import type { Job } from "../../src/features/jobs/run-job.ts";
import { runSchedule, type Schedule } from "../../src/schedule.ts";
import { type Person, signedInPerson } from "../auth/people.ts";
import { service } from "../harness.ts";
import { mailbox } from "../settings/people.ts";
import { asSystem, removeWebhooks } from "../webhooks/receiver.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export let owner: Person;
export let mail: ReturnType<typeof mailbox>;
let vars: Partial<Env>;

/** Alone with an owner and no job that has ever run. */
export async function startOver(): Promise<void> {
  await removeWebhooks();
  await env.DB.batch(["users", "jobs", "service_alerts"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  owner = await signedInPerson("owner");
  mail = mailbox();
  vars = { ...mail.vars, OWNER_EMAIL: owner.email };
}
export async function cleanUp(): Promise<void> {
  vi.useRealTimers();
  await removeWebhooks();
}

const GENEROUS = { seconds: 5, statements: 50 };
export const job = (run: Job["run"], budget: Partial<Job> = {}): Job => ({ run, ...GENEROUS, ...budget });
export const well = job(async () => {});
export const failing = job(async () => {
  throw new Error("no luck");
});
/** The job that tells the owner what is wrong, as every schedule has it. */
export const watch = { watchService: job(watchService) };
export const oneCron = (jobs: Record<string, Job>, last: Schedule["last"] = {}): Schedule => ({
  frequent: {},
  crons: { often: jobs },
  last: { ...watch, ...last },
});
export const run = (schedule: Schedule, cron = "often", more: Partial<Env> = {}) =>
  asSystem((ctx) => runSchedule(cron, ctx, schedule), { ...vars, ...more });
export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface JobState {
  name: string;
  lastStartedAt: string | null;
  lastSucceededAt: string | null;
  lastFailedAt: string | null;
  lastError: string | null;
  lastDurationMs: number | null;
  dueAt: string;
  lateSeconds: number;
  ok: boolean;
  detail: string | null;
}

/** What the owner sees of a job. A session for each call: tests move the clock past the life of a token. */
export async function stateOf(name: string): Promise<JobState | undefined> {
  const { token } = await signedInPerson("owner");
  const { body } = await service().get("/api/health/details", { token });
  return body.jobs.find((each: JobState) => each.name === name);
}

export const alerts = () => mail.subjectsTo(owner.email);
