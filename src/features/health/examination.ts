import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Problem, reading } from "../../lib/service-problems.ts";
import { selectOpenAlerts } from "../alerts/service.ts";
import { readSyncVitals, selectSyncVitals } from "../bookingsvc/vitals.ts";
import {
  readAnalysisVitals,
  readOutgoingVitals,
  selectAnalysisVitals,
  selectOutgoingVitals,
} from "../emails/vitals.ts";
import { selectFileVitals } from "../files/vitals.ts";
import type { JobState } from "../jobs/schemas.ts";
import { readJob, selectJobs } from "../jobs/service.ts";
import { readCaptionVitals, selectCaptionVitals } from "../stream/vitals.ts";
import { readSilence, selectSilence } from "./silence.ts";
import { readWebhookVitals, selectWebhookVitals } from "./webhook-vitals.ts";

/** D1's limit for a database. */
const LIMIT_BYTES = 10 * 1024 ** 3;
const WARN_SHARE = 0.8;
const GIB = 1024 ** 3;

/** These jobs fail together with the booking sync, which is told under a code of its own. */
const SYNC_JOBS = ["syncBookings", "syncAllBookings"];

/** Looks at every part of the service in one round trip that reads few rows, whatever is stored or owed. */
export async function examine(ctx: Context) {
  const startedAt = Date.now();
  const [sized, silence, jobRows, alerts, owed, endpoints, captions, analyses, outgoing, connection, runs, files] =
    await ctx.db.batch([
      // Only a result as a whole says how large the database is.
      ctx.db.run(sql`SELECT 1`),
      selectSilence(ctx),
      selectJobs(ctx),
      selectOpenAlerts(ctx),
      ...selectWebhookVitals(ctx),
      selectCaptionVitals(ctx),
      selectAnalysisVitals(ctx),
      selectOutgoingVitals(ctx),
      ...selectSyncVitals(ctx),
      selectFileVitals(ctx),
    ] as const);
  const latencyMs = Date.now() - startedAt;
  const parts = {
    storage: readStorage(sized.meta.size_after),
    webhooks: readWebhookVitals(ctx, owed[0], endpoints),
    captions: readCaptionVitals(ctx, captions[0]),
    analyses: readAnalysisVitals(ctx, analyses[0]),
    outgoingEmails: readOutgoingVitals(ctx, outgoing[0]),
    sync: readSyncVitals(ctx, connection[0], runs[0]),
    settings: readSettings(ctx),
  };
  const jobs = jobRows.map(readJob);
  const silent = readSilence(silence[0]);
  // Jobs that nothing starts, or that fail with the sync, are not a problem each.
  const isExplained = ({ name }: JobState) =>
    silent.length > 0 || (parts.sync.problems.length > 0 && SYNC_JOBS.includes(name));
  // A job that is running may be about to succeed, but has not yet: that begins no problem and ends none.
  const isOpen = ({ name }: JobState) => alerts.some(({ code, subject }) => code === "job_overdue" && subject === name);
  const overdue = jobs.flatMap(({ state, problem, isRunning }) =>
    problem && !isExplained(state) && (!isRunning || isOpen(state)) ? [problem] : [],
  );
  const problems = [
    ...silent,
    ...overdue,
    ...Object.values(parts).flatMap((part): readonly Problem[] => part.problems),
  ];
  return {
    latencyMs,
    alerts,
    problems,
    jobs: jobs.map(({ state }) => state),
    files: readFiles(jobs, files[0]),
    ...parts,
  };
}

function readStorage(sizeBytes: number) {
  const share = sizeBytes / LIMIT_BYTES;
  const isLarge = share >= WARN_SHARE;
  const detail = `The database has ${(sizeBytes / GIB).toFixed(1)} GB, ${Math.round(share * 100)} % of the 10 GB that D1 allows. When it is full, every write fails.`;
  return reading(
    { sizeBytes, limitBytes: LIMIT_BYTES, usedShare: Math.round(share * 1000) / 1000 },
    isLarge ? [{ code: "database_large", subject: null, detail, since: null }] : [],
  );
}

/** Names of settings, never their values. */
function readSettings({ config }: Context) {
  const problems = [...config.problems];
  const detail = `Settings are missing or invalid: ${problems.join("; ")}.`;
  return reading(
    { problems },
    problems.length > 0 ? [{ code: "settings_invalid", subject: null, detail, since: null }] : [],
  );
}

/** Deleting is late when its job is, which is then also the problem. */
function readFiles(jobs: readonly ReturnType<typeof readJob>[], row: { due: number; later: number } | undefined) {
  const { due, later } = row ?? { due: 0, later: 0 };
  const late = jobs.find(({ state }) => state.name === "deleteFiles" && !state.ok && due > 0);
  return { ok: !late, detail: late?.state.detail ?? null, due, later };
}
