import { and, eq, isNull } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { events } from "../../../db/schema/calendar.ts";
import { findSender } from "../../emails/store.ts";
import type { EventInput } from "./changes.ts";
import type { EventRow } from "./event.ts";
import { broken } from "./event-times.ts";

/** Refuses a link to a mail or an event that is not there. One that stays as it was may outlive what it names. */
export async function checkReferences(
  ctx: Context,
  { emailId, rescheduledFromId }: EventInput,
  current?: EventRow,
): Promise<void> {
  if (emailId && emailId !== current?.emailId && (await findSender(ctx, emailId)) === undefined) {
    throw broken("emailId", "there is no such mail");
  }
  if (!rescheduledFromId || rescheduledFromId === current?.rescheduledFromId) return;
  if (rescheduledFromId === current?.id) throw broken("rescheduledFromId", "an event does not replace itself");
  const [replaced] = await ctx.db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.id, rescheduledFromId), isNull(events.deletedAt)));
  if (!replaced) throw broken("rescheduledFromId", "there is no such event");
}
