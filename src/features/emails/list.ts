import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../../context.ts";
import { compiledQueries } from "../../db/compiled-query.ts";
import { keyset, type Page, type PageRequest } from "../../db/page.ts";
import { emails, emailTags, tags } from "../../db/schema/emails.ts";
import { type Direction, type EmailStatus, LATEST_MAIL } from "../../lib/email-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { searchExpression } from "../../lib/search-query.ts";
import { type SummaryRow, summaryColumns, toSummary } from "./record.ts";
import type { EmailQuery, EmailSummary } from "./schemas.ts";

/** The search index, made by the mail_search migration; its row numbers follow time. */
const emailsSearch = sqliteTable("emails_search", { position: integer("rowid") });

/** Newest first. Whatever is asked for, one index gives the order, so that a page reads only a page. */
export async function listEmails(ctx: Context, query: EmailQuery): Promise<Page<EmailSummary>> {
  const pages = keyset(ctx, "emails, newest first", [emails.receivedAt, emails.id], "desc");
  const words = query.q?.trim() ? searchExpression(query.q) : undefined;
  if (words === null) return { data: [], nextCursor: null };
  const after = pages.key(query.cursor);
  const given = { ...query, q: words, cursor: after && "given" };
  const build = words !== undefined ? buildSearch : query.tag !== undefined ? buildTagList : buildList;
  const rows = await selectSummaries(ctx.db, shapeOf(given), () => build(ctx, given), {
    ...given,
    since: query.since && withinReach(query.since),
    until: query.until && withinReach(query.until),
    afterTime: after?.[0],
    afterId: after?.[1],
    now: ctx.now.getTime(),
    rows: query.limit + 1,
  });
  return pages.page(rows, query, (row) => [row.receivedAt.getTime(), row.id], toSummary);
}

/** Mail lies between 1970 and 2200; a moment outside would not fit a row number of the search index. */
function withinReach(moment: Date): number {
  return Math.min(Math.max(moment.getTime(), 0), LATEST_MAIL.getTime());
}

const selectSummaries = compiledQueries<SummaryRow>(summaryColumns);

/** Stands for a value of the query; what is not given has no condition. */
const value = (name: string) => sql.placeholder(name);

/** Flags, status and direction stand in the text itself, for the sake of partial indexes; of the rest only their presence. */
function shapeOf(query: EmailQuery): string {
  const { status, direction, unread, starred, snoozed, q, tag, threadId, urgency, since, until, cursor } = query;
  const present = [q, tag, threadId, urgency, since, until, cursor].map((each) => (each === undefined ? 0 : 1));
  return [status, direction, unread, starred, snoozed, ...present].join(" ");
}

function buildList(ctx: Context, query: EmailQuery) {
  const { status, unread, since, until, cursor } = query;
  return ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(
      and(
        status && sql`emails.status = ${literal(status)}`,
        unread === undefined ? undefined : flag(sql`emails.is_read`, !unread),
        since && sql`emails.received_at >= ${value("since")}`,
        until && sql`emails.received_at < ${value("until")}`,
        ...commonFilters(query),
        cursor === undefined
          ? undefined
          : sql`(emails.received_at, emails.id) < (${value("afterTime")}, ${value("afterId")})`,
      ),
    )
    .orderBy(desc(emails.receivedAt), desc(emails.id))
    .limit(value("rows"));
}

function buildTagList(ctx: Context, query: EmailQuery) {
  const { status, unread, since, until, cursor } = query;
  return (
    ctx.db
      .select(summaryColumns)
      .from(emailTags)
      // A cross join is SQLite's way to fix the order of the loops: tags first, then their mail.
      .crossJoin(emails)
      .where(
        and(
          sql`email_tags.tag = ${value("tag")} AND emails.id = email_tags.email_id`,
          status && sql`email_tags.status = ${literal(status)}`,
          unread === undefined ? undefined : flag(sql`email_tags.is_read`, !unread),
          since && sql`email_tags.received_at >= ${value("since")}`,
          until && sql`email_tags.received_at < ${value("until")}`,
          ...commonFilters(query),
          cursor === undefined
            ? undefined
            : sql`(email_tags.received_at, email_tags.email_id) < (${value("afterTime")}, ${value("afterId")})`,
        ),
      )
      .orderBy(desc(emailTags.receivedAt), desc(emailTags.emailId))
      .limit(value("rows"))
  );
}

function buildSearch(ctx: Context, query: EmailQuery) {
  const { status, unread, since, until, tag, cursor } = query;
  const position = sql`emails_search.rowid`;
  return ctx.db
    .select(summaryColumns)
    .from(emailsSearch)
    .crossJoin(emails)
    .where(
      and(
        sql`emails_search MATCH ${value("q")}`,
        cursor === undefined
          ? undefined
          : sql`${position} < ((${value("afterTime")} << 20) | (${value("afterId")} & 1048575))`,
        since && sql`${position} >= (${value("since")} << 20)`,
        until && sql`${position} < (${value("until")} << 20)`,
        sql`emails.received_at = (${position} >> 20) AND (emails.id & 1048575) = (${position} & 1048575)`,
        status && sql`emails.status = ${literal(status)}`,
        unread === undefined ? undefined : flag(sql`emails.is_read`, !unread),
        tag === undefined
          ? undefined
          : sql`EXISTS (SELECT 1 FROM email_tags k WHERE k.tag = ${value("tag")} AND k.received_at = emails.received_at
              AND k.email_id = emails.id)`,
        ...commonFilters(query),
      ),
    )
    .orderBy(desc(emailsSearch.position))
    .limit(value("rows"));
}

function commonFilters({ status, direction, starred, snoozed, threadId, urgency }: EmailQuery): (SQL | undefined)[] {
  const asleep = sql`(emails.snoozed_until IS NOT NULL AND emails.snoozed_until > ${value("now")})`;
  const wanted = snoozed ?? (status === "inbox" ? false : undefined);
  return [
    starred === undefined ? undefined : flag(sql`emails.is_starred`, starred),
    direction && sql`emails.direction = ${literal(direction)}`,
    threadId === undefined ? undefined : sql`emails.thread_id = ${value("threadId")}`,
    urgency && sql`emails.urgency IS NOT NULL AND emails.urgency = ${value("urgency")}`,
    wanted === undefined ? undefined : wanted ? asleep : sql`NOT ${asleep}`,
  ];
}

/** A partial index is not used for a value the planner cannot see. Only for words of our own. */
function literal(word: EmailStatus | Direction): SQL {
  return sql.raw(`'${word}'`);
}

function flag(column: SQL, wanted: boolean): SQL {
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
