import type { Context } from "../../context.ts";
import { runBatch } from "../../db/assert.ts";
import { bookingConnection, bookingDeliveries, syncRuns } from "../../db/schema/bookings.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import type { ReadBooking } from "../../providers/bookings/provider.ts";
import { bookingProviderOf } from "../../providers/bookings/registry.ts";
import { applyBookings } from "../calendar/bookings/apply-bookings.ts";
import { sortRows } from "./booking-pages.ts";
import { type ConnectionRow, openAccount, theConnection, webhookSecretOf, whileConnected } from "./connection.ts";

const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Accepts a delivery of the provider. The payload is only a hint: the bookings it names are fetched from the provider
 * after the response; if that fails, the next sync reads them.
 */
export async function receiveWebhook(ctx: Context, rawBody: string, headers: Headers) {
  const { signatureHeader, isSigned, bookingIdsIn } = bookingProviderOf(ctx.config).webhook;
  const [connection] = await ctx.db.select().from(bookingConnection).where(theConnection);
  const secret = await webhookSecretOf(ctx, connection);
  if (!connection || !secret || !isSigned(secret, rawBody, headers.get(signatureHeader))) {
    throw new AppError("invalid_signature", `${signatureHeader} does not match the body and the webhook secret.`);
  }
  const ids = bookingIdsIn(parse(rawBody));
  const claimed = await ctx.db
    .insert(bookingDeliveries)
    .values({ bodyHash: sha256Hex(rawBody), expiresAt: new Date(ctx.now.getTime() + REMEMBERED_MS) })
    .onConflictDoNothing()
    .returning({ bodyHash: bookingDeliveries.bodyHash });
  const isDuplicate = claimed.length === 0;
  if (!isDuplicate && ids.length > 0) {
    ctx.defer(
      refresh(ctx, connection, ids).catch((error) => {
        if (!isDisconnected(error)) throw error;
      }),
    );
  }
  return { received: true as const, duplicate: isDuplicate };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  }
}

/** Fetches the named bookings, applies them and records the result as a sync run. */
async function refresh(ctx: Context, connection: ConnectionRow, ids: readonly string[]): Promise<void> {
  const account = await openAccount(ctx, connection);
  const errors: string[] = [];
  const rows: ReadBooking[] = [];
  for (const id of ids) {
    try {
      rows.push(...(await account.booking(id)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(`${id}: ${error.message}`);
    }
  }
  const page = sortRows(rows);
  const stillConnected = whileConnected(ctx, connection);
  const { problems, ...applied } = await applyBookings(ctx, page.bookings, stillConnected);
  errors.push(...page.problems, ...page.notes, ...problems);
  const run = {
    id: randomToken(),
    trigger: "webhook",
    mode: "incremental",
    status: errors.length === 0 ? "succeeded" : page.bookings.length > 0 ? "partial" : "failed",
    leaseUntil: ctx.now,
    fetched: page.bookings.length,
    ...applied,
    skipped: errors.length,
    errors,
    startedAt: ctx.now,
    finishedAt: new Date(),
  } as const;
  await runBatch(ctx.db, [stillConnected(), ctx.db.insert(syncRuns).values(run)]);
}

/** There is nothing left to bring up to date once the connection is gone. */
function isDisconnected(error: unknown): boolean {
  return error instanceof AppError && error.code === "bookingsvc_not_configured";
}
