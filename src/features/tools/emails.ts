import * as z from "zod";
import { isTask } from "../../engine/email/action-items.ts";
import { understandEmail } from "../../engine/email/intelligence.ts";
import { EMAIL_STATUSES } from "../../lib/email-kinds.ts";
import { shortQuery } from "../../lib/search-query.ts";
import { firstCharacters } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { listEmails } from "../emails/list.ts";
import { toEngineInput } from "../emails/record.ts";
import { type Email, EmailChanges, type EmailSummary } from "../emails/schemas.ts";
import { getEmail, updateEmail } from "../emails/service.ts";
import { quickUrgency, urgentUnread } from "../emails/urgent-unread.ts";
import { readingFor } from "../people/reading.ts";
import { quotesWithTask } from "../tasks/from-email.ts";
import { findEmail } from "./find-email.ts";
import { emailWords } from "./preview.ts";
import { allOf, ELSEWHERE, factsFor, type Sayings, said, whole } from "./said.ts";
import { defineTool, Id, instantOf, Match, Moment, type ToolContext } from "./tool.ts";

const BODY_CHARACTERS = 6000;
const URGENT_DAYS = 30;
const MAX_ITEMS = 10;

type SharedFields = Pick<EmailSummary, "id" | "subject" | "snippet" | "receivedAt" | "isRead" | "senderProof">;

export interface EmailView extends SharedFields {
  from: string;
  address: string;
  urgency: string;
  /** Null until the email is analysed. */
  summary: string | null;
}

export interface EmailDetails extends EmailView {
  body: string;
  /** `hasTask`: it is a task already. */
  actionItems: { text: string; quote: string; dueAt: string | null; hasTask: boolean }[];
}

function viewOf(email: EmailSummary): EmailView {
  const { id, from, subject, snippet, receivedAt, isRead, senderProof, analysis } = email;
  const urgency = analysis?.urgency.level ?? quickUrgency(email);
  const sender = { from: from.name || from.email, address: from.email };
  const shared = { id, subject, snippet, receivedAt, isRead, senderProof };
  return { ...shared, ...sender, urgency, summary: analysis?.summary ?? null };
}

const findEmails = defineTool({
  name: "find_mail",
  description: "Find emails the person has received, newest first.",
  input: z.object({
    query: z
      .string()
      .trim()
      .max(200)
      .optional()
      .describe(
        "Words of the subject, the people or the text; operators such as from:ann or has:attachment work, too.",
      ),
    unread: z.boolean().optional(),
    replyNeeded: z.boolean().optional().describe("Only those that wait for the person's answer."),
    hasAttachment: z.boolean().optional(),
    starred: z.boolean().optional(),
    sent: z.boolean().optional().describe("Emails that the person has sent."),
    anywhere: z.boolean().optional().describe("Also archived ones, but not spam. Default: the inbox."),
    spam: z.boolean().optional().describe("Suspected spam, which is in a box of its own."),
    urgent: z.boolean().optional().describe("Only urgent unread emails of the last 30 days."),
    since: Moment.optional(),
    until: Moment.optional(),
    limit: z.int().min(1).max(20).default(10),
  }),
  scopes: ["emails:read"],
  writes: false,
  async run({ ctx, timeZone }, { query, since, until, urgent, sent, anywhere, spam, ...rest }) {
    if (urgent) {
      const urgentEmails = urgentUnread(ctx, new Date(ctx.now.getTime() - URGENT_DAYS * DAY_MS));
      const { count, emails } = urgentEmails.read(...(await ctx.db.batch([...urgentEmails.statements])));
      return { count, more: count > rest.limit, mails: emails.slice(0, rest.limit).map(viewOf) };
    }
    const { data, nextCursor } = await listEmails(ctx, {
      ...rest,
      direction: sent ? "outbound" : "inbound",
      ...(!sent && (spam || !anywhere) && { status: spam ? "spam" : "inbox" }),
      ...(query && { q: shortQuery(query) }),
      ...(since && { since: instantOf(since, timeZone) }),
      ...(until && { until: instantOf(until, timeZone) }),
    });
    return { count: data.length, more: nextCursor !== null, mails: data.map(viewOf) };
  },
});

const readEmail = defineTool({
  name: "read_mail",
  description: "Read one email: its text, a summary, and what it asks for.",
  input: z.object({ id: Id }),
  scopes: ["emails:read"],
  writes: false,
  async run({ ctx, timeZone }, { id }): Promise<EmailDetails> {
    const email = await getEmail(ctx, id);
    const body = firstCharacters(email.body, BODY_CHARACTERS);
    return { ...viewOf(email), body, ...(await readingOf({ ctx, timeZone }, email)) };
  },
});

/** What an email says and asks for. */
export async function readingOf(
  { ctx, timeZone }: ToolContext,
  email: Email,
): Promise<Pick<EmailDetails, "actionItems"> & { summary: string }> {
  // An email without a stored analysis is read by the built-in engine: no second model call, nothing stored.
  const read = understandEmail(toEngineInput(email, readingFor(ctx, timeZone)));
  const stored = email.analysis?.actionItems.map((item) => ({ ...item, quote: item.quote.text }));
  const found = read.actionItems.map((item) => ({
    ...item,
    quote: item.quote.text,
    dueAt: item.dueAt?.toISOString() ?? null,
  }));
  const items = (stored ?? found)
    .filter(({ quote, assignee }) => isTask({ quote: { text: quote }, assignee }))
    .slice(0, MAX_ITEMS);
  const quotes = items.map(({ quote }) => quote);
  const taken = await quotesWithTask(ctx, email.id, quotes);
  return {
    summary: email.analysis?.summary ?? read.summary,
    actionItems: items.map(({ text, quote, dueAt }) => ({ text, quote, dueAt, hasTask: taken.has(quote) })),
  };
}

const EmailChangesInput = z.object({
  id: Id.optional(),
  match: Match.optional().describe("Words of the email, or from:ann, if you do not know its id."),
  latest: z.boolean().optional().describe("With match: the newest of several."),
  isRead: z.boolean().optional(),
  isStarred: z.boolean().optional(),
  status: z
    .enum(EMAIL_STATUSES)
    .optional()
    .describe("From spam to inbox: it is not spam, and later emails of the sender are not, either."),
  replyNeeded: z.boolean().optional().describe("False: no answer is needed."),
  tags: EmailChanges.shape.tags,
  addTags: EmailChanges.shape.tags.describe("Tags to add to those it has."),
  snoozedUntil: z.iso.datetime({ offset: true }).nullable().optional(),
});

const STATUS_WORDS = {
  archived: "archive",
  inbox: "move to the inbox",
  spam: "move to spam",
  trash: "move to the trash",
};

const EMAIL_CHANGES: Sayings<z.output<typeof EmailChangesInput>> = {
  id: ELSEWHERE,
  match: ELSEWHERE,
  latest: ELSEWHERE,
  isRead: (isRead) => (isRead ? "mark as read" : "mark as unread"),
  isStarred: (isStarred) => (isStarred ? "star" : "remove the star"),
  status: (status) => STATUS_WORDS[status],
  replyNeeded: (isNeeded) => (isNeeded ? "mark as waiting for an answer" : "mark as needing no answer"),
  tags: (tags) => (tags.length > 0 ? `tags ${allOf(tags)}` : "remove all tags"),
  addTags: (tags) => `add the tags ${allOf(tags)}`,
  snoozedUntil: (until, { due }) => (until === null ? "end the snooze" : `snooze until ${due(Date.parse(until))}`),
};

/** What is remembered of the sender when a person moves an email into spam or out of it: see `learnFromMove`. */
function lesson({ direction, status: before, from, senderProof }: Email, { status }: { status?: string | undefined }) {
  const hasFailed = senderProof === "failed";
  if (direction !== "inbound" || status === undefined || status === "trash" || status === before) return [];
  if (status === "spam") return hasFailed ? [] : [`and send later emails of ${whole(from.email)} to spam, too`];
  if (before !== "spam") return [];
  const forged = hasFailed ? ", even those that may be forged" : "";
  return [`and take later emails of ${whole(from.email)} for no spam${forged}`];
}

const updateEmailTool = defineTool({
  name: "update_mail",
  description:
    "Change an email: read or unread, star, inbox, archive, spam or trash, tags, snooze, whether it needs an answer.",
  input: EmailChangesInput.refine(({ id, match }) => id !== undefined || match !== undefined, {
    error: "give id or match",
    path: ["id"],
  }).refine(
    ({ id: _, match: __, latest: ___, ...changes }) => Object.keys(changes).length > 0,
    "give at least one change",
  ),
  scopes: ["emails:write"],
  searchScope: "emails:read",
  writes: true,
  record: "email",
  ownWords: {
    because: "Of the email it has flags and times; of its tags only those that this call gave it.",
    in: () => true,
  },
  async resolve(context, { match, latest, ...rest }) {
    if (rest.id !== undefined) return rest;
    const call = (id: number) => ({ tool: "update_mail", input: { ...rest, id } });
    return { ...rest, ...(await findEmail(context, { match, latest }, call)) };
  },
  async preview(context, input) {
    const email = await getEmail(context.ctx, input.id ?? 0);
    const parts = await said(EMAIL_CHANGES, input, await factsFor(context));
    return {
      summary: `Change email ${emailWords(email)}: ${[...parts, ...lesson(email, input)].join(", ")}`,
      record: email,
    };
  },
  async run({ ctx, expected }, { id = 0, match: _, latest: __, addTags, snoozedUntil, ...changes }) {
    const snooze = snoozedUntil ? new Date(snoozedUntil) : snoozedUntil;
    const tagged = addTags ? { tags: [...new Set([...(await getEmail(ctx, id)).tags, ...addTags])] } : {};
    const email = await updateEmail(ctx, id, { ...changes, ...tagged, snoozedUntil: snooze }, expected);
    const { isRead, isStarred, status, tags, replyNeeded, version } = email;
    // Other tags may have been chosen by a sender: one is made of the address that they wrote to.
    const given = new Set([...(changes.tags ?? []), ...(addTags ?? [])]);
    const own = given.size > 0 && { tags: tags.filter((tag) => given.has(tag)) };
    return { id, isRead, isStarred, status, ...own, replyNeeded, snoozedUntil: email.snoozedUntil, version };
  },
});

export const EMAIL_TOOLS = [findEmails, readEmail, updateEmailTool];
