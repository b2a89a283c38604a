import { and, eq, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../../context.ts";
import { excludedColumns, selectRows } from "../../../db/bulk.ts";
import { events, type InvitationState } from "../../../db/schema/calendar.ts";
import { type Address, isEmailAddress } from "../../../lib/addresses.ts";
import { AppError } from "../../../lib/errors.ts";
import { MINUTE_MS } from "../../../lib/time-zone.ts";
import { type CalendarReply, type Mailer, mailerOf, requireMailer } from "../../../providers/mail.ts";
import { hasFailedAuthentication } from "../../emails/known-senders.ts";
import { changeEvent, withNewVersion } from "../events/changes.ts";
import { type CalendarEvent, type EventRow, isSeries, toEvent } from "../events/event.ts";
import { type Answer, answered } from "../events/response.ts";
import type { UpdateOptions } from "../events/service.ts";
import { findEvent, type Plan, updatePlan, write } from "../events/write.ts";
import { areAsRead } from "../series/edited-occurrences.ts";
import { editPlan, findInSeries } from "../series/occurrence.ts";
import { type ReplySubject, replyEmail } from "./reply-email.ts";
import type { InvitationResponse } from "./schemas.ts";

type Told = InvitationState["told"];

/** An email that has been on its way for longer was cut off, and may be sent again. */
const SENDING_MS = 2 * MINUTE_MS;

/** One occurrence of a series, and the version it must have. */
type Which = Pick<UpdateOptions, "occurrence" | "expected">;

/** The event, series or occurrence that is answered. */
interface Target {
  row: EventRow;
  /** The series of an occurrence. */
  series: EventRow | null;
  /** Whether an occurrence has no row of its own yet. */
  isDerived: boolean;
}

/**
 * Stores the person's response to an invitation and tells the organizer. The response is written first, with a note
 * that it is being sent, so that of parallel requests only one sends it. If the email is not accepted, the response
 * stays and the note is taken back, so that the next request sends it.
 */
export async function respondToInvitation(
  ctx: Context,
  id: number,
  { response, notify, ...input }: InvitationResponse,
  which: Which = {},
) {
  const comment = input.comment ?? null;
  const mailer = notify === false ? null : notify ? requireMailer(ctx.config) : mailerOf(ctx.config);
  const news: { reply?: ReplySubject; problem: string | null } = { problem: null };
  const { row, conflicts } = await write(ctx, {}, async () => {
    const target = await findTarget(ctx, id, which);
    // The organizer is told about the event, and a program may have changed who that is.
    if (mailer) requireScopes(ctx, ["calendar:read"]);
    const found = mailer && (await replySubject(ctx, target, mailer.sender, notify === true));
    news.problem = typeof found === "string" ? found : null;
    const subject = typeof found === "string" ? null : found;
    const isNews = subject !== null && !isTold(ctx, target.row, response, comment);
    news.reply = isNews ? subject : undefined;
    return planOf(ctx, target, response, isNews ? comment : undefined);
  });
  const email = news.reply && replyEmail(news.reply, response, comment, ctx.now);
  const told = mailer && email ? await tell(ctx, mailer, email, row) : row.invitation?.told;
  const notified = told?.response === response;
  const problem = news.problem ?? (mailer ? NOT_ACCEPTED : notify === false ? null : NOT_SET_UP);
  return { ...toEvent(row), conflicts, notified, notNotifiedBecause: notified ? null : problem };
}

const NOT_ACCEPTED = "the mail service did not accept the reply";
const NOT_SET_UP = "outgoing email is not set up";

/** The invitation as it is, if it can be answered. */
export async function findInvitation(ctx: Context, id: number, occurrence?: Date): Promise<CalendarEvent> {
  return toEvent((await findTarget(ctx, id, { occurrence })).row);
}

async function findTarget(ctx: Context, id: number, which: Which): Promise<Target> {
  const target = await findAny(ctx, id, which);
  refuseOthers(target.row);
  return target;
}

async function findAny(ctx: Context, id: number, { occurrence, expected }: Which): Promise<Target> {
  if (occurrence) {
    const found = await findInSeries(ctx, id, occurrence, expected);
    return { row: found.edited ?? found.row, series: found.series, isDerived: found.edited === undefined };
  }
  const row = await findEvent(ctx, id, expected);
  const series = row.recurringEventId === null ? null : await findEvent(ctx, row.recurringEventId);
  return { row, series, isDerived: false };
}

function refuseOthers({ id, invitation, status }: EventRow): void {
  if (!invitation) {
    throw new AppError("not_an_invitation", `Event ${id} did not come from an emailed invitation. Update it instead.`);
  }
  if (status === "cancelled" && invitation.response !== "declined") {
    throw new AppError(
      "invalid_transition",
      "The organizer has cancelled the event, so there is nothing to respond to.",
    );
  }
}

/** What cannot be told is said in words, or refused if it was asked for. */
async function replySubject(
  ctx: Context,
  { row, series }: Target,
  sender: Address,
  isRequired: boolean,
): Promise<ReplySubject | string> {
  const found = await reachable(ctx, row);
  if (typeof found !== "string") return { ...found, row, series, sender };
  if (!isRequired) return found;
  throw new AppError("organizer_unreachable", `The organizer cannot be notified: ${found}. Nothing was changed.`);
}

async function reachable(ctx: Context, row: EventRow): Promise<string | { organizer: Address; attendee: Address }> {
  const { organizer, attendees, invitation, emailId } = row;
  const own = attendees.find(({ email }) => email === invitation?.attendee);
  if (!own) return "you are not among the attendees of the invitation";
  if (!organizer || !isEmailAddress(organizer.email)) return "the invitation names no organizer";
  if (emailId !== null && (await hasFailedAuthentication(ctx, emailId))) {
    return "the invitation is not certain to be from its sender";
  }
  const addressOf = ({ name, email }: { name: string | null; email: string }) => ({ name: name ?? "", email });
  return { organizer: addressOf(organizer), attendee: addressOf(own) };
}

function isTold(ctx: Context, { invitation }: EventRow, response: Answer, comment: string | null): boolean {
  const told = invitation?.told;
  if (!told || told.response !== response || told.comment !== comment) return false;
  return told.state === "sent" || told.at > ctx.now.getTime() - SENDING_MS;
}

/** The response, and the note that it is being sent unless `comment` is undefined. */
async function planOf(
  ctx: Context,
  target: Target,
  response: Answer,
  comment: string | null | undefined,
): Promise<Plan> {
  const { row, series, isDerived } = target;
  const columns = responded(ctx, row, response, comment);
  if (isDerived && series && isSeries(series)) {
    if (Object.keys(columns).length === 0) return { row };
    const { status, busy, attendees, ...further } = { ...row, ...columns };
    return editPlan(ctx, series, row, { status, busy, attendees }, "origin", pickNote(further));
  }
  const next = changeEvent(ctx, row, {}, "origin", columns);
  const plan = await updatePlan(ctx, row, next);
  return next === row ? plan : withEditedOccurrences(ctx, row, plan, response);
}

function pickNote({ awaitsAnswer, invitation }: Pick<EventRow, "awaitsAnswer" | "invitation">) {
  return { awaitsAnswer, invitation, addedByStranger: null };
}

function responded(
  ctx: Context,
  row: EventRow,
  response: Answer,
  comment: string | null | undefined,
): Partial<EventRow> {
  const columns = answered(row, response);
  const invitation = columns.invitation ?? row.invitation;
  if (comment === undefined || !invitation) return columns;
  const told = { response, comment, state: "sending" as const, at: ctx.now.getTime() };
  return { ...columns, invitation: { ...invitation, told } };
}

/** A response to a series is one to all its occurrences, except those that were cancelled. */
async function withEditedOccurrences(ctx: Context, row: EventRow, plan: Plan, response: Answer): Promise<Plan> {
  if (!isSeries(row) || row.overrides.length === 0) return plan;
  const edited = await ctx.db.select().from(events).where(eq(events.recurringEventId, row.id));
  const changed = edited
    .filter(({ status, invitation }) => status !== "cancelled" || invitation?.response === "declined")
    .flatMap((each) => {
      const next = withNewVersion(ctx, each, { ...each, ...answered(each, response) });
      return next === each ? [] : [next];
    });
  if (changed.length === 0) return plan;
  const statement = ctx.db
    .insert(events)
    .select(selectRows(events, changed))
    .onConflictDoUpdate({ target: events.id, set: excludedColumns(events, "id", "createdAt") });
  const also = [...(plan.also ?? []), statement];
  return { ...plan, also, condition: and(plan.condition, areAsRead(changed)) };
}

/** Sends the reply, and notes what became of it. Clients do not see the note, so the event keeps its version. */
async function tell(ctx: Context, mailer: Mailer, email: CalendarReply, row: EventRow): Promise<Told> {
  const sending = row.invitation?.told ?? null;
  const told = await ctx
    .irreversibly(() => mailer.sendCalendarReply(email))
    .then(() => sending && { ...sending, state: "sent" as const })
    .catch((error) => {
      // A reply that may have been sent is sent again by the next try: for the organizer it changes nothing.
      if (error instanceof AppError && /^provider_/.test(error.code)) return null;
      throw error;
    });
  const isThisNote = sql`${events.id} = ${row.id} AND json_extract(${events.invitation}, '$.told.at') = ${sending?.at}`;
  await ctx.bookkeeping
    .update(events)
    .set({ invitation: sql`json_set(${events.invitation}, '$.told', json(${JSON.stringify(told)}))` })
    .where(isThisNote);
  return told;
}
