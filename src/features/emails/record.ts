import { getTableColumns, sql } from "drizzle-orm";
import { fieldsOf } from "../../db/columns.ts";
import { emails } from "../../db/schema/emails.ts";
import type { EmailInput } from "../../engine/email/email.ts";
import type { Address } from "../../lib/addresses.ts";
import { shownAttachments } from "../../lib/attachments.ts";
import { senderProof } from "../../lib/authentication-results.ts";
import type { TimeReading } from "../../lib/date-habits.ts";
import type { EmailAuthentication, EmailKind } from "../../lib/email-kinds.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-times.ts";
import type { Email, EmailSummary } from "./schemas.ts";

const {
  body,
  html,
  bcc,
  deliveredTo,
  references,
  messageKey,
  hasThreadCount,
  analysisDueAt,
  analysisAttempts,
  ...rest
} = getTableColumns(emails);
// They repeat what other columns say, for filters, or say where the content is.
const { urgency, category, hasAttachments, isAside, rawKey, contentKey, contentSize, objectKey, ...shown } = rest;

/** The columns of an email in a list. Only for threads of several emails, the count is looked up, by key. */
export const summaryColumns = {
  ...shown,
  threadCount:
    sql<number>`iif(emails.has_thread_count, (SELECT t.email_count FROM threads t WHERE t.id = emails.thread_id), 1)`.as(
      "thread_count",
    ),
};

/** The same by their names, where a statement in raw SQL gives them. */
export const summaryFields = { ...fieldsOf(shown), threadCount: sql<number>`thread_count` };

/** The columns of a single email. */
export const emailColumns = { ...summaryColumns, body, html, bcc, deliveredTo, references, rawKey, contentKey };

type Row = typeof emails.$inferSelect & { threadCount: number };
export type SummaryRow = Pick<Row, keyof typeof summaryColumns>;
export type EmailRow = Pick<Row, keyof typeof emailColumns>;

export function toSummary(row: SummaryRow): EmailSummary {
  return {
    id: row.id,
    messageId: row.messageId,
    threadId: row.threadId,
    threadCount: row.threadCount,
    inReplyTo: row.inReplyTo,
    direction: row.direction,
    source: row.source,
    kind: row.kind,
    authentication: row.authentication,
    senderProof: row.direction === "inbound" ? senderProof(row.authentication) : null,
    delivery: row.delivery,
    deliveryError: row.deliveryError,
    sendAt: isoTimeOrNull(row.sendAt),
    identityId: row.identityId,
    from: { name: row.fromName, email: row.fromEmail },
    to: row.to,
    cc: row.cc,
    replyTo: row.replyTo,
    subject: row.subject,
    snippet: row.snippet,
    attachments: shownAttachments(row.attachments),
    rawSize: row.rawSize,
    tags: row.tags,
    status: row.status,
    isRead: row.isRead,
    isStarred: row.isStarred,
    listId: row.list?.id ?? null,
    unsubscribe: unsubscribeOf(row.list),
    appliedRules: row.appliedRules ?? [],
    deleteAt: isoTimeOrNull(row.deleteAt),
    snoozedUntil: isoTimeOrNull(row.snoozedUntil),
    receivedAt: isoTime(row.receivedAt),
    replyNeeded: row.replyNeeded,
    analysis: row.analysis,
    version: row.version,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** Null if the email does not say how to leave its list. */
function unsubscribeOf(list: SummaryRow["list"]): EmailSummary["unsubscribe"] {
  if (!list || (list.url === null && list.mailto === null)) return null;
  return { oneClick: list.oneClick, url: list.url, mailto: list.mailto };
}

export function toEmail(row: EmailRow, { body, html }: Pick<Email, "body" | "html">): Email {
  return { ...toSummary(row), bcc: row.bcc ?? [], body, html };
}

/** The parts of an email that the engine reads. */
export interface ReadableEmail {
  body: string;
  subject: string;
  from: Address;
  to: readonly Address[];
  receivedAt: Date | string;
  kind: EmailKind;
  authentication: EmailAuthentication | null;
}

/** An email as the engine reads it. Words such as "tomorrow" are counted from when it was received. */
export function toEngineInput(email: ReadableEmail, reading: TimeReading): EmailInput {
  const { body, subject, from, to, receivedAt, kind, authentication } = email;
  const sender = { name: from.name || null, email: from.email };
  const reference = new Date(receivedAt);
  return { content: body, subject, from: sender, to, reference, ...reading, kind, authentication };
}
