import { and, eq, isNull, or } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { events } from "../../../db/schema/calendar.ts";
import type { EmailInput } from "../../../engine/email/email.ts";
import { detectIn } from "../../../engine/email/intelligence.ts";
import { calendarProblem } from "../../../engine/meetings/calendar-events.ts";
import type { Meeting } from "../../../engine/meetings/meetings.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { dateOf, MINUTE_MS, toWall } from "../../../lib/time-zone.ts";
import { readEmailSource } from "../../emails/analysis/service.ts";
import { changeEvent, draftEvent, type EventInput, type NewEvent } from "../events/changes.ts";
import { type EventRow, toEvent } from "../events/event.ts";
import { ownUid } from "../events/own-uid.ts";
import { answered } from "../events/response.ts";
import { checkReferences, insertStatement, updatePlan, type WriteOptions, write } from "../events/write.ts";
import type { FromEmailInput } from "./schemas.ts";

/** From this confidence on, a meeting with one clear time is stored as confirmed. */
const CONFIRMED = 0.75;
const MAX_TITLE = 500;
const MAX_LOCATION = 1000;

/** Creates an event for the meeting in an email, once for each email, also in parallel requests. */
export async function eventFromEmail(ctx: Context, input: FromEmailInput, options: WriteOptions = {}) {
  const { emailId, overrides } = input;
  const { input: email, html } = await readEmailSource(ctx, input);
  const problem = emailId === undefined ? calendarProblem(email.content, email.timeZone) : null;
  if (problem) throw validationFailed({ path: "content", message: problem });
  const found = bestMeeting(email) ?? (html ? bestMeeting({ ...email, content: html }) : null);
  const known =
    emailId === undefined
      ? []
      : [and(eq(events.emailId, emailId), eq(events.source, "email"), isNull(events.deletedAt))];
  const icalUid = emailId === undefined ? uidOfText(email, found) : ownUid(`email-${emailId}`);
  // In each alternative, because the index on the UID only has events that are no occurrences.
  const isOurs = or(
    ...[eq(events.icalUid, icalUid), ...known].map((found) => and(found, isNull(events.originalStart))),
  );
  let isNew = true;
  const { row, conflicts } = await write(ctx, options, async () => {
    const rows: EventRow[] = await ctx.db.select().from(events).where(isOurs).limit(2);
    const current = rows.find(({ deletedAt }) => deletedAt === null) ?? rows[0];
    isNew = current === undefined || current.deletedAt !== null;
    if (current && !isNew) return { row: current };
    if (!found) throw new AppError("no_meeting_detected", "The email contains no meeting with a time in the future.");
    await checkReferences(ctx, overrides ?? {}, current);
    const event = { ...newEvent(found, email, emailId, overrides), icalUid };
    // An explicit request restores an event that was deleted.
    if (current) {
      const present = { ...answered(current, "accepted"), deletedAt: null };
      return updatePlan(ctx, current, changeEvent(ctx, current, event, "origin", present));
    }
    const draft = draftEvent(ctx, event);
    return { row: draft, statement: insertStatement(ctx, draft) };
  });
  return { event: { ...toEvent(row), conflicts }, isNew };
}

function bestMeeting(email: EmailInput): Meeting | null {
  const { meetings } = detectIn(email);
  return [...meetings].sort((a, b) => b.confidence - a.confidence)[0] ?? null;
}

function uidOfText({ content, subject }: EmailInput, meeting: Meeting | null): string {
  const digest = sha256Hex(JSON.stringify([content, subject ?? null, meeting?.start.toISOString() ?? null]));
  return ownUid(`text-${digest.slice(0, 32)}`);
}

function newEvent(
  meeting: Meeting,
  email: EmailInput,
  emailId: number | undefined,
  overrides: EventInput = {},
): NewEvent {
  const { timeZone, location, meetingUrl, ambiguous, confidence, proposed } = meeting;
  const people = meeting.attendees.flatMap(({ name, email }) =>
    email ? [{ name, email, response: "needs_action" as const }] : [],
  );
  return {
    title: meeting.title.slice(0, MAX_TITLE) || "Meeting",
    ...timesOf(meeting, overrides),
    ...seriesOf(meeting, overrides),
    timeZone,
    location: location?.slice(0, MAX_LOCATION) ?? null,
    meetingUrl: meetingUrl && /^https?:\/\/\S{1,1990}$/.test(meetingUrl) ? meetingUrl : null,
    status: confidence >= CONFIRMED && !ambiguous && !proposed ? "confirmed" : "tentative",
    organizer: email.from?.email ? { name: email.from.name, email: email.from.email } : null,
    attendees: people,
    source: "email",
    ...(emailId !== undefined && { emailId }),
    ...overrides,
  };
}

/** How it repeats. A rule names the days of its own start, so that another start needs another rule. */
function seriesOf({ rrule, exdates }: Meeting, overrides: EventInput) {
  const isOther = [overrides.start, overrides.allDay, overrides.rrule].some((given) => given !== undefined);
  return rrule === null || isOther ? {} : { rrule, exdates: [...exdates] };
}

/** The detected times, unless overridden. An overridden start moves the end with it. */
function timesOf({ start, end, allDay, timeZone }: Meeting, overrides: EventInput) {
  const isOfDates = allDay || overrides.allDay === true;
  const write = (moment: Date) => (isOfDates ? dateOf(toWall(timeZone, moment.getTime())) : moment.toISOString());
  const detected = { start: write(start), end: write(end), allDay };
  const { end: givenEnd, start: givenStart, durationMinutes, allDay: givenAllDay = allDay } = overrides;
  if (givenEnd !== undefined || durationMinutes !== undefined) return { ...detected, end: undefined };
  if (givenAllDay !== allDay) return { ...detected, end: undefined };
  if (givenStart === undefined) return detected;
  const length = Date.parse(detected.end) - Date.parse(detected.start);
  return { ...detected, end: undefined, durationMinutes: length / MINUTE_MS };
}
