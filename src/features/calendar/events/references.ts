import { and, eq, isNull } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { events } from "../../../db/schema/calendar.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { findSender } from "../../emails/store.ts";
import type { EventInput } from "./changes.ts";
import type { EventRow } from "./event.ts";

/** Rejects a new link to an email or event that does not exist. Links stored before may outlive their target. */
export async function checkReferences(
  ctx: Context,
  { emailId, rescheduledFromId }: EventInput,
  current?: EventRow,
): Promise<void> {
  if (emailId && emailId !== current?.emailId && (await findSender(ctx, emailId)) === undefined) {
    throw validationFailed({ path: "emailId", message: "must be the id of a stored email" });
  }
  if (!rescheduledFromId || rescheduledFromId === current?.rescheduledFromId) return;
  const [replaced] = await ctx.db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.id, rescheduledFromId), isNull(events.deletedAt)));
  if (!replaced || replaced.id === current?.id) {
    throw validationFailed({ path: "rescheduledFromId", message: "must be the id of another event" });
  }
}
