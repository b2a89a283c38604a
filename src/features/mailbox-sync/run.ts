import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { selectRows } from "../../db/bulk.ts";
import { mailboxDirty, mailboxes, mailboxFolders, mailboxRuns, mailboxSent } from "../../db/schema/mailboxes.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import type { MailboxProblem } from "../../lib/mailbox-kinds.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import type { ImapSession } from "../../providers/mailbox/types.ts";
import type { MailboxRunRow } from "../mailboxes/runs.ts";

export type MailboxRow = typeof mailboxes.$inferSelect;
export type FolderRow = typeof mailboxFolders.$inferSelect;
type Figure = "fetched" | "created" | "known" | "flagsIn" | "flagsOut" | "movesIn" | "movesOut" | "appended";

/** What both sides last agreed on of a message. */
export interface Agreed {
  folderId: number;
  uid: number;
  emailId: number | null;
  seen: boolean;
  flagged: boolean;
}

/** What is known of a mailbox before its server is asked. One round trip. */
interface State {
  mailbox: MailboxRow;
  /** Those that have a role. */
  folders: FolderRow[];
  /** Whether changes made here wait. */
  isDirty: boolean;
  /** Whether sent emails wait for their copy in the folder of sent emails. */
  hasSent: boolean;
}

export async function readState(ctx: Context, id: number): Promise<State> {
  const ofMailbox = sql`mailbox_id = ${id}`;
  const [[mailbox], folders, dirty, sent] = await ctx.db.batch([
    ctx.db.select().from(mailboxes).where(eq(mailboxes.id, id)),
    selectFolders(ctx, id),
    ctx.db.select({ id: mailboxDirty.emailId }).from(mailboxDirty).where(ofMailbox).limit(1),
    ctx.db.select({ id: mailboxSent.emailId }).from(mailboxSent).where(ofMailbox).limit(1),
  ]);
  if (!mailbox) throw new AppError("not_found", `There is no mailbox ${id}.`);
  return { mailbox, folders, isDirty: dirty.length > 0, hasSent: sent.length > 0 };
}

const selectFolders = ({ db }: Context, id: number) =>
  db.select().from(mailboxFolders).where(sql`mailbox_id = ${id} AND role IS NOT NULL`);

/** The folders that have a role. */
export async function readFolders(ctx: Context, id: number): Promise<FolderRow[]> {
  return await selectFolders(ctx, id);
}

/** Longer than a run takes; one that was killed is over then. */
const LEASE_MS = 3 * MINUTE_MS;
/** One run stays far below the limits of an invocation, and leaves the mailbox to others. */
const BUDGET = { messages: 100, bytes: 8 * 1024 * 1024, ms: 20_000 };
const BACKOFF_MS = [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
const MAX_ERRORS = 50;
/** While nothing happens in a mailbox, that it was read is stored this often. */
const TOUCHED_MS = 15 * MINUTE_MS;

export interface RunOptions {
  trigger: MailboxRunRow["trigger"];
  full: boolean;
}

/** So much is missing at once that a person has to say whether it is to be taken for true. */
export class TooMuchMissing extends AppError {
  constructor(missing: number, of: number) {
    const what = `${missing} of ${of} messages are missing in the mailbox all at once.`;
    super("conflict", `${what} Nothing was changed here. If that is right, start a full sync.`);
  }
}

/**
 * One run over a mailbox. It takes the lease with its first write: a run that finds nothing to do writes no row. Everything
 * it does is repeated by the next run if it ends in between.
 */
export class Run {
  readonly ctx: Context;
  readonly state: State;
  readonly options: RunOptions;
  readonly startedAt: Date;
  readonly figures: Record<Figure | "conflicts" | "skipped" | "waiting", number> = {
    ...{ fetched: 0, created: 0, known: 0, flagsIn: 0, flagsOut: 0, movesIn: 0, movesOut: 0, appended: 0 },
    ...{ conflicts: 0, skipped: 0, waiting: 0 },
  };
  readonly errors: string[] = [];
  readonly #id = randomToken();
  #isClaimed = false;
  #left = { ...BUDGET };
  #lastNow = 0;

  constructor(ctx: Context, state: State, options: RunOptions) {
    this.ctx = ctx;
    this.state = state;
    this.options = options;
    this.startedAt = ctx.now;
  }

  get mailboxId(): number {
    return this.state.mailbox.id;
  }

  get isClaimed(): boolean {
    return this.#isClaimed;
  }

  /** When the mailbox was connected: what arrived before is history. */
  get since(): Date {
    return this.state.mailbox.connectedAt ?? this.startedAt;
  }

  /** The context of one message: each is stored at a time of its own. */
  fresh(): Context {
    this.#lastNow = Math.max(Date.now(), this.#lastNow + 1);
    return { ...this.ctx, now: new Date(this.#lastNow) };
  }

  /** Whether another message of this size may be read. The first one always may. */
  take(bytes: number): boolean {
    const isFirst = this.#left.messages === BUDGET.messages;
    if (!isFirst && (this.#left.messages === 0 || bytes > this.#left.bytes)) return false;
    if (this.isOver) return false;
    this.#left.messages -= 1;
    this.#left.bytes -= bytes;
    return true;
  }

  /** Whether the time of the run is over. */
  get isOver(): boolean {
    return this.ctx.signal?.aborted === true || Date.now() - this.startedAt.getTime() > BUDGET.ms;
  }

  problem(text: string): void {
    this.figures.skipped += 1;
    if (this.errors.length < MAX_ERRORS) this.errors.push(text);
  }

  /** Call it before the first write. Throws `sync_in_progress` if another run has the mailbox, or had it meanwhile. */
  async claim(): Promise<void> {
    if (this.#isClaimed) return;
    const { mailbox } = this.state;
    const { db } = this.ctx;
    const now = new Date();
    const isFree = or(isNull(mailboxes.leaseUntil), lte(mailboxes.leaseUntil, now));
    const isSame = sql`lease_run_id IS ${mailbox.leaseRunId}`;
    const isOurs = and(eq(mailboxes.id, mailbox.id), eq(mailboxes.leaseRunId, this.#id));
    const row: MailboxRunRow = {
      ...{ id: this.#id, mailboxId: mailbox.id, ...this.options, status: "running" },
      ...{ ...this.figures, errors: [], startedAt: this.startedAt, finishedAt: null },
    };
    const [claimed] = await db.batch([
      db
        .update(mailboxes)
        .set({ leaseRunId: this.#id, leaseUntil: new Date(now.getTime() + LEASE_MS) })
        .where(and(eq(mailboxes.id, mailbox.id), isFree, isSame))
        .returning({ id: mailboxes.id }),
      db
        .update(mailboxRuns)
        .set({ status: "failed", finishedAt: now, errors: ["The run was interrupted; the next one continues."] })
        .where(
          and(
            eq(mailboxRuns.mailboxId, mailbox.id),
            eq(mailboxRuns.status, "running"),
            sql`EXISTS (SELECT 1 FROM mailboxes WHERE ${isOurs})`,
          ),
        ),
      db
        .insert(mailboxRuns)
        .select(sql`${selectRows(mailboxRuns, [row])} AND EXISTS (SELECT 1 FROM mailboxes WHERE ${isOurs})`),
    ]);
    if (claimed.length === 0) throw inProgress();
    this.#isClaimed = true;
  }

  /** Ends a run that did what it could. Without a claim there was nothing to do: then nothing is stored, or rarely. */
  async succeed(): Promise<MailboxRunRow | null> {
    const { mailbox } = this.state;
    const { lastOkAt, status, failures, connectedAt } = mailbox;
    const isQuiet = status === "connected" && failures === 0 && connectedAt !== null && lastOkAt !== null;
    const isRecent = lastOkAt !== null && this.startedAt.getTime() - lastOkAt.getTime() < TOUCHED_MS;
    if (!this.#isClaimed && isQuiet && isRecent) return null;
    if (!this.#isClaimed && !isQuiet) await this.claim();
    const isPartial = this.figures.waiting > 0 || this.errors.length > 0;
    return this.#finish(isPartial ? "partial" : "succeeded", {
      ...{ status: "connected", problem: null, failures: 0, outageToldAt: null },
      ...{ lastOkAt: new Date(), nextTryAt: mailbox.paused ? null : new Date() },
      connectedAt: connectedAt ?? this.startedAt,
    });
  }

  /** Ends a run that failed. What it has stored stays; one that got further is no outage. */
  async fail(problem: MailboxProblem, status: MailboxRow["status"]): Promise<MailboxRunRow | null> {
    await this.claim();
    const { mailbox } = this.state;
    this.errors.push(problem.detail);
    if (status === "failing" && this.#hasMoved()) {
      return this.#finish("partial", { nextTryAt: mailbox.paused ? null : new Date() });
    }
    const wait = BACKOFF_MS[Math.min(mailbox.failures, BACKOFF_MS.length - 1)] ?? 0;
    const isWaiting = status === "failing" && !mailbox.paused;
    return this.#finish("failed", {
      ...{ status, problem, failures: mailbox.failures + 1 },
      nextTryAt: isWaiting ? new Date(Date.now() + wait) : null,
    });
  }

  /** Gives the mailbox back after an error that says nothing about it. */
  async release(detail: string): Promise<void> {
    if (!this.#isClaimed) return;
    this.errors.push(detail);
    await this.#finish("failed", {});
  }

  #hasMoved(): boolean {
    const { created, known, flagsIn, flagsOut, movesIn, movesOut, appended } = this.figures;
    return created + known + flagsIn + flagsOut + movesIn + movesOut + appended > 0;
  }

  async #finish(status: MailboxRunRow["status"], set: Partial<MailboxRow>): Promise<MailboxRunRow | null> {
    const { db } = this.ctx;
    const { mailbox } = this.state;
    const isHeld = this.#isClaimed ? eq(mailboxes.leaseRunId, this.#id) : sql`lease_run_id IS ${mailbox.leaseRunId}`;
    const isThis = and(eq(mailboxes.id, mailbox.id), isHeld);
    // A run that began before the password, or the pause, was changed says nothing about how it is now.
    const isCurrent = and(isThis, eq(mailboxes.connectionChangedAt, mailbox.connectionChangedAt));
    const { nextTryAt, ...rest } = set;
    const next = nextTryAt === undefined ? {} : { nextTryAt: sql`iif(paused, NULL, ${nextTryAt?.getTime() ?? null})` };
    const [, , [run]] = await db.batch([
      db
        .update(mailboxes)
        .set({ ...rest, ...next, leaseUntil: null })
        .where(isCurrent),
      db.update(mailboxes).set({ leaseUntil: null }).where(and(isThis, sql`lease_until IS NOT NULL`)),
      db
        .update(mailboxRuns)
        .set({ ...this.figures, status, errors: this.errors, finishedAt: new Date() })
        .where(and(eq(mailboxRuns.id, this.#id), eq(mailboxRuns.status, "running")))
        .returning(),
    ]);
    return run ?? null;
  }
}

export function inProgress(): AppError {
  return new AppError("sync_in_progress", "This mailbox is being read right now. Try again when that has finished.");
}

/** A run with its connection. */
export interface Work {
  run: Run;
  session: ImapSession;
  /** At Gmail a label is a folder: only the inbox and the sent emails are read, and everything is in the archive. */
  isGmail: boolean;
  /** All messages that are known, once that was asked. */
  known?: Agreed[];
}
