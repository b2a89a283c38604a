import { and, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { listPage, type PageRequest } from "../../db/page.ts";
import { purge } from "../../db/purge.ts";
import { mailboxes, mailboxRuns } from "../../db/schema/mailboxes.ts";
import { AppError } from "../../lib/errors.ts";
import type { FolderRole } from "../../lib/mailbox-kinds.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { log } from "../../log.ts";
import { openImap } from "../../providers/mailbox/client.ts";
import { MailboxError } from "../../providers/mailbox/types.ts";
import { storeFolders } from "../mailboxes/folders.ts";
import { type MailboxRunRow, toRun } from "../mailboxes/runs.ts";
import { authOf } from "../mailboxes/secrets.ts";
import { notify } from "../notifications/service.ts";
import { listOwners } from "../people/owners.ts";
import { writeChanges } from "./changes-out.ts";
import { closeFolder, type Look, readFolder, settleGone } from "./folder.ts";
import {
  inProgress,
  type MailboxRow,
  Run,
  type RunOptions,
  readFolders,
  readState,
  TooMuchMissing,
  type Work,
} from "./run.ts";
import { fileSent } from "./sent.ts";
import { walkFolder } from "./walk.ts";

/** Reads a mailbox now. Throws `sync_in_progress` while another run has it, and why it could not be read. */
export async function syncMailbox(ctx: Context, id: number, { full = false }: { full?: boolean } = {}) {
  const { run, failure } = await runOnce(asService(ctx), id, { trigger: "manual", full });
  if (failure) throw failure;
  if (!run) throw new Error("a run by hand is stored");
  return toRun(run);
}

/** What a run does, a person has not written: nobody's scopes and words are in it. */
function asService(ctx: Context): Context {
  return { ...ctx, db: ctx.bookkeeping, actor: { kind: "system" } };
}

/** Failures before the owner is told: servers have short outages. */
const FAILURES_TOLD = 2;

interface Ran {
  run: MailboxRunRow | null;
  failure: AppError | null;
}

async function runOnce(ctx: Context, id: number, options: RunOptions): Promise<Ran> {
  const state = await readState(ctx, id);
  const { mailbox } = state;
  if (mailbox.status === "auth_failed") throw authFailed(mailbox.problem?.detail);
  if (mailbox.leaseUntil && mailbox.leaseUntil > new Date()) throw inProgress();
  const run = new Run(ctx, state, options);
  try {
    if (options.trigger === "manual") await run.claim();
    const session = await openImap(mailbox.imap, await authOf(ctx, mailbox), {
      allowPrivateHosts: ctx.config.ALLOW_PRIVATE_HOSTS,
    });
    try {
      await pass({ run, session, isGmail: session.capabilities.has("X-GM-EXT-1") });
    } finally {
      await session.logout();
    }
    return { run: await run.succeed(), failure: null };
  } catch (error) {
    const failed = failureOf(error);
    if (!failed) {
      await run.release("The run ended with an error; the next one continues.");
      throw error;
    }
    const ended = await run.fail(failed.problem, failed.status);
    const isOutage = ended?.status === "failed";
    if (isOutage && (failed.status !== "failing" || mailbox.failures + 1 >= FAILURES_TOLD)) {
      await tellOwner(ctx, mailbox, failed.problem.detail);
    }
    return { run: ended, failure: ended?.status === "partial" ? null : failed.error };
  }
}

function authFailed(detail = "The mail server refused the password."): AppError {
  return new AppError("mailbox_auth_failed", detail);
}

interface Failure {
  problem: { code: string; detail: string };
  status: MailboxRow["status"];
  error: AppError;
}

/** What is wrong with the mailbox or its server; null for an error of this service. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof TooMuchMissing) {
    return { problem: { code: "mailbox_stopped", detail: error.message }, status: "stopped", error };
  }
  if (!(error instanceof MailboxError)) return null;
  const detail = `${WORDS[error.code] ?? "The mail server could not be used."} ${error.reason}`.trim();
  const isRefused = error.code === "mailbox_auth_failed";
  return {
    problem: { code: error.code, detail },
    status: isRefused ? "auth_failed" : "failing",
    error: isRefused ? authFailed(detail) : new AppError("provider_error", detail),
  };
}

const WORDS: Record<string, string> = {
  mailbox_auth_failed: "The mail server refused the user name or the password.",
  mailbox_unreachable: "The mail server could not be reached.",
  mailbox_tls_failed: "The mail server's certificate is not accepted.",
  mailbox_busy: "The mail server asks to wait.",
  mailbox_broken: "The connection to the mail server broke.",
};

/** In this order, so that new mail never waits for history. */
const READ: readonly FolderRole[] = ["inbox", "archive", "sent", "trash"];
const READ_AT_GMAIL: readonly FolderRole[] = ["inbox", "sent"];

async function pass(work: Work): Promise<void> {
  const { run } = work;
  const { state } = run;
  if (run.options.full || !state.folders.some(({ role }) => role === "inbox")) await refreshFolders(work);
  const roles = work.isGmail ? READ_AT_GMAIL : READ;
  const folders = roles.flatMap((role) => state.folders.find((folder) => folder.role === role) ?? []);
  const looks: Look[] = [];
  for (const folder of folders) {
    if (run.isOver) break;
    looks.push(await readFolder(work, folder, looks));
  }
  await settleGone(work, looks);
  for (const look of looks) await closeFolder(work, look);
  run.figures.waiting += looks.reduce((sum, { waiting }) => sum + waiting, 0);
  // What was found there may have marked more.
  if (state.isDirty || run.isClaimed) run.figures.waiting += await writeChanges(work);
  if (state.hasSent) await fileSent(work);
  for (const folder of folders) {
    if (folder.walkSince !== null) run.figures.waiting += await walkFolder(work, folder);
  }
}

async function refreshFolders({ run, session }: Pick<Work, "run" | "session">): Promise<void> {
  await run.claim();
  const { ctx, mailboxId, state } = run;
  await ctx.db.batch(storeFolders(ctx, mailboxId, await session.folders()));
  state.folders = await readFolders(ctx, mailboxId);
}

/** Once until a run has succeeded again. */
async function tellOwner(ctx: Context, { id, label }: MailboxRow, detail: string): Promise<void> {
  const claimed = await ctx.db
    .update(mailboxes)
    .set({ outageToldAt: new Date() })
    .where(and(eq(mailboxes.id, id), isNull(mailboxes.outageToldAt)))
    .returning({ id: mailboxes.id });
  if (claimed.length === 0) return;
  notify(ctx, await listOwners(ctx), {
    kind: "sync_failure",
    write: () => ({
      subject: `The mailbox ${label} cannot be read`,
      blocks: [
        `New emails of the mailbox ${label} do not arrive here right now. Nothing is lost: they stay in the mailbox.`,
        detail,
        "You will not get another email about it until the mailbox has worked again.",
      ],
    }),
  });
}

const MAILBOXES_A_RUN = 50;

/** For the cron: every mailbox that is due is read, each in an invocation of its own where there is a queue. */
export async function syncDueMailboxes(ctx: Context): Promise<{ due: number; read: number }> {
  const due = await ctx.db
    .select({ id: mailboxes.id })
    .from(mailboxes)
    .where(
      and(
        sql`next_try_at IS NOT NULL`,
        lte(mailboxes.nextTryAt, ctx.now),
        or(isNull(mailboxes.leaseUntil), lte(mailboxes.leaseUntil, ctx.now)),
      ),
    )
    .orderBy(mailboxes.nextTryAt)
    .limit(MAILBOXES_A_RUN);
  if (due.length === 0) return { due: 0, read: 0 };
  const isQueued = await ctx.enqueue(due.map(({ id }) => ({ kind: "mailbox.sync" as const, id })));
  if (!isQueued) {
    for (const { id } of due) {
      if (ctx.signal?.aborted) break;
      await syncOwed(ctx, { id });
    }
  }
  return { due: due.length, read: isQueued ? 0 : due.length };
}

/** For the queue. A message that comes twice finds the mailbox read, or being read. */
export async function syncOwed(ctx: Context, { id }: { id: number }): Promise<void> {
  try {
    const { run, failure } = await runOnce(ctx, id, { trigger: "cron", full: false });
    const isMoving = run?.status === "partial" && run.waiting > 0 && failure === null && run.created + run.known > 0;
    if (isMoving) ctx.enqueue([{ kind: "mailbox.sync", id }], { lane: "retries" });
    if (run) {
      const { fetched, created, waiting, status } = run;
      log("info", "mailbox_synced", { mailboxId: id, status, fetched, created, waiting, requestId: ctx.requestId });
    }
  } catch (error) {
    // Removed or taken by another run meanwhile. What is wrong with the mailbox is stored with it.
    if (!(error instanceof AppError)) throw error;
  }
}

/** Newest first. */
export async function listMailboxRuns(ctx: Context, id: number, request: PageRequest) {
  const where = eq(mailboxRuns.mailboxId, id);
  const paged = {
    list: `mailbox-runs-${id}`,
    table: mailboxRuns,
    by: ["startedAt", "id"],
    order: "desc",
    where,
  } as const;
  const [page, [mailbox]] = await Promise.all([
    listPage(ctx, request, paged, toRun),
    ctx.db.select({ id: mailboxes.id }).from(mailboxes).where(eq(mailboxes.id, id)),
  ]);
  if (!mailbox) throw new AppError("not_found", `There is no mailbox ${id}.`);
  return page;
}

const RUNS_KEPT_MS = 30 * DAY_MS;

/** Runs nightly. */
export function purgeMailboxRuns(ctx: Context): Promise<number> {
  return purge(ctx.db, mailboxRuns, lt(mailboxRuns.startedAt, new Date(ctx.now.getTime() - RUNS_KEPT_MS)), ctx.signal);
}
