import { and, isNull } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { bookingConnection } from "../../db/schema/bookingsvc.ts";
import { AppError } from "../../lib/errors.ts";
import { notify } from "../notifications/service.ts";
import { listOwners } from "../people/owners.ts";
import { theConnection } from "./connection.ts";

/** Tells the owner that the sync has begun to fail; not again until a run has succeeded in between. */
export async function tellOutage(ctx: Context, error: unknown): Promise<void> {
  const told = await ctx.db
    .update(bookingConnection)
    .set({ outageReportedAt: ctx.now })
    .where(and(theConnection, isNull(bookingConnection.outageReportedAt)))
    .returning({ id: bookingConnection.id });
  if (told.length === 0) return;
  const reason = error instanceof AppError ? error.message : "Something went wrong on our side; the log says what.";
  notify(ctx, await listOwners(ctx), {
    kind: "sync_failure",
    subject: "The booking sync is failing",
    text: `The calendar could not be brought in step with the booking provider.

${reason}

It is tried again every 15 minutes. You will hear of it again only when it has worked in between.

  GET ${ctx.baseUrl}/api/bookingsvc/sync/runs
`,
  });
}
