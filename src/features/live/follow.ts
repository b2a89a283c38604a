import type { Actor, Context, Credential } from "../../context.ts";
import { type Database, openDatabase } from "../../db/client.ts";
import { type Rider, withRiders } from "../../db/riders.ts";
import { AppError } from "../../lib/errors.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { CLOCK, type Clock } from "./clock.ts";
import { Wakeups } from "./wakeups.ts";

/** An event of a feed. */
export interface LiveEvent {
  event: string;
  data: unknown;
  id?: string;
  /** After how many milliseconds a client that was cut off connects again. */
  retry?: number;
}

/** What a feed reads. */
export interface Feed {
  /** The events since the last look. `hasMore`: there are so many that another look has to follow. */
  look(db: Database): Promise<{ events: LiveEvent[]; hasMore: boolean }>;
  /** The last event before the connection is closed because its time is over. */
  end?(): LiveEvent;
}

export interface Follower {
  /** Checked again at every look. Without one, the caller is anonymous. */
  credential: Credential | undefined;
  /** Aborts when the client has left. */
  signal: AbortSignal;
}

export interface Pace {
  /** How long it waits for a hint before it looks without one. */
  lookMs: number;
  /** Not more often than this, however many hints come. */
  gapMs: number;
  /** Then the client has to connect again, and to show its credential: as long as an access token. */
  lifeMs: number;
  /** D1 allows a thousand queries in an invocation. */
  maxLooks: number;
  clock: Clock;
}

export const PACE: Pace = { lookMs: 30_000, gapMs: 100, lifeMs: 15 * MINUTE_MS, maxLooks: 900, clock: CLOCK };
export const RETRY_MS = 2000;
/** Clocks of two machines differ. */
const SLACK_MS = MINUTE_MS;

/**
 * Looks for something new when the hub says that there may be, and every half minute in case a hint was lost, until the
 * client leaves or its time is over. While the client does not read, nothing is looked for and nothing piles up.
 */
export async function* follow(
  ctx: Context,
  feed: Feed,
  { credential, signal }: Follower,
  { lookMs, gapMs, lifeMs, maxLooks, clock }: Pace = PACE,
): AsyncGenerator<LiveEvent> {
  const endsAt = clock.now() + lifeMs;
  const look = checkedLook(ctx, feed, credential, Date.now() + lifeMs + SLACK_MS);
  const wakeups = new Wakeups(ctx.config, signal);
  try {
    for (let looks = 0; looks < maxLooks && !signal.aborted && clock.now() < endsAt; looks++) {
      await wakeups.listen();
      const lookedAt = clock.now();
      const { events, hasMore } = await look();
      yield* events;
      if (hasMore) continue;
      await wakeups.wait(Math.min(lookMs, endsAt - clock.now()), clock);
      const early = lookedAt + gapMs - clock.now();
      if (early > 0 && !signal.aborted) await new Promise<void>((resolve) => void clock.after(early, resolve));
    }
    if (feed.end && !signal.aborted) yield feed.end();
  } finally {
    wakeups.close();
  }
}

/**
 * A look that also checks the credential, in the same round trip, and throws once that has ended. It reads the primary
 * database: a replica that is behind would not know the id that the client has. The first one notes that there is a
 * client, whose socket is open by then: whatever is written later calls the hub.
 */
function checkedLook(
  ctx: Context,
  feed: Feed,
  credential: Credential | undefined,
  until: number,
): () => ReturnType<Feed["look"]> {
  const primary = openDatabase(ctx);
  const listening = noteListener(until);
  if (!credential) {
    const { db } = withRiders(primary, [listening]);
    return () => feed.look(db);
  }
  const scopes = scopesOf(ctx.actor);
  let ending: unknown;
  const rider: Rider = {
    statements: (db) => [credential.select(db, new Date())],
    inspect([row]) {
      try {
        const { actor } = credential.identify(row?.results[0]);
        if (scopesOf(actor) !== scopes) throw new AppError("insufficient_scope", SCOPES_CHANGED);
      } catch (error) {
        ending = error;
        throw error;
      }
    },
  };
  const { db } = withRiders(primary, [rider, listening]);
  // The query builder wraps what the rider throws.
  return () => feed.look(db).catch((error) => Promise.reject(ending ?? error));
}

/** Writes a row only if nobody else listens as long. */
function noteListener(until: number): Rider {
  let isNoted = false;
  return {
    statements: ({ $client }) => (isNoted ? [] : [$client.prepare(NOTE_LISTENER).bind(until)]),
    inspect() {
      isNoted = true;
    },
  };
}

const NOTE_LISTENER = `INSERT INTO live_clients (id, until) VALUES (1, ?)
  ON CONFLICT (id) DO UPDATE SET until = excluded.until WHERE excluded.until > until`;

const SCOPES_CHANGED = "The scopes of the API key have changed. Connect again.";

function scopesOf(actor: Actor): string {
  return actor.kind === "api_key" ? actor.key.scopes.join(" ") : "";
}
