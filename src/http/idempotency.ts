import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { Actor, Context } from "../context.ts";
import { fenced, mayHaveChanged, unfenced } from "../db/fence.ts";
import { idempotencyKeys } from "../db/schema/idempotency.ts";
import { assertType } from "../lib/cast.ts";
import { randomToken, sha256Hex } from "../lib/crypto.ts";
import { AppError, type ErrorCode } from "../lib/errors.ts";
import { type AppEnv, contextOf } from "./app-env.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;
/**
 * A claim older than this may be taken over; no request lives that long, a slow model's neither. Should one still
 * live, its writes are refused from then on.
 */
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
 * Makes a POST safe to repeat when the client sends `Idempotency-Key`. Only success is remembered: a refused request
 * changed nothing, so the same key may carry the corrected one. One that failed after a change keeps its key.
 * `secrets` are members of the answer that are shown once and must not be kept. `unread` are members of the
 * body that do not make it another request, such as a password: not even a hash of it is kept.
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
    const ctx = contextOf(c);
    const { pathname, search } = new URL(c.req.url);
    const fingerprint = sha256Hex(`${c.req.method} ${pathname}${search}\n${without(unread, await c.req.text())}`);
    const claim = await claimKey(ctx, key, fingerprint);
    if ("earlier" in claim) return replay(c, claim.earlier, fingerprint);
    ctx.db = fenced(ctx.db, (client) => holdsKey(client, actorKey(ctx.actor), key, claim.id));
    const work = next().then(() => settle(ctx, key, claim.id, c.res, secrets));
    // A caller who leaves must not end the request between its change and the note of its answer.
    ctx.defer(work);
    await work;
  };
}

/** Goes along with each write of the request: notes that it has written, or undoes it if the key is another's by now. */
function holdsKey(client: D1Database, actor: string, key: string, claim: string): D1PreparedStatement {
  return client
    .prepare("UPDATE idempotency_keys SET has_written = CASE claim WHEN ? THEN 1 END WHERE actor = ? AND key = ?")
    .bind(claim, actor, key);
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
  if (actor.kind === "session" || actor.kind === "api_key") return `user:${actor.user.id}`;
  return actor.kind;
}

async function claimKey(ctx: Context, key: string, fingerprint: string): Promise<{ id: string } | { earlier: Row }> {
  const id = randomToken();
  const row = {
    actor: actorKey(ctx.actor),
    key,
    fingerprint,
    claim: id,
    claimedAt: ctx.now,
    hasWritten: false,
    status: null,
    headers: null,
    body: null,
    expiresAt: new Date(ctx.now.getTime() + KEPT_MS),
  };
  const dead = and(
    isNull(idempotencyKeys.status),
    eq(idempotencyKeys.hasWritten, false),
    lt(idempotencyKeys.claimedAt, lastLiveClaim(ctx)),
  );
  const [, found] = await ctx.db.batch([
    ctx.db
      .insert(idempotencyKeys)
      .values(row)
      .onConflictDoUpdate({
        target: [idempotencyKeys.actor, idempotencyKeys.key],
        set: row,
        setWhere: or(lt(idempotencyKeys.expiresAt, ctx.now), dead),
      }),
    ctx.db.select().from(idempotencyKeys).where(sameKey(row.actor, key)),
  ]);
  const current = found[0];
  if (!current) throw new AppError("unavailable", "The idempotency key could not be recorded. Try again.");
  return current.claim === id ? { id } : { earlier: current };
}

function lastLiveClaim(ctx: Context): Date {
  return new Date(ctx.now.getTime() - CLAIM_MS);
}

function sameKey(actor: string, key: string) {
  return and(eq(idempotencyKeys.actor, actor), eq(idempotencyKeys.key, key));
}

function replay(c: HonoContext<AppEnv>, earlier: Row, fingerprint: string): Response {
  if (earlier.fingerprint !== fingerprint) {
    throw new AppError("idempotency_mismatch", "Use a new Idempotency-Key for a different request.");
  }
  if (earlier.status === null && earlier.hasWritten && earlier.claimedAt < lastLiveClaim(contextOf(c))) {
    throw new AppError(
      "idempotency_unfinished",
      "The first request made its change and ended before its answer was kept. Look for what it made; it is not made twice.",
    );
  }
  if (earlier.status === null) {
    throw new AppError("idempotency_in_flight", "Repeat the request in a moment to get its answer.", { retryAfter: 1 });
  }
  const headers = { ...earlier.headers, "Idempotency-Replayed": "true" };
  return c.newResponse(earlier.body, assertType<StatusCode>(earlier.status), headers);
}

async function settle(
  ctx: Context,
  key: string,
  claim: string,
  res: Response,
  secrets: readonly string[],
): Promise<void> {
  const mine = and(sameKey(actorKey(ctx.actor), key), eq(idempotencyKeys.claim, claim));
  const isStream = res.headers.get("content-type")?.startsWith("text/event-stream");
  if (!res.ok || isStream) {
    const db = unfenced(ctx.db);
    await db.batch([
      db
        .delete(idempotencyKeys)
        .where(mayHaveChanged(ctx.db) ? and(mine, eq(idempotencyKeys.hasWritten, false)) : mine),
      // What is still there has written and is over: nobody need wait for it.
      db
        .update(idempotencyKeys)
        .set({ claimedAt: new Date(0) })
        .where(mine),
    ]);
    return;
  }
  const headers: Record<string, string> = {};
  for (const name of REPLAYED_HEADERS) {
    const value = res.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const body = res.body ? withoutSecrets(await res.clone().text(), secrets) : null;
  await ctx.db.update(idempotencyKeys).set({ status: res.status, headers, body }).where(mine);
}

function withoutSecrets(body: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return body;
  return JSON.stringify(JSON.parse(body), (name, value) => (secrets.includes(name) ? null : value));
}
