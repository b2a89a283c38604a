import { asc, desc, getTableColumns, gte, sql } from "drizzle-orm";
import type { Actor, Context } from "../../context.ts";
import { type Database, openDatabase } from "../../db/client.ts";
import { changes } from "../../db/schema/live.ts";
import { allows } from "../../lib/api-key-scopes.ts";
import { LIVE_KINDS, type LiveType } from "../../lib/live-kinds.ts";
import { type Feed, type Follower, follow, type LiveEvent, type Pace, RETRY_MS } from "./follow.ts";

/** How many changes one look reads. */
const LOOK_ROWS = 200;
/** A client that has missed more reads everything again. */
const KEPT_ROWS = 5000;
const PURGED_AT_ONCE = 10_000;

type Change = Omit<typeof changes.$inferSelect, "at">;
type NamedChange = Change & { type: LiveType };

/** The id of the last change that a client has; `unknown` if it is none of ours, undefined if it has none. */
type Position = number | "unknown" | undefined;

/** The changes after a position, for clients that poll. Without one, only where the log stands. */
export async function listChanges(ctx: Context, position: Position) {
  const log = new ChangeLog(position);
  const { rows, hasMore } = await log.read(openDatabase(ctx));
  const seen = rows.filter((row) => maySee(ctx.actor, row));
  const lastReset = seen.findLastIndex(isReset);
  return {
    data: seen
      .slice(lastReset + 1)
      .filter(isNamed)
      .map(toChange),
    lastEventId: log.last,
    reset: lastReset >= 0,
    hasMore,
  };
}

/** Hints of the changes after a position, or from now on. */
export function followChanges(
  ctx: Context,
  position: Position,
  follower: Follower,
  pace?: Pace,
): AsyncGenerator<LiveEvent> {
  const log = new ChangeLog(position);
  let isReady = false;
  const feed: Feed = {
    async look(db) {
      const { rows, hasMore } = await log.read(db);
      const events = rows.filter((row) => maySee(ctx.actor, row)).map(toEvent);
      if (!isReady) events.unshift(readyEvent(typeof position === "number" ? position : log.last, log.endedAt));
      isReady = true;
      return { events, hasMore };
    },
    // Also tells the client how far it is if the last changes were not for it.
    end: () => positionEvent("end", log.last),
  };
  return follow(ctx, feed, follower, pace);
}

/** A client that read something before it connected learns whether that may be old. */
function readyEvent(lastEventId: number, endedAt: number | undefined): LiveEvent {
  const { data, ...event } = positionEvent("ready", lastEventId);
  const quiet = endedAt !== undefined && { quietMs: Math.max(0, Date.now() - endedAt) };
  return { ...event, data: { ...data, ...quiet }, retry: RETRY_MS };
}

function positionEvent(event: string, lastEventId: number) {
  return { event, data: { lastEventId }, id: String(lastEventId) };
}

function toEvent(change: Change): LiveEvent {
  if (!isNamed(change)) return positionEvent("reset", change.id);
  return { event: "change", data: toChange(change), id: String(change.id) };
}

function toChange({ id, type, recordId, version }: NamedChange) {
  return { id, type, recordId: kindOf(type)?.isNumbered ? Number(recordId) : (recordId ?? ""), version };
}

function isReset({ type }: Change): boolean {
  return type === "reset";
}

function isNamed(change: Change): change is NamedChange {
  return !isReset(change);
}

function kindOf(type: string) {
  return LIVE_KINDS[type.split(".")[0] ?? ""];
}

/** Whether this caller may read the record that changed. */
function maySee(actor: Actor, change: Change): boolean {
  if (isReset(change)) return true;
  const kind = kindOf(change.type);
  if (!kind || (change.audience !== null && !change.audience.split(" ").includes(nameOf(actor)))) return false;
  if (kind.scope === null) return actor.kind === "session";
  return actor.kind !== "api_key" || allows(actor.key.scopes, kind.scope);
}

/** As in `changes.audience`. */
function nameOf(actor: Actor): string {
  if (actor.kind === "session") return `user:${actor.user.id}`;
  return actor.kind === "api_key" ? `key:${actor.key.id}` : "anonymous";
}

/** A reader's place in the log. */
class ChangeLog {
  #position: Position;
  /** When its last change was made, if the reader went there at once. */
  endedAt: number | undefined;

  constructor(position: Position) {
    this.#position = position;
  }

  /** The last id that was read. */
  get last(): number {
    return typeof this.#position === "number" ? this.#position : 0;
  }

  /**
   * The next changes. Ids are consecutive and the newest row is never deleted: if the row of the position or the one
   * after it is not there, changes were purged, or the database was restored to an earlier time.
   */
  async read(db: Database): Promise<{ rows: Change[]; hasMore: boolean }> {
    if (this.#position === undefined) {
      await this.#goToEnd(db);
      return { rows: [], hasMore: false };
    }
    if (this.#position === "unknown") return this.#startAgain(db);
    const { last } = this;
    const found = await db
      .select(columns)
      .from(changes)
      .where(gte(changes.id, last))
      .orderBy(asc(changes.id))
      .limit(LOOK_ROWS + 2);
    const [first] = found;
    if (first ? first.id > last + 1 : last > 0) return this.#startAgain(db);
    const rows = found.filter(({ id }) => id > last);
    const page = rows.slice(0, LOOK_ROWS);
    this.#position = page.at(-1)?.id ?? last;
    return { rows: page, hasMore: rows.length > LOOK_ROWS };
  }

  async #goToEnd(db: Database): Promise<void> {
    const { id, at } = changes;
    const [newest] = await db.select({ id, at }).from(changes).orderBy(desc(id)).limit(1);
    this.#position = newest?.id ?? 0;
    this.endedAt = newest?.at;
  }

  async #startAgain(db: Database) {
    await this.#goToEnd(db);
    const reset: Change = { id: this.last, type: "reset", recordId: null, version: null, audience: null };
    return { rows: [reset], hasMore: false };
  }
}

const { at: _, ...columns } = getTableColumns(changes);

/** For the cron. The oldest go first, and the newest always stays: its id is the last one that was given. */
export async function purgeChanges({ db }: Context): Promise<number> {
  const { meta } = await db.delete(changes).where(
    sql`id IN (SELECT id FROM changes WHERE id <= (SELECT max(id) FROM changes) - ${KEPT_ROWS}
      ORDER BY id LIMIT ${PURGED_AT_ONCE})`,
  );
  return meta.changes;
}
