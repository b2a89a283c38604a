import { type SQL, sql } from "drizzle-orm";
import {
  type Category,
  type Direction,
  type EmailKind,
  type EmailStatus,
  isAsideStatus,
  type Urgency,
} from "../../../lib/email-kinds.ts";
import { endingsOf, type FileKind } from "../../../lib/file-kinds.ts";

/** What a list asks for, by its parameters and by the operators of its search. */
export interface Filters {
  /** Undefined: all but spam and trash, which together are `aside`. */
  status?: EmailStatus | "any" | "aside";
  direction?: Direction;
  unread?: boolean;
  starred?: boolean;
  snoozed?: boolean;
  hasAttachment?: boolean;
  /** A file of this kind is attached. */
  fileKind?: FileKind;
  replyNeeded?: boolean;
  kind?: EmailKind;
  category?: Category;
  urgency?: Urgency;
  tag?: string;
  threadId?: number;
  /** A connected mailbox: its id, its label or its address, in lower case. */
  mailbox?: string;
  /** Addresses in lower case. */
  from?: string;
  to?: string;
  /** Milliseconds. The end is exclusive. */
  since?: number;
  until?: number;
  /** Bytes. */
  larger?: number;
  smaller?: number;
}

/** How a value gets into a condition: as a placeholder by its name, or bound. */
type Bind = (name: keyof Filters | "now", value: string | number) => unknown;

/**
 * Each filter as a condition on a row of `emails`, which the statement calls `alias`. SQLite uses a partial index only
 * for a literal, so what our own enums and flags say is part of the text.
 */
export function rowConditions(
  alias: string,
  filters: Filters,
  bind: Bind,
  skipped: readonly (keyof Filters)[] = [],
): SQL[] {
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  const is = (name: string, word: string) => sql`${column(name)} = ${sql.raw(`'${word}'`)}`;
  const flag = (name: string, wanted: boolean) => sql`${column(name)} = ${sql.raw(wanted ? "1" : "0")}`;
  const given = { ...filters, ...Object.fromEntries(skipped.map((name) => [name, undefined])) };
  const { status, direction, unread, starred, snoozed, hasAttachment, replyNeeded, kind, category, urgency } = given;
  const { fileKind, tag, threadId, mailbox, from, to, since, until, larger, smaller } = given;
  const isAside = status !== undefined && (status === "aside" || isAsideStatus(status));
  const isKept = !isAside && status !== "any" && !skipped.includes("status");
  const isAsleep = sql`(${column("snoozed_until")} IS NOT NULL AND ${column("snoozed_until")} > ${bind("now", 0)})`;
  const asleep = snoozed ?? (filters.status === "inbox" ? false : undefined);
  const conditions = [
    isKept && flag("is_aside", false),
    status === "aside" && flag("is_aside", true),
    status && status !== "any" && status !== "aside" && is("status", status),
    direction && is("direction", direction),
    unread !== undefined && flag("is_read", !unread),
    starred !== undefined && flag("is_starred", starred),
    asleep !== undefined && (asleep ? isAsleep : sql`NOT ${isAsleep}`),
    hasAttachment !== undefined && flag("has_attachments", hasAttachment),
    replyNeeded && flag("reply_needed", true),
    // An email that is not analyzed yet is not known to need a reply.
    replyNeeded === false && sql`${column("reply_needed")} IS NOT 1`,
    kind && is("kind", kind),
    category && sql`${column("category")} IS NOT NULL AND ${is("category", category)}`,
    urgency && sql`${column("urgency")} IS NOT NULL AND ${is("urgency", urgency)}`,
    tag !== undefined && sql`EXISTS (SELECT 1 FROM json_each(${column("tags")}) WHERE value = ${bind("tag", tag)})`,
    threadId !== undefined && sql`${column("thread_id")} = ${bind("threadId", threadId)}`,
    mailbox !== undefined && isInMailbox(column("id"), bind("mailbox", mailbox)),
    from !== undefined && sql`lower(${column("from_email")}) = ${bind("from", from)}`,
    to !== undefined && isRecipient(column, bind("to", to)),
    since !== undefined && sql`${column("received_at")} >= ${bind("since", since)}`,
    until !== undefined && sql`${column("received_at")} < ${bind("until", until)}`,
    fileKind && hasFile(column, fileKind),
    larger !== undefined && sql`${sizeIn(column)} > ${bind("larger", larger)}`,
    smaller !== undefined && sql`${sizeIn(column)} < ${bind("smaller", smaller)}`,
  ];
  return conditions.flatMap((condition) => condition || []);
}

/** The id of the mailbox that a filter names. A label is never a number, and there is one mailbox of a label. */
export function namedMailbox(name: unknown): SQL {
  return sql`(SELECT id FROM mailboxes WHERE CAST(id AS TEXT) = ${name} OR lower(label) = ${name} OR address = ${name}
    ORDER BY id LIMIT 1)`;
}

function isInMailbox(id: SQL, name: unknown): SQL {
  return sql`EXISTS (SELECT 1 FROM mailbox_messages g INDEXED BY mailbox_messages_email
    WHERE g.email_id = ${id} AND g.mailbox_id = ${namedMailbox(name)})`;
}

function isRecipient(column: (name: string) => SQL, address: unknown): SQL {
  const isIn = (name: string) =>
    sql`EXISTS (SELECT 1 FROM json_each(${column(name)}) WHERE lower(value ->> 'email') = ${address})`;
  return sql`(${isIn("to_recipients")} OR ${isIn("cc_recipients")} OR ${isIn("bcc_recipients")})`;
}

function hasFile(column: (name: string) => SQL, kind: FileKind): SQL {
  const endings = endingsOf(kind).map((ending) => sql.raw(`value ->> 'name' LIKE '%.${ending}'`));
  return sql`(${column("has_attachments")} = 1 AND EXISTS (SELECT 1 FROM json_each(${column("attachments")})
    WHERE value ->> 'inline' IS NULL AND (${sql.join(endings, sql` OR `)})))`;
}

/** Of the message as it arrived; otherwise of its text and files. */
function sizeIn(column: (name: string) => SQL): SQL {
  const text = sql`coalesce(${column("content_size")}, octet_length(${column("body")}) + coalesce(octet_length(${column("html")}), 0))`;
  const files = sql`(SELECT coalesce(sum(value ->> 'size'), 0) FROM json_each(${column("attachments")}))`;
  return sql`coalesce(${column("raw_size")}, ${text} + ${files})`;
}

/** The filters that are part of a statement's text; of the others, only whether they are given. */
export function shapeOfFilters(filters: Filters): string {
  const { status, direction, unread, starred, snoozed, hasAttachment, replyNeeded, kind, category, urgency } = filters;
  const { fileKind, tag, threadId, mailbox, from, to, since, until, larger, smaller } = filters;
  const present = [tag, threadId, mailbox, from, to, since, until, larger, smaller].map((each) =>
    each === undefined ? 0 : 1,
  );
  const literals = [
    status,
    direction,
    unread,
    starred,
    snoozed,
    hasAttachment,
    replyNeeded,
    kind,
    category,
    urgency,
    fileKind,
  ];
  return [...literals, ...present].join(" ");
}

/** The place of an email in the search index; see the triggers. */
const positionOf = (alias: string): SQL => sql.raw(`((${alias}.received_at << 20) | (${alias}.id & 1048575))`);

/** Whether an email that was found in another way matches an expression. */
export function matches(alias: string, expression: unknown): SQL {
  return sql`EXISTS (SELECT 1 FROM emails_search WHERE emails_search MATCH ${expression}
    AND rowid = ${positionOf(alias)})`;
}
