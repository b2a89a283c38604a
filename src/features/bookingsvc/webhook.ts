import * as z from "zod";
import type { Context } from "../../context.ts";
import { bookingConnection, bookingDeliveries, syncRuns } from "../../db/schema/bookingsvc.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { createBookingProvider, isSignedWebhook } from "../../providers/bookingsvc/client.ts";
import { applyBookings } from "../calendar/bookings/apply-bookings.ts";
import { toBookedEvent } from "./booked-event.ts";
import { apiKeyOf, type ConnectionRow, theConnection, webhookSecretOf } from "./connection.ts";

const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

const uid = z.string().min(1).max(200).nullish();
const Payload = z.object({ payload: z.object({ uid, rescheduleUid: uid }).nullish() });

/**
 * Takes a delivery of the provider: a hint that something changed, not the truth. The bookings it names
 * are read from the provider after the answer has left; if that fails, the next sync finds them.
 */
export async function receiveWebhook(ctx: Context, rawBody: string, signature: string | null) {
  const [connection] = await ctx.db.select().from(bookingConnection).where(theConnection);
  const secret = await webhookSecretOf(ctx, connection);
  if (!connection || !secret || !isSignedWebhook(secret, rawBody, signature)) {
    throw new AppError("invalid_signature", "The signature does not fit the body and the webhook secret.");
  }
  const hint = Payload.safeParse(parse(rawBody));
  const taken = await ctx.db
    .insert(bookingDeliveries)
    .values({ bodyHash: sha256Hex(rawBody), expiresAt: new Date(ctx.now.getTime() + REMEMBERED_MS) })
    .onConflictDoNothing()
    .returning({ bodyHash: bookingDeliveries.bodyHash });
  const isDuplicate = taken.length === 0;
  const { uid: named, rescheduleUid } = hint.data?.payload ?? {};
  const uids = [rescheduleUid, named].filter((id) => typeof id === "string");
  if (!isDuplicate && uids.length > 0) ctx.defer(refresh(ctx, connection, uids));
  return { received: true as const, duplicate: isDuplicate };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  }
}

/** Reads the named bookings again, and leaves a run behind that says what came of it. */
async function refresh(ctx: Context, connection: ConnectionRow, uids: readonly string[]): Promise<void> {
  const provider = createBookingProvider(ctx.config.BOOKINGSVC_BASE_URL, await apiKeyOf(ctx, connection));
  const errors: string[] = [];
  const events = [];
  for (const id of uids) {
    try {
      for (const row of await provider.booking(id)) {
        if ("problem" in row) errors.push(`${row.uid ?? id}: ${row.problem}`);
        else events.push(toBookedEvent(row.booking, (problem) => errors.push(problem)));
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      errors.push(`${id}: ${error.message}`);
    }
  }
  const { problems, ...applied } = await applyBookings(ctx, events);
  errors.push(...problems);
  await ctx.db.insert(syncRuns).values({
    id: randomToken(),
    trigger: "webhook",
    mode: "incremental",
    status: errors.length === 0 ? "succeeded" : events.length > 0 ? "partial" : "failed",
    leaseUntil: ctx.now,
    fetched: events.length,
    ...applied,
    skipped: errors.length,
    errors,
    startedAt: ctx.now,
    finishedAt: new Date(),
  });
}
