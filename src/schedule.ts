import type { Context } from "./context.ts";
import { purgeExpired } from "./db/purge.ts";
import { deletedEvents } from "./db/schema/calendar.ts";
import { emailUndos } from "./db/schema/emails.ts";
import { idempotencyKeys } from "./db/schema/idempotency.ts";
import { taskUndos } from "./db/schema/tasks.ts";
import { purgeOldCalls } from "./features/ai-models/tokens/usage.ts";
import { purgeAlerts } from "./features/alerts/service.ts";
import { purgeAuditLog } from "./features/audit/history.ts";
import { purgeExpiredCredentials } from "./features/auth/purge.ts";
import { purgeBillingEvents } from "./features/billing/webhook.ts";
import { purgeBookingHistory } from "./features/bookings/runs.ts";
import { syncIfConnected } from "./features/bookings/sync.ts";
import { sendMorningBriefs } from "./features/brief/morning.ts";
import { purgeConversations } from "./features/conversations/service.ts";
import { analyseOverdue } from "./features/emails/analysis/owed.ts";
import { settleCutOffEmails } from "./features/emails/delivery.ts";
import { tidyEmailStorage } from "./features/emails/orphans.ts";
import { purgeEmails } from "./features/emails/retention/purge.ts";
import { continueRuns } from "./features/emails/rules/apply.ts";
import { sendDueEmails } from "./features/emails/sending/scheduled.ts";
import { deleteFiles } from "./features/files/service.ts";
import { watchService } from "./features/health/watch.ts";
import { figuresOf, type Job, runWithin } from "./features/jobs/run-job.ts";
import { type NamedJob, type PlannedJob, recordFailure, recordStart, recordSuccess } from "./features/jobs/service.ts";
import { purgeChanges } from "./features/live/service.ts";
import { purgeMailboxRuns, syncDueMailboxes } from "./features/mailbox-sync/service.ts";
import { purgeConnections } from "./features/oauth/purge.ts";
import { fireEveryMinute } from "./features/reminders/fire.ts";
import { purgeReminders } from "./features/reminders/service.ts";
import { sumPastQuarters } from "./features/stats/service.ts";
import { writeMissedCaptions } from "./features/stream/automatic-captions.ts";
import { failAbandonedPosts } from "./features/stream/captions/dispatch.ts";
import { purgeStreamEvents } from "./features/stream/events.ts";
import { purgeStreamReports } from "./features/stream/report.ts";
import { cancelOverdueSessions } from "./features/stream/sessions.ts";
import { checkConnectedYouTube } from "./features/stream/youtube.ts";
import { sweepAllTransfers } from "./features/transfer-runners/service.ts";
import { purgeWebhookHistory } from "./features/webhooks/outbox.ts";
import { announceEvents, sweepWebhooks } from "./features/webhooks/service.ts";
import { errorFields, log } from "./log.ts";

export interface Schedule {
  /** Cron expression → its jobs. Run often, and therefore without the jobs of `last` and with as little bookkeeping as possible. */
  frequent: Record<string, Record<string, Job>>;
  /** Cron expression (as in wrangler.toml) → its jobs. A name belongs to one job. */
  crons: Record<string, Record<string, Job>>;
  /** Run after the other jobs of every cron. */
  last: Record<string, Job>;
}

/** The budget of a cron invocation: the platform's limits are 15 minutes and 1,000 statements. */
export const INVOCATION = { seconds: 14 * 60, statements: 980 };
export const AT_ONCE = 3;

/** As in wrangler.toml. */
export const EVERY_MINUTE = "* * * * *";
export const EVERY_FIVE_MINUTES = "*/5 * * * *";
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A job of the nightly cron is not late while its run of the next night is on its way. */
const TOLERANCE_MS: Record<string, number> = {
  "17 3 * * *": DAY_MS + HOUR_MS,
  [EVERY_MINUTE]: HOUR_MS,
  [EVERY_FIVE_MINUTES]: HOUR_MS,
};
/** Successes of a job that runs every minute are recorded this often; each time would write more than the job. */
const RECORDED_MS = HOUR_MS / 4;

type Verb = (ctx: Context) => Promise<number>;

/** Names the number that a verb returns, for the log line of the job. */
const did =
  (what: string, verb: Verb): Job["run"] =>
  async (ctx) => ({ [what]: await verb(ctx) });
/** Runs of the booking provider and of mailboxes. */
const purgeSyncHistory: Verb = async (ctx) => (await purgeBookingHistory(ctx)) + (await purgeMailboxRuns(ctx));

const purge = (verb: Verb): Job => ({ run: did("deleted", verb), seconds: 60, statements: 25 });

/** A test checks that the budgets of each cron fit into one invocation. */
export const SCHEDULE: Schedule = {
  frequent: {
    [EVERY_MINUTE]: { fireReminders: { run: fireReminders, seconds: 240, statements: 400 } },
    [EVERY_FIVE_MINUTES]: { syncMailboxes: { run: syncMailboxes, seconds: 600, statements: 900 } },
  },
  crons: {
    "*/15 * * * *": {
      syncBookings: { run: (ctx) => syncIfConnected(ctx, { trigger: "cron" }), seconds: 480, statements: 190 },
      sendMorningBriefs: { run: sendMorningBriefs, seconds: 240, statements: 120 },
      checkConnectedYouTube: {
        run: did("checked", async (ctx) => ((await checkConnectedYouTube(ctx)) === null ? 0 : 1)),
        seconds: 90,
        statements: 100,
      },
      writeMissedCaptions: { run: did("written", writeMissedCaptions), seconds: 180, statements: 80 },
      analyseOverdue: { run: did("due", analyseOverdue), seconds: 180, statements: 80 },
      continueRuleRuns: { run: did("due", continueRuns), seconds: 60, statements: 20 },
      failAbandonedPosts: { run: did("failed", failAbandonedPosts), seconds: 30, statements: 5 },
      sendDueEmails: { run: did("due", sendDueEmails), seconds: 120, statements: 10 },
      settleCutOffEmails: { run: did("settled", settleCutOffEmails), seconds: 30, statements: 5 },
      deleteFiles: { run: did("deleted", deleteFiles), seconds: 60, statements: 20 },
      sweepTransfers: { run: did("overdue", sweepAllTransfers), seconds: 120, statements: 20 },
      purgeChanges: { run: did("deleted", purgeChanges), seconds: 30, statements: 5 },
    },
    "17 3 * * *": {
      syncAllBookings: {
        run: (ctx) => syncIfConnected(ctx, { trigger: "cron", full: true }),
        seconds: 480,
        statements: 190,
      },
      purgeEmails: { run: did("deleted", purgeEmails), seconds: 240, statements: 40 },
      purgeExpiredCredentials: { run: did("deleted", purgeExpiredCredentials), seconds: 60, statements: 60 },
      purgeAuditLog: { run: did("deleted", purgeAuditLog), seconds: 60, statements: 50 },
      purgeSyncHistory: purge(purgeSyncHistory),
      purgeBillingEvents: purge(purgeBillingEvents),
      purgeOldCalls: purge(purgeOldCalls),
      purgeWebhookHistory: purge(purgeWebhookHistory),
      cancelOverdueSessions: { run: did("cancelled", cancelOverdueSessions), seconds: 30, statements: 5 },
      purgeStreamEvents: purge(purgeStreamEvents),
      purgeStreamReports: purge(purgeStreamReports),
      purgeConversations: purge(purgeConversations),
      purgeConnections: { run: did("deleted", purgeConnections), seconds: 60, statements: 30 },
      sumPastQuarters: { run: did("summed", sumPastQuarters), seconds: 60, statements: 5 },
      purgeAlerts: purge(purgeAlerts),
      purgeReminders: purge(purgeReminders),
      tidyEmailStorage: { run: tidyEmailStorage, seconds: 120, statements: 15 },
      purgeIdempotencyKeys: purge((ctx) => purgeExpired(ctx, [idempotencyKeys])),
      purgeUndos: {
        run: did("deleted", (ctx) => purgeExpired(ctx, [taskUndos, emailUndos, deletedEvents])),
        seconds: 60,
        statements: 12,
      },
    },
  },
  last: {
    // It knows how the others went.
    watchService: { run: watchService, seconds: 60, statements: 25 },
    // Each of the others can raise events.
    deliverWebhooks: { run: sweepWebhooks, seconds: 180, statements: 275 },
  },
};

/**
 * Runs the jobs of a cron, a few at a time, each within its own budgets. One that fails is logged and stored, and does
 * not stop the others.
 */
export async function runSchedule(cron: string, ctx: Context, schedule: Schedule = SCHEDULE): Promise<void> {
  const frequent = schedule.frequent[cron];
  if (frequent) {
    const toleranceMs = toleranceOf(cron);
    for (const [name, job] of Object.entries(frequent)) {
      await runJob(ctx, { name, toleranceMs }, job, RECORDED_MS);
    }
    return;
  }
  const jobs = schedule.crons[cron];
  if (!jobs) log("error", "cron_without_jobs", { cron, requestId: ctx.requestId });
  await orLog(ctx, "recordStart", () => recordStart(ctx, plannedJobs(cron, schedule)));
  const queue = Object.entries(jobs ?? {}).values();
  const worker = async () => {
    for (const [name, job] of queue) await runJob(ctx, { name, toleranceMs: toleranceOf(cron) }, job);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const [name, job] of Object.entries(schedule.last)) await runJob(ctx, { name, toleranceMs: DAY_MS }, job);
}

function toleranceOf(cron: string): number {
  return TOLERANCE_MS[cron] ?? DAY_MS;
}

function plannedJobs(cron: string, { crons, last, frequent }: Schedule): PlannedJob[] {
  const own = Object.entries({ ...crons, ...frequent }).flatMap(([each, jobs]) =>
    Object.keys(jobs).map((name) => ({ name, toleranceMs: toleranceOf(each), isStarting: each === cron })),
  );
  return [...own, ...Object.keys(last).map((name) => ({ name, toleranceMs: DAY_MS, isStarting: true }))];
}

/** The events that reminders raise are sent at once. */
async function fireReminders(ctx: Context) {
  const figures = await fireEveryMinute(ctx);
  if (figures.fired > 0) announceEvents(ctx);
  return figures;
}

/** New emails raise events. */
async function syncMailboxes(ctx: Context) {
  const figures = await syncDueMailboxes(ctx);
  if (figures.read > 0) announceEvents(ctx);
  return figures;
}

/** `every`: successes are recorded that often, and a run that had nothing to do leaves no line in the log. */
async function runJob(ctx: Context, named: NamedJob, job: Job, every?: number): Promise<void> {
  const startedAt = Date.now();
  const usage = { statements: 0 };
  const about = () => ({ job: named.name, ms: Date.now() - startedAt, ...usage, requestId: ctx.requestId });
  try {
    const figures = figuresOf(await runWithin(ctx, job, usage));
    const line = { ...about(), ...figures };
    const didWork = Object.values(figures).some((figure) => figure > 0);
    if (every === undefined || didWork) log("info", "job_done", line);
    await orLog(ctx, "recordSuccess", () => recordSuccess(ctx, named, line.ms, every));
  } catch (error) {
    const line = about();
    log("error", "job_failed", { ...line, ...errorFields(error) });
    await orLog(ctx, "recordFailure", () => recordFailure(ctx, named, line.ms, error));
  }
}

/** A failure to record a job must not stop the jobs. */
async function orLog(ctx: Context, step: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log("error", "schedule_step_failed", { step, requestId: ctx.requestId, ...errorFields(error) });
  }
}
