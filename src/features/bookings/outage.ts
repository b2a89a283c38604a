import { and, isNull } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { bookingConnection } from "../../db/schema/bookings.ts";
import { AppError } from "../../lib/errors.ts";
import { notify } from "../notifications/service.ts";
import { listOwners } from "../people/owners.ts";
import { theConnection } from "./connection.ts";

/** Notifies the owner that the sync fails, once until a run has succeeded again. */
export async function notifyOutage(ctx: Context, error: unknown): Promise<void> {
  const claimed = await ctx.db
    .update(bookingConnection)
    .set({ outageReportedAt: ctx.now })
    .where(and(theConnection, isNull(bookingConnection.outageReportedAt)))
    .returning({ id: bookingConnection.id });
  if (claimed.length === 0) return;
  const reason = error instanceof AppError ? error.message : "An internal error occurred; see the service's log.";
  notify(ctx, await listOwners(ctx), {
    kind: "sync_failure",
    write: () => ({
      subject: "The booking sync is failing",
      blocks: [
        "Your calendar could not be synced with the booking provider.",
        reason,
        "The sync is retried every 15 minutes. You will not get another email until it has worked again.",
      ],
    }),
  });
}
