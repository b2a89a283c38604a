import * as z from "zod";
import { hasScope } from "../../context.ts";
import { AppError } from "../../lib/errors.ts";
import { shortQuery } from "../../lib/search-query.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { listEvents } from "../calendar/events/list.ts";
import { answerInEmail, readInvitations } from "../calendar/invitations/in-email.ts";
import { findInvitation, respondToInvitation } from "../calendar/invitations/respond.ts";
import { ANSWERS, type EmailInvitation } from "../calendar/invitations/schemas.ts";
import { listEmails } from "../emails/list.ts";
import { type EventView, eventView } from "./calendar.ts";
import { eventLabel } from "./find-record.ts";
import { bestMatches } from "./language/name-match.ts";
import { instantOf, Moment } from "./moment.ts";
import { previewAnswer } from "./preview.ts";
import { AmbiguousMatch, defineTool, Id, Match, type ToolContext } from "./tool.ts";

const LOOK_AHEAD_DAYS = 366;
const CANDIDATES = 100;
const MAX_OPTIONS = 6;

const Input = z.object({
  id: Id.optional(),
  emailId: Id.optional().describe("The email with the invitation, if that is not in the calendar yet."),
  occurrence: z.iso.datetime({ offset: true }).optional().describe("For a series: only this occurrence."),
  match: Match.optional().describe("Words of its title, organizer or attendees, if you do not know its id."),
  from: Moment.optional().describe("With match: only events after this. A series is then answered for one occurrence."),
  until: Moment.optional().describe("With match: only events before this."),
  response: z.enum(ANSWERS),
  comment: z.string().trim().min(1).max(1000).optional().describe("A comment for the organizer."),
});
type Input = z.output<typeof Input>;

export interface AnsweredView extends EventView {
  response: string;
  /** Whether the organizer has been told. */
  notified: boolean;
  conflicts: { title: string; start: string; end: string; outside: boolean }[];
}

/** Replaces the words by the one invitation they mean; without words, by the only one that waits for a response. */
async function resolveInvitation(context: ToolContext, input: Input): Promise<Input> {
  if (input.id !== undefined || input.emailId !== undefined) return input;
  const { match, from, until, ...rest } = input;
  const waiting = await candidates(context, input, true);
  const named = (events: readonly CalendarEvent[]) =>
    match === undefined ? [...events] : bestMatches(match, events, namesOf);
  const found = named(waiting);
  // The person may change their mind about one they have answered.
  if (found.length === 0 && match !== undefined) found.push(...named(await candidates(context, input, false)));
  const isOne = from !== undefined;
  const refs = found.map((event) => ({ event, ref: isOne ? occurrenceRef(event) : seriesRef(event) }));
  const options = refs.filter(({ ref }, at) => refs.findIndex((each) => same(each.ref, ref)) === at);
  const [only] = options;
  if (!only) {
    const emailId = match === undefined || isOne ? undefined : await invitingEmail(context, match);
    if (emailId === undefined) throw new AppError("not_found", nothingFound(match));
    return { ...rest, emailId };
  }
  if (options.length === 1) return { ...rest, ...only.ref };
  const labelled = options.slice(0, MAX_OPTIONS).map(({ event, ref }) => ({
    label: eventLabel(context, event),
    tool: "respond_to_invitation",
    input: { ...rest, ...ref },
  }));
  const message = match
    ? `More than one invitation matches “${match}”.`
    : "More than one invitation waits for a response.";
  throw new AmbiguousMatch(message, labelled, true);
}

const EMAILS_TRIED = 5;

/** The newest email with an invitation that can be answered and is not in the calendar: one that was imported. */
async function invitingEmail({ ctx }: ToolContext, match: string): Promise<number | undefined> {
  if (!hasScope(ctx.actor, ["emails:read"])) return undefined;
  const query = { q: shortQuery(match), kind: "invitation" as const, limit: EMAILS_TRIED };
  for (const { id } of (await listEmails(ctx, query)).data) {
    const { data } = await readInvitations(ctx, id);
    if (data.some(({ n, canRespond }) => n === 1 && canRespond)) return id;
  }
  return undefined;
}

async function invitationOf({ ctx }: ToolContext, emailId: number): Promise<EmailInvitation> {
  const [first] = (await readInvitations(ctx, emailId)).data;
  if (!first?.canRespond) throw new AppError("not_an_invitation", `Email ${emailId} has no invitation to respond to.`);
  return first;
}

async function candidates({ ctx, timeZone }: ToolContext, { from, until }: Input, isWaiting: boolean) {
  const start = from === undefined ? ctx.now : instantOf(from, timeZone);
  const end = until === undefined ? new Date(start.getTime() + LOOK_AHEAD_DAYS * DAY_MS) : instantOf(until, timeZone);
  const filter = isWaiting ? { awaitsAnswer: true } : { source: ["email" as const] };
  const { data } = await listEvents(ctx, { start, end, limit: CANDIDATES, ...filter });
  return data.filter(({ awaitsAnswer, myResponse }) => awaitsAnswer || myResponse !== null);
}

function namesOf({ title, organizer, attendees }: CalendarEvent): string[] {
  const people = [...(organizer ? [organizer] : []), ...attendees];
  return [title, ...people.flatMap(({ name, email }) => [name ?? "", email.split("@")[0] ?? ""])];
}

interface Ref {
  id: number;
  occurrence?: string;
}

const seriesRef = ({ id, recurringEventId }: CalendarEvent): Ref => ({ id: recurringEventId ?? id });

function occurrenceRef({ id, recurringEventId, originalStart }: CalendarEvent): Ref {
  return originalStart === null || recurringEventId === null
    ? { id }
    : { id: recurringEventId, occurrence: originalStart };
}

const same = (a: Ref, b: Ref) => a.id === b.id && a.occurrence === b.occurrence;

function nothingFound(match: string | undefined): string {
  return match ? `I found no invitation matching “${match}”.` : "No invitation waits for your response.";
}

const startOf = (occurrence: string | undefined) => (occurrence === undefined ? undefined : new Date(occurrence));

const respondTool = defineTool({
  name: "respond_to_invitation",
  description: "Accept, decline or tentatively accept an invitation in the calendar, and tell its organizer by email.",
  input: Input.refine(({ id, from, until }) => id === undefined || (from ?? until) === undefined, {
    error: "give id, or match with from and until",
    path: ["id"],
  }),
  scopes: ["calendar:write"],
  writes: true,
  searchScope: "calendar:read",
  resolve: resolveInvitation,
  async preview(context, { id = 0, emailId, occurrence, ...answer }) {
    if (emailId !== undefined) {
      const found = await invitationOf(context, emailId);
      return previewAnswer(context, { ...found, recurringEventId: null }, answer, found.event);
    }
    const event = await findInvitation(context.ctx, id, startOf(occurrence));
    return previewAnswer(context, event, answer, event);
  },
  async run({ ctx, expected }, { id = 0, emailId, occurrence, response, comment }): Promise<AnsweredView> {
    const input = { response, ...(comment !== undefined && { comment }) };
    const event =
      emailId === undefined
        ? await respondToInvitation(ctx, id, input, { occurrence: startOf(occurrence), expected })
        : await answerInEmail(ctx, emailId, { n: 1, ...input, seenVersion: expected?.[0] });
    const shown = event.conflicts.slice(0, 5);
    const conflicts = shown.map(({ title, start, end, outside }) => ({ title, start, end, outside }));
    return { ...eventView(event), response, notified: event.notified, conflicts };
  },
});

export const INVITATION_TOOLS = [respondTool];
