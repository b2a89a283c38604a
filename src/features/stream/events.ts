import { asc, desc, gt, lt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { listPage, type Page } from "../../db/page.ts";
import { purge } from "../../db/purge.ts";
import { streamEvents } from "../../db/schema/stream.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { type Follower, follow, type LiveEvent, type Pace, RETRY_MS } from "../live/follow.ts";
import { toStreamEvent } from "./record.ts";
import type { EventQuery, StreamEvent } from "./schemas.ts";

const EVENT_KEPT_DAYS = 30;
const LOOK_ROWS = 100;

export function listStreamEvents(ctx: Context, query: EventQuery): Promise<Page<StreamEvent>> {
  const where = query.cursor === undefined ? gt(streamEvents.id, query.after ?? 0) : undefined;
  return listPage(ctx, query, { list: "stream events", table: streamEvents, by: ["id"], where }, toStreamEvent);
}

/**
 * Events from now on, or after an id, woken like every live client. Ids follow the order of commits, so that no event
 * appears before an id that was already sent. The first event carries the current id, so that a client can resume even
 * if nothing has happened yet.
 */
export function followStreamEvents(
  ctx: Context,
  after: number | undefined,
  follower: Follower,
  pace?: Pace,
): AsyncGenerator<LiveEvent> {
  let last = after;
  let isReady = false;
  const look = async (db: Database) => {
    const found = last === undefined ? [] : await eventsAfter(db, last);
    last = found.at(-1)?.id ?? last ?? (await lastEventId(db));
    const events = found.map((event): LiveEvent => ({ event: event.type, data: event, id: String(event.id) }));
    if (!isReady) events.unshift(ready(after ?? last));
    isReady = true;
    return { events, hasMore: found.length === LOOK_ROWS };
  };
  return follow(ctx, { look }, follower, pace);
}

function ready(after: number): LiveEvent {
  return { event: "ready", data: { after }, id: String(after), retry: RETRY_MS };
}

async function eventsAfter(db: Database, id: number): Promise<StreamEvent[]> {
  const rows = await db
    .select()
    .from(streamEvents)
    .where(gt(streamEvents.id, id))
    .orderBy(asc(streamEvents.id))
    .limit(LOOK_ROWS);
  return rows.map(toStreamEvent);
}

async function lastEventId(db: Database): Promise<number> {
  const [row] = await db.select({ id: streamEvents.id }).from(streamEvents).orderBy(desc(streamEvents.id)).limit(1);
  return row?.id ?? 0;
}

/** For the cron. */
export function purgeStreamEvents(ctx: Context): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - EVENT_KEPT_DAYS * DAY_MS);
  return purge(ctx.db, streamEvents, lt(streamEvents.at, oldest), ctx.signal);
}
