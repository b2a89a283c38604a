import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Problem, type ProblemCode, reading } from "../../lib/service-problems.ts";
import { selectOpenAlerts } from "../alerts/service.ts";
import { readSyncVitals, selectSyncVitals } from "../bookings/vitals.ts";
import {
  readAnalysisVitals,
  readOutgoingVitals,
  selectAnalysisVitals,
  selectOutgoingVitals,
  selectStoredObjects,
} from "../emails/vitals.ts";
import { selectFileVitals } from "../files/vitals.ts";
import type { JobState } from "../jobs/schemas.ts";
import { readJob, selectJobs } from "../jobs/service.ts";
import { readMailboxVitals, selectMailboxVitals } from "../mailboxes/vitals.ts";
import { readCaptionVitals, selectCaptionVitals } from "../stream/vitals.ts";
import { selectTransferFiles } from "../transfers/vitals.ts";
import { readSilence, selectSilence } from "./silence.ts";
import { readWebhookVitals, selectWebhookVitals } from "./webhook-vitals.ts";

/** D1's limit for a database. */
const LIMIT_BYTES = 10 * 1024 ** 3;
const WARN_SHARE = 0.8;
/** Some room is left then, so that the alert itself can still be stored. */
const FULL_SHARE = 0.97;
const GIB = 1024 ** 3;

/** These jobs fail together with the booking sync, which is told under a code of its own. */
const SYNC_JOBS = ["syncBookings", "syncAllBookings"];

/** Looks at every part of the service in one round trip that reads few rows, whatever is stored or owed. */
export async function examine(ctx: Context) {
  const startedAt = Date.now();
  const [
    sized,
    silence,
    jobRows,
    alerts,
    owed,
    endpoints,
    captions,
    analyses,
    outgoing,
    connection,
    runs,
    boxes,
    files,
    objects,
    moved,
  ] = await ctx.db.batch([
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
    selectMailboxVitals(ctx),
    selectFileVitals(ctx),
    selectStoredObjects(ctx),
    selectTransferFiles(ctx),
  ] as const);
  const latencyMs = Date.now() - startedAt;
  const parts = {
    storage: readStorage(sized.meta.size_after),
    webhooks: readWebhookVitals(ctx, owed[0], endpoints),
    captions: readCaptionVitals(ctx, captions[0]),
    analyses: readAnalysisVitals(ctx, analyses[0]),
    outgoingEmails: readOutgoingVitals(ctx, outgoing[0]),
    sync: readSyncVitals(ctx, connection[0], runs[0]),
    mailboxes: readMailboxVitals(ctx, boxes),
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
    stored: sumOf(objects[0], moved[0]),
    ...parts,
  };
}

function readStorage(sizeBytes: number) {
  const share = sizeBytes / LIMIT_BYTES;
  const size = `The database has ${(sizeBytes / GIB).toFixed(1)} GB, ${Math.round(share * 100)} % of the 10 GB that D1 allows.`;
  const problem = (code: ProblemCode, effect: string) => ({
    code,
    subject: null,
    detail: `${size} ${effect}`,
    since: null,
  });
  return reading({ sizeBytes, limitBytes: LIMIT_BYTES, usedShare: Math.round(share * 1000) / 1000 }, [
    ...(share >= WARN_SHARE ? [problem("database_large", "When it is full, every write fails.")] : []),
    ...(share >= FULL_SHARE
      ? [problem("database_full", "Writes fail, or will soon; reading and deleting work. Delete emails now.")]
      : []),
  ]);
}

/** Everything that is stored in R2, from numbers that are kept. */
function sumOf(
  emails: { objects: number; objectBytes: number; uploads: number; uploadBytes: number } | undefined,
  moved: { objects: number; bytes: number } | undefined,
) {
  const { objects = 0, objectBytes = 0, uploads = 0, uploadBytes = 0 } = emails ?? {};
  return {
    objects: objects + uploads + (moved?.objects ?? 0),
    sizeBytes: objectBytes + uploadBytes + (moved?.bytes ?? 0),
  };
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
