import { getTableColumns, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { fieldsOf } from "../../db/columns.ts";
import { emails } from "../../db/schema/emails.ts";
import type { EmailInput } from "../../engine/email/email.ts";
import type { Address } from "../../lib/addresses.ts";
import { shownAttachments } from "../../lib/attachments.ts";
import { senderProof } from "../../lib/authentication-results.ts";
import type { TimeReading } from "../../lib/date-habits.ts";
import type { EmailAuthentication, EmailKind, SignInKind, StoredSignIn } from "../../lib/email-kinds.ts";
import { AppError } from "../../lib/errors.ts";
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

/** The mailboxes elsewhere that have the email, as JSON; reads no row for an email that none has. */
const MAILBOXES = sql.raw(`(SELECT json_group_array(json_object('id', b.id, 'label', b.label, 'folder', f.name))
  FROM mailbox_messages g INDEXED BY mailbox_messages_email CROSS JOIN mailbox_folders f ON f.id = g.folder_id
  CROSS JOIN mailboxes b ON b.id = g.mailbox_id WHERE g.email_id = emails.id)`);

/** The columns of an email in a list. Only for threads of several emails, the count is looked up, by key. */
export const summaryColumns = {
  ...shown,
  threadCount:
    sql<number>`iif(emails.has_thread_count, (SELECT t.email_count FROM threads t WHERE t.id = emails.thread_id), 1)`.as(
      "thread_count",
    ),
  mailboxes: sql<string>`${MAILBOXES}`.as("mailbox_places"),
};

/** The same by their names, where a statement in raw SQL gives them. */
export const summaryFields = {
  ...fieldsOf(shown),
  threadCount: sql<number>`thread_count`,
  mailboxes: sql<string>`mailbox_places`,
};

/** The columns of a single email. */
export const emailColumns = { ...summaryColumns, body, html, bcc, deliveredTo, references, rawKey, contentKey };

type Row = typeof emails.$inferSelect & { threadCount: number; mailboxes: string };
export type SummaryRow = Pick<Row, keyof typeof summaryColumns>;
export type EmailRow = Pick<Row, keyof typeof emailColumns>;

/** Whoever reads an email. */
export type Reader = Pick<Context, "actor" | "showsSignIn">;

/** Whether a person reads their own emails. Programs, agents, models, notices and jobs do not see what signs them in. */
export function seesSignIn({ showsSignIn, actor }: Reader): boolean {
  return showsSignIn === true && actor.kind !== "api_key" && actor.kind !== "grant";
}

const WITHHELD: Record<SignInKind, { subject: string; text: string }> = {
  code: {
    subject: "Sign-in code (withheld)",
    text: "This email contains a sign-in code. Its text is shown only to a person who opens it in Mail.",
  },
  link: {
    subject: "Sign-in link (withheld)",
    text: "This email contains a sign-in link. Its text is shown only to a person who opens it in Mail.",
  },
};

/** What this reader may not see of an email; null if that is nothing. Everything that shows an email asks this. */
export function withheldFrom(reader: Reader, { signIn }: { signIn: StoredSignIn | null }) {
  return signIn && !seesSignIn(reader) ? WITHHELD[signIn.kind] : null;
}

/** For what cannot be shown in part, and for whatever passes the email on. */
export function requireShown(reader: Reader, email: { signIn: StoredSignIn | null }, detail?: string): void {
  const withheld = withheldFrom(reader, email);
  if (withheld) throw new AppError("forbidden", detail ?? withheld.text);
}

/** The row as this reader may see it. */
export function shownRow<Row extends Pick<SummaryRow, "signIn" | "subject" | "snippet">>(
  reader: Reader,
  row: Row,
): Row {
  const withheld = withheldFrom(reader, row);
  if (!withheld || !row.signIn) return row;
  const shown = { ...row, subject: withheld.subject, snippet: withheld.text, signIn: { ...row.signIn, code: null } };
  return "attachments" in row ? { ...shown, attachments: [] } : shown;
}

export function toSummary(reader: Reader, stored: SummaryRow): EmailSummary {
  const row = shownRow(reader, stored);
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
    mailboxes: mailboxesOf(row.mailboxes),
    tags: row.tags,
    status: row.status,
    isRead: row.isRead,
    isStarred: row.isStarred,
    listId: row.list?.id ?? null,
    unsubscribe: unsubscribeOf(row.list),
    appliedRules: row.appliedRules ?? [],
    deleteAt: isoTimeOrNull(row.deleteAt),
    snoozedUntil: isoTimeOrNull(row.snoozedUntil),
    followUpAt: isoTimeOrNull(row.followUpAt),
    receivedAt: isoTime(row.receivedAt),
    replyNeeded: row.replyNeeded,
    analysis: row.analysis,
    signIn: row.signIn,
    version: row.version,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** Of an email that was just stored, nothing is known. */
function mailboxesOf(json: string | null): EmailSummary["mailboxes"] {
  return json === null || json === "[]" ? [] : JSON.parse(json);
}

/** Null if the email does not say how to leave its list. */
function unsubscribeOf(list: SummaryRow["list"]): EmailSummary["unsubscribe"] {
  if (!list || (list.url === null && list.mailto === null)) return null;
  return { oneClick: list.oneClick, url: list.url, mailto: list.mailto };
}

export function toEmail(reader: Reader, row: EmailRow, { body, html }: Pick<Email, "body" | "html">): Email {
  return { ...toSummary(reader, row), bcc: row.bcc ?? [], body, html };
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
  signIn?: StoredSignIn | null;
}

/** An email as the engine reads it. Words such as "tomorrow" are counted from when it was received. */
export function toEngineInput(email: ReadableEmail, reading: TimeReading): EmailInput {
  const { body, subject, from, to, receivedAt, kind, authentication, signIn } = email;
  const sender = { name: from.name || null, email: from.email };
  const reference = new Date(receivedAt);
  return { content: body, subject, from: sender, to, reference, ...reading, kind, authentication, signIn };
}
