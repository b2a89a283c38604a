import { and, asc, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../../context.ts";
import { keyset, type Page, type PageRequest } from "../../db/page.ts";
import { emails, emailTags, tags } from "../../db/schema/emails.ts";
import type { CursorKey } from "../../lib/cursor.ts";
import { AppError } from "../../lib/errors.ts";
import { searchExpression } from "../../lib/search-query.ts";
import { type SummaryRow, summaryColumns, toSummary } from "./record.ts";
import type { EmailQuery, EmailSummary } from "./schemas.ts";

/** The search index, made by the mail_search migration; its row numbers follow time. */
const emailsSearch = sqliteTable("emails_search", { position: integer("rowid") });

const NEWEST_FIRST = "emails, newest first";

/** Newest first. Whatever is asked for, one index gives the order, so that a page reads only a page. */
export async function listEmails(ctx: Context, query: EmailQuery): Promise<Page<EmailSummary>> {
  const pages = keyset(ctx, NEWEST_FIRST, [emails.receivedAt, emails.id], "desc");
  const words = query.q?.trim() ? searchExpression(query.q) : undefined;
  if (words === null) return { data: [], nextCursor: null };
  const rows = await (words !== undefined
    ? searchRows(ctx, query, words, pages.key(query.cursor))
    : query.tag !== undefined
      ? tagRows(ctx, query, query.tag)
      : mailRows(ctx, query, pages.after(query.cursor)));
  return pages.page(rows, query, (row) => [row.receivedAt.getTime(), row.id], toSummary);
}

function mailRows(ctx: Context, query: EmailQuery, after: SQL | undefined): Promise<SummaryRow[]> {
  const { status, unread, since, until } = query;
  return ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(
      and(
        status && eq(emails.status, status),
        flag(sql`emails.is_read`, unread === undefined ? undefined : !unread),
        since && gte(emails.receivedAt, since),
        until && lt(emails.receivedAt, until),
        ...commonFilters(ctx, query),
        after,
      ),
    )
    .orderBy(desc(emails.receivedAt), desc(emails.id))
    .limit(query.limit + 1);
}

function tagRows(ctx: Context, query: EmailQuery, tag: string): Promise<SummaryRow[]> {
  const { status, unread, since, until } = query;
  const pages = keyset(ctx, NEWEST_FIRST, [emailTags.receivedAt, emailTags.emailId], "desc");
  return (
    ctx.db
      .select(summaryColumns)
      .from(emailTags)
      // A cross join is SQLite's way to fix the order of the loops: tags first, then their mail.
      .crossJoin(emails)
      .where(
        and(
          eq(emailTags.tag, tag),
          eq(emails.id, emailTags.emailId),
          status && eq(emailTags.status, status),
          flag(sql`email_tags.is_read`, unread === undefined ? undefined : !unread),
          since && gte(emailTags.receivedAt, since),
          until && lt(emailTags.receivedAt, until),
          ...commonFilters(ctx, query),
          pages.after(query.cursor),
        ),
      )
      .orderBy(desc(emailTags.receivedAt), desc(emailTags.emailId))
      .limit(query.limit + 1)
  );
}

function searchRows(
  ctx: Context,
  query: EmailQuery,
  words: string,
  after: CursorKey | undefined,
): Promise<SummaryRow[]> {
  const { status, unread, since, until, tag } = query;
  const position = sql`emails_search.rowid`;
  return ctx.db
    .select(summaryColumns)
    .from(emailsSearch)
    .crossJoin(emails)
    .where(
      and(
        sql`emails_search MATCH ${words}`,
        after && sql`${position} < ((${after[0]} << 20) | (${after[1]} & 1048575))`,
        since && sql`${position} >= (${since.getTime()} << 20)`,
        until && sql`${position} < (${until.getTime()} << 20)`,
        sql`emails.received_at = (${position} >> 20) AND (emails.id & 1048575) = (${position} & 1048575)`,
        status && eq(emails.status, status),
        flag(sql`emails.is_read`, unread === undefined ? undefined : !unread),
        tag === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM email_tags WHERE tag = ${tag} AND received_at = emails.received_at AND email_id = emails.id)`,
        ...commonFilters(ctx, query),
      ),
    )
    .orderBy(desc(emailsSearch.position))
    .limit(query.limit + 1);
}

function commonFilters(ctx: Context, query: EmailQuery): (SQL | undefined)[] {
  const { status, direction, starred, snoozed, threadId, urgency } = query;
  const asleep = sql`(emails.snoozed_until IS NOT NULL AND emails.snoozed_until > ${ctx.now.getTime()})`;
  const wanted = snoozed ?? (status === "inbox" ? false : undefined);
  return [
    flag(sql`emails.is_starred`, starred),
    // Written out, like the flags: a partial index is not used for a value the planner cannot see.
    direction && (direction === "outbound" ? sql`emails.direction = 'outbound'` : eq(emails.direction, direction)),
    threadId === undefined ? undefined : eq(emails.threadId, threadId),
    urgency && and(sql`emails.urgency IS NOT NULL`, eq(emails.urgency, urgency)),
    wanted === undefined ? undefined : wanted ? asleep : sql`NOT ${asleep}`,
  ];
}

function flag(column: SQL, wanted: boolean | undefined): SQL | undefined {
  if (wanted === undefined) return undefined;
  return wanted ? sql`${column} = 1` : sql`${column} = 0`;
}

/** The conversation a mail belongs to, oldest first. */
export async function listThread(ctx: Context, id: number, page: PageRequest): Promise<Page<EmailSummary>> {
  const pages = keyset(ctx, "thread, oldest first", [emails.receivedAt, emails.id], "asc");
  const ofThread = sql`${emails.threadId} = (SELECT thread_id FROM emails WHERE id = ${id})`;
  const rows = await ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(and(ofThread, pages.after(page.cursor)))
    .orderBy(asc(emails.receivedAt), asc(emails.id))
    .limit(page.limit + 1);
  if (rows.length === 0) throw new AppError("not_found", `There is no mail ${id}.`);
  return pages.page(rows, page, (row) => [row.receivedAt.getTime(), row.id], toSummary);
}

export async function listTags(ctx: Context, page: PageRequest): Promise<Page<typeof tags.$inferSelect>> {
  const pages = keyset(ctx, "tags", [tags.tag], "asc");
  const rows = await ctx.db
    .select()
    .from(tags)
    .where(pages.after(page.cursor))
    .orderBy(asc(tags.tag))
    .limit(page.limit + 1);
  return pages.page(
    rows,
    page,
    (row) => [row.tag],
    (row) => row,
  );
}

/** The statement that reads the tags most mail has. */
export function selectTopTags(ctx: Context, limit: number) {
  return ctx.db
    .select({ tag: tags.tag, count: tags.count })
    .from(tags)
    .orderBy(desc(tags.count), desc(tags.tag))
    .limit(limit);
}
