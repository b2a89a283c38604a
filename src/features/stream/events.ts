import { asc, desc, gt, lt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { keyset, type Page } from "../../db/page.ts";
import { purge } from "../../db/purge.ts";
import { streamEvents } from "../../db/schema/stream.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { toStreamEvent } from "./record.ts";
import type { EventQuery, StreamEvent } from "./schemas.ts";

const EVENT_KEPT_DAYS = 30;
const BATCH = 100;

/** How often a feed looks for news, and when it ends: the client then comes back where it left off. */
export interface FeedPace {
  firstWaitMs: number;
  /** While nothing happens each wait is longer than the last, up to this. */
  longestWaitMs: number;
  lifeMs: number;
  /** A request may ask the database only so often. */
  looks: number;
}

const PACE: FeedPace = { firstWaitMs: 2000, longestWaitMs: 8000, lifeMs: 5 * MINUTE_MS, looks: 45 };
const WAIT_GROWTH = 1.5;

/** The log, oldest first. */
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
 * What happens from now on, or since an event. Ids are given in the order in which changes are committed, so that
 * whoever has seen one has seen all before it. The first event tells where the feed stands, so that a client cut off
 * before anything happened can resume, too.
 */
export async function* followStreamEvents(
  ctx: Context,
  after: number | undefined,
  signal: AbortSignal,
  pace: FeedPace = PACE,
): AsyncGenerator<FeedEvent> {
  const started = Date.now();
  let last = after ?? (await lastEventId(ctx));
  yield { event: "ready", data: { after: last }, id: String(last) };
  let waitMs = pace.firstWaitMs;
  for (let look = 1; look <= pace.looks && !signal.aborted; look++) {
    const news = await eventsAfter(ctx, last);
    for (const event of news) {
      last = event.id;
      yield { event: event.type, data: event, id: String(event.id) };
    }
    if (news.length === BATCH) continue;
    waitMs = news.length > 0 ? pace.firstWaitMs : Math.min(waitMs * WAIT_GROWTH, pace.longestWaitMs);
    if (Date.now() + waitMs - started > pace.lifeMs) break;
    await pause(waitMs, signal);
  }
}

async function eventsAfter(ctx: Context, id: number): Promise<StreamEvent[]> {
  const rows = await ctx.db
    .select()
    .from(streamEvents)
    .where(gt(streamEvents.id, id))
    .orderBy(asc(streamEvents.id))
    .limit(BATCH);
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
  return purge(ctx.db, streamEvents, lt(streamEvents.at, new Date(ctx.now.getTime() - EVENT_KEPT_DAYS * DAY_MS)));
}
