import * as z from "zod";
import { URGENCIES } from "../../../../lib/email-kinds.ts";
import { firstCharacters } from "../../../../lib/text.ts";
import { readAnalysis } from "../../../emails/analysis/service.ts";
import { listEmails } from "../../../emails/list.ts";
import type { EmailSummary } from "../../../emails/schemas.ts";
import { getEmail } from "../../../emails/service.ts";
import { ALWAYS_OUTSIDE, defineTool, Id, instantOf, Moment } from "./tool.ts";

const BODY_CHARACTERS = 6000;

export interface MailView {
  id: number;
  from: string;
  subject: string;
  snippet: string;
  receivedAt: string;
  isRead: boolean;
  urgency: string | null;
}

export interface MailReading extends MailView {
  body: string;
  summary: string;
  actionItems: { text: string; dueAt: string | null }[];
}

function viewOf({ id, from, subject, snippet, receivedAt, isRead, analysis }: EmailSummary): MailView {
  return {
    id,
    from: from.name || from.email,
    subject,
    snippet,
    receivedAt,
    isRead,
    urgency: analysis?.urgency.level ?? null,
  };
}

const findMail = defineTool({
  name: "find_mail",
  description: "Find mail the person has received, newest first.",
  input: z.object({
    query: z.string().trim().max(200).optional().describe("Words of the subject, the people or the text."),
    unread: z.boolean().optional(),
    urgency: z.enum(URGENCIES).optional(),
    since: Moment.optional(),
    until: Moment.optional(),
    limit: z.int().min(1).max(20).default(10),
  }),
  scopes: ["emails:read"],
  writes: false,
  readsOutside: ALWAYS_OUTSIDE,
  async run({ ctx, timeZone }, { query, since, until, ...rest }) {
    const { data } = await listEmails(ctx, {
      ...rest,
      direction: "inbound",
      status: "inbox",
      ...(query && { q: query }),
      ...(since && { since: instantOf(since, timeZone) }),
      ...(until && { until: instantOf(until, timeZone) }),
    });
    return { mails: data.map(viewOf) };
  },
});

const readMail = defineTool({
  name: "read_mail",
  description: "Read one mail: its text, a summary, and what it asks for.",
  input: z.object({ id: Id }),
  scopes: ["emails:read"],
  writes: false,
  readsOutside: ALWAYS_OUTSIDE,
  async run({ ctx, timeZone }, { id }): Promise<MailReading> {
    const [mail, analysis] = await Promise.all([getEmail(ctx, id), readAnalysis(ctx, id, timeZone)]);
    return {
      ...viewOf({ ...mail, analysis }),
      body: firstCharacters(mail.body, BODY_CHARACTERS),
      summary: analysis.summary,
      actionItems: analysis.actionItems.slice(0, 10).map(({ text, dueAt }) => ({ text, dueAt })),
    };
  },
});

export const MAIL_TOOLS = [findMail, readMail];
