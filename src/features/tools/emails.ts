import * as z from "zod";
import { isTask } from "../../engine/email/action-items.ts";
import { understandEmail } from "../../engine/email/intelligence.ts";
import { validationFailed } from "../../lib/errors.ts";
import { shortQuery } from "../../lib/search-query.ts";
import { firstCharacters } from "../../lib/text.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { listEmails } from "../emails/list.ts";
import { toEngineInput } from "../emails/record.ts";
import type { Email, EmailSummary } from "../emails/schemas.ts";
import { searchNamed } from "../emails/searches/service.ts";
import { getEmail } from "../emails/service.ts";
import { quickUrgency, urgentUnread } from "../emails/urgent-unread.ts";
import { readingFor } from "../people/reading.ts";
import { quotesWithTask } from "../tasks/from-email.ts";
import { agentRead, Cursor, given, Limit, since, timeOrNull, until, When } from "./agents/agent-tool.ts";
import { pieceOf } from "./agents/piece.ts";
import { MailView, mailView } from "./agents/views.ts";
import { instantOf, Moment } from "./moment.ts";
import { defineTool, Id, type ToolContext } from "./tool.ts";

const BODY_CHARACTERS = 6000;
const URGENT_DAYS = 30;
const MAX_ITEMS = 10;
const MAX_ATTACHMENTS = 20;
const ITEM_CHARACTERS = 300;

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

const MailboxName = z.string().trim().min(1).max(320).describe("Label or address.");

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
        "Words of the subject, the people or the text; operators such as from:ann, has:pdf or on:yesterday work, too.",
      ),
    unread: z.boolean().optional(),
    replyNeeded: z.boolean().optional().describe("Only those that wait for the person's answer."),
    hasAttachment: z.boolean().optional(),
    starred: z.boolean().optional(),
    mailbox: MailboxName.optional(),
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
      if (rest.mailbox !== undefined) throw validationFailed({ path: "mailbox", message: "cannot go with urgent" });
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
  agents: agentRead({
    title: "Find emails",
    description:
      "Find emails, newest first; spam only in box spam. `query` takes words and operators: from:ann, has:pdf, mailbox:work. `saved` names a saved search. Emails with sign-in codes are withheld, and not found by words.",
    input: z.strictObject({
      query: z.string().trim().max(200).optional(),
      saved: z.string().optional(),
      box: z.enum(["inbox", "archived", "spam", "sent", "all"]).default("inbox"),
      unread: z.boolean().optional(),
      replyNeeded: z.boolean().optional(),
      tag: z.string().max(100).optional(),
      since: When.optional(),
      until: When.optional(),
      limit: Limit,
      cursor: Cursor,
    }),
    output: z.object({ mails: z.array(MailView), nextCursor: z.string().nullable() }),
    async run(call, { query, saved, box, since: from, until: to, ...rest }) {
      const named = saved ? `(${await searchNamed(call.ctx, saved)})` : "";
      const text = [named, query && shortQuery(query)].filter(Boolean).join(" ");
      const { data, nextCursor } = await listEmails(call.ctx, {
        ...given(rest),
        limit: rest.limit,
        ...(text && { q: text }),
        ...(box === "sent" ? { direction: "outbound" as const } : box !== "all" && { status: box }),
        ...(from && { since: since(call, from) }),
        ...(to && { until: until(call, to) }),
      });
      return { mails: data.map((email) => mailView(call, email)), nextCursor };
    },
  }),
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
  agents: agentRead({
    title: "Read an email",
    description: "Read one email; under `outside`: body from `offset`, summary, actionItems, attachments by name.",
    input: z.strictObject({ id: Id, offset: z.int().min(0).default(0) }),
    output: z.object({
      mail: MailView,
      truncated: z.boolean(),
      nextOffset: z.int().nullable(),
    }),
    async run(call, { id, offset }) {
      const { ctx, timeZone, fence } = call;
      const email = await getEmail(ctx, id);
      const reading = await readingOf({ ctx, timeZone }, email);
      const { piece, nextOffset } = pieceOf(email.body, offset, BODY_CHARACTERS);
      const mail = mailView(call, email);
      const outside = {
        ...mail.outside,
        ...fence.members({ summary: reading.summary }, ITEM_CHARACTERS),
        body: fence.around(piece, BODY_CHARACTERS),
        actionItems: reading.actionItems.map(({ text, quote, dueAt, hasTask }) => ({
          text: fence.around(text, ITEM_CHARACTERS),
          quote: fence.around(quote, ITEM_CHARACTERS),
          dueAt: timeOrNull(timeZone, dueAt),
          hasTask,
        })),
        attachments: email.attachments.slice(0, MAX_ATTACHMENTS).map(({ name }) => fence.around(name, 100)),
      };
      return {
        mail: { ...mail, outside },
        truncated: nextOffset !== null,
        nextOffset,
      };
    },
  }),
});

/** What an email says and asks for. */
async function readingOf(
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

export const EMAIL_TOOLS = [findEmails, readEmail];
