import { and, eq, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { Actor, Context } from "../context.ts";
import { assertThat, failedAssertion } from "../db/assert.ts";
import { prepared, type Rider, withRiders } from "../db/riders.ts";
import { idempotencyKeys } from "../db/schema/idempotency.ts";
import { assertType } from "../lib/cast.ts";
import { randomToken, sha256Hex } from "../lib/crypto.ts";
import { AppError, type ErrorCode } from "../lib/errors.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import { isEventStream } from "./event-stream.ts";

const STORED_MS = 24 * 60 * 60 * 1000;
/** An older claim may be taken over. No request takes that long; if one does, its later writes are refused. */
const CLAIM_MS = 2 * 60 * 1000;
const REPLAYED_HEADERS = ["content-type", "etag", "location"];

export const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = [
  "validation_failed",
  "idempotency_mismatch",
  "idempotency_in_flight",
  "idempotency_unfinished",
];

type Row = typeof idempotencyKeys.$inferSelect;

/**
 * Makes a POST safe to repeat when the client sends `Idempotency-Key`. Only successful responses are stored. A refused
 * request changed nothing, so its key can be used for the corrected one; a request that failed after a change keeps it.
 * `secrets` are members of the response that are shown once and not stored. `unread` are members of the body that do
 * not make it a different request, such as a password: not even a hash of them is stored.
 */
export function idempotent(secrets: readonly string[] = [], unread: readonly string[] = []): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const key = c.req.header("idempotency-key");
    if (key === undefined) return next();
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new AppError("validation_failed", "Idempotency-Key must be 1 to 255 printable characters without spaces.", {
        errors: [{ path: "Idempotency-Key", message: "1 to 255 printable characters without spaces" }],
      });
    }
    const { pathname, search } = new URL(c.req.url);
    const request = `${c.req.method} ${pathname}${search}\n${without(unread, await c.req.text())}`;
    return once(c, { key, request, secrets }, async () => {
      await next();
      return c.res;
    });
  };
}

interface Repeatable {
  key: string;
  /** Everything that makes it the same request. */
  request: string;
  secrets?: readonly string[];
}

/** Runs a request once for its key. A repetition gets the stored response. */
export async function once(
  c: HonoContext<AppEnv>,
  { key, request, secrets = [] }: Repeatable,
  run: () => Promise<Response>,
): Promise<Response> {
  const ctx = contextOf(c);
  // The key belongs to the actor, so that has to be known first.
  await c.get("admission")?.settle();
  const fingerprint = sha256Hex(`${credentialOf(ctx.actor)} ${request}`);
  const mine = { actor: actorKey(ctx.actor), key, claim: randomToken() };
  const current = await claimKey(ctx, mine, fingerprint);
  if (current.claim !== mine.claim) return replay(c, current, fingerprint);
  const ridden = withRiders(ctx.db, [holdKey(mine)]);
  ctx.db = ridden.db;
  let hasActed = false;
  ctx.irreversibly = async (act) => {
    await ridden.announceWrite();
    const result = await act();
    hasActed = true;
    return result;
  };
  const release = () => releaseKey(ctx, mine, hasActed || ridden.mayHaveWritten());
  const settle = async () => {
    const response = await run().catch(async (error) => {
      await release();
      throw error;
    });
    const isKept = response.ok && !isEventStream(response);
    await (isKept ? keepResponse(ctx, mine, response, secrets) : release());
    return response;
  };
  const work = settle();
  // The response is stored even if the client disconnects right after the change.
  ctx.defer(work.catch(() => undefined));
  return work;
}

const KEY_IS_HELD = "idempotency_key_is_held";

/** Rides on each write of the request: records that it has written, or undoes it if another request has the key now. */
function holdKey(mine: ClaimedKey): Rider {
  const isLost = and(sameKey(mine), ne(idempotencyKeys.claim, mine.claim));
  return {
    statements: (db, { isWrite }) =>
      isWrite
        ? [
            assertThat(db, KEY_IS_HELD, sql`NOT EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE ${isLost})`),
            db
              .update(idempotencyKeys)
              .set({ hasWritten: true })
              .where(and(isClaim(mine), hasNotWritten)),
          ].map((statement) => prepared(db, statement))
        : [],
    refusal: (error) => (failedAssertion(error)?.assertion === KEY_IS_HELD ? takenOver() : null),
  };
}

function takenOver(): AppError {
  const detail = "Another request has taken over this Idempotency-Key. Nothing was written.";
  return new AppError("idempotency_in_flight", detail, { retryAfter: 1 });
}

function without(names: readonly string[], text: string): string {
  if (names.length === 0) return text;
  try {
    return JSON.stringify(JSON.parse(text), (name, value) => (names.includes(name) ? undefined : value));
  } catch {
    // Not JSON: it will be refused, and a refusal is not remembered.
    return "";
  }
}

function actorKey(actor: Actor): string {
  if ("user" in actor) return `user:${actor.user.id}`;
  return actor.kind;
}

/** A program gets no response that was made for its person or for another program: they may do and read more. */
function credentialOf(actor: Actor): string {
  if (actor.kind === "grant") return `grant ${actor.grant.id}`;
  return actor.kind === "api_key" ? `key ${actor.key.id}` : actor.kind;
}

/** Takes the key if it is free, and returns its row: of this request, or of an earlier one. */
async function claimKey(ctx: Context, mine: ClaimedKey, fingerprint: string): Promise<Row> {
  const row = {
    ...mine,
    fingerprint,
    claimedAt: ctx.now,
    hasWritten: false,
    status: null,
    headers: null,
    body: null,
    expiresAt: new Date(ctx.now.getTime() + STORED_MS),
  };
  const dead = and(isNull(idempotencyKeys.status), hasNotWritten, lt(idempotencyKeys.claimedAt, lastLiveClaim(ctx)));
  const [, found] = await ctx.db.batch([
    ctx.db
      .insert(idempotencyKeys)
      .values(row)
      .onConflictDoUpdate({
        target: [idempotencyKeys.actor, idempotencyKeys.key],
        set: row,
        setWhere: or(lt(idempotencyKeys.expiresAt, ctx.now), dead),
      }),
    ctx.db.select().from(idempotencyKeys).where(sameKey(mine)),
  ]);
  const current = found[0];
  if (!current) throw new AppError("unavailable", "The idempotency key could not be recorded. Try again.");
  return current;
}

function lastLiveClaim(ctx: Context): Date {
  return new Date(ctx.now.getTime() - CLAIM_MS);
}

/** A key as one request has claimed it. */
type ClaimedKey = Pick<Row, "actor" | "key" | "claim">;

const hasNotWritten = eq(idempotencyKeys.hasWritten, false);

function sameKey({ actor, key }: ClaimedKey) {
  return and(eq(idempotencyKeys.actor, actor), eq(idempotencyKeys.key, key));
}

function isClaim(mine: ClaimedKey) {
  return and(sameKey(mine), eq(idempotencyKeys.claim, mine.claim));
}

function replay(c: HonoContext<AppEnv>, earlier: Row, fingerprint: string): Response {
  if (earlier.fingerprint !== fingerprint) {
    throw new AppError("idempotency_mismatch", "Use a new Idempotency-Key for a different request.");
  }
  if (earlier.status === null && earlier.hasWritten && earlier.claimedAt < lastLiveClaim(contextOf(c))) {
    throw new AppError(
      "idempotency_unfinished",
      "The first request made its change, but its response was not stored. Look for the change; it is not made again.",
    );
  }
  if (earlier.status === null) {
    throw new AppError("idempotency_in_flight", "Repeat the request in a moment to get its response.", {
      retryAfter: 1,
    });
  }
  const headers = { ...earlier.headers, "Idempotency-Replayed": "true" };
  return c.newResponse(earlier.body, assertType<StatusCode>(earlier.status), headers);
}

/** The request was refused or failed. Unless it changed something, the key is free for another attempt. */
async function releaseKey({ bookkeeping: db }: Context, mine: ClaimedKey, mayHaveChanged: boolean): Promise<void> {
  await db.batch([
    db.delete(idempotencyKeys).where(and(isClaim(mine), mayHaveChanged ? hasNotWritten : undefined)),
    // A row that is left belongs to a request that wrote and is over: a repetition need not wait for it.
    db
      .update(idempotencyKeys)
      .set({ claimedAt: new Date(0) })
      .where(isClaim(mine)),
  ]);
}

async function keepResponse(ctx: Context, mine: ClaimedKey, res: Response, secrets: readonly string[]): Promise<void> {
  const headers: Record<string, string> = {};
  for (const name of REPLAYED_HEADERS) {
    const value = res.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const body = res.body ? withoutSecrets(await res.clone().text(), secrets) : null;
  await ctx.db.update(idempotencyKeys).set({ status: res.status, headers, body }).where(isClaim(mine));
}

function withoutSecrets(body: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return body;
  return JSON.stringify(JSON.parse(body), (name, value) => (secrets.includes(name) ? null : value));
}
