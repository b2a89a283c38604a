import { asc, desc, gt, lt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { keyset, type Page } from "../../db/page.ts";
import { purge } from "../../db/purge.ts";
import { streamEvents } from "../../db/schema/stream.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { toStreamEvent } from "./record.ts";
import type { EventQuery, StreamEvent } from "./schemas.ts";

const EVENT_KEPT_DAYS = 30;
const BATCH_SIZE = 100;

/** How often a feed polls, and when it ends: the client then reconnects with the last id. */
export interface FeedTiming {
  firstWaitMs: number;
  /** While there are no events, each wait is longer than the last one, up to this. */
  longestWaitMs: number;
  lifeMs: number;
  /** The number of database calls per request is limited. */
  maxPolls: number;
}

const TIMING: FeedTiming = { firstWaitMs: 2000, longestWaitMs: 8000, lifeMs: 5 * MINUTE_MS, maxPolls: 45 };
const WAIT_GROWTH = 1.5;

export async function listStreamEvents(ctx: Context, query: EventQuery): Promise<Page<StreamEvent>> {
  const pages = keyset(ctx, "stream events", [streamEvents.id], "asc");
  const rows = await ctx.db
    .select()
    .from(streamEvents)
    .where(pages.after(query.cursor) ?? gt(streamEvents.id, query.after ?? 0))
    .orderBy(asc(streamEvents.id))
    .limit(query.limit + 1);
  return pages.page(rows, query, (row) => [row.id], toStreamEvent);
}

interface FeedEvent {
  event: string;
  data: unknown;
  id: string;
}

/**
 * Events from now on, or after an id. Ids follow the order of commits, so that no event appears before an id that was
 * already sent. The first event carries the current id, so that a client can resume even if nothing has happened yet.
 */
export async function* followStreamEvents(
  ctx: Context,
  after: number | undefined,
  signal: AbortSignal,
  timing: FeedTiming = TIMING,
): AsyncGenerator<FeedEvent> {
  const started = Date.now();
  let last = after ?? (await lastEventId(ctx));
  yield { event: "ready", data: { after: last }, id: String(last) };
  let waitMs = timing.firstWaitMs;
  for (let poll = 1; poll <= timing.maxPolls && !signal.aborted; poll++) {
    const events = await eventsAfter(ctx, last);
    for (const event of events) {
      last = event.id;
      yield { event: event.type, data: event, id: String(event.id) };
    }
    if (events.length === BATCH_SIZE) continue;
    waitMs = events.length > 0 ? timing.firstWaitMs : Math.min(waitMs * WAIT_GROWTH, timing.longestWaitMs);
    if (Date.now() + waitMs - started > timing.lifeMs) break;
    await pause(waitMs, signal);
  }
}

async function eventsAfter(ctx: Context, id: number): Promise<StreamEvent[]> {
  const rows = await ctx.db
    .select()
    .from(streamEvents)
    .where(gt(streamEvents.id, id))
    .orderBy(asc(streamEvents.id))
    .limit(BATCH_SIZE);
  return rows.map(toStreamEvent);
}

async function lastEventId(ctx: Context): Promise<number> {
  const [row] = await ctx.db.select({ id: streamEvents.id }).from(streamEvents).orderBy(desc(streamEvents.id)).limit(1);
  return row?.id ?? 0;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}

/** For the cron. */
export function purgeStreamEvents(ctx: Context): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - EVENT_KEPT_DAYS * DAY_MS);
  return purge(ctx.db, streamEvents, lt(streamEvents.at, oldest), ctx.signal);
}
