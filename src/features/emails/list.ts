import { and, asc, desc, inArray, type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { compiledQuery } from "../../db/compiled-query.ts";
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
  const rows = await selectSummaries(ctx.db, shapeOf(given), () => build(ctx, given).limit(value("rows")), {
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

const selectSummaries = compiledQuery<SummaryRow>();

/** Stands for a value of the query; what is not given has no condition. */
const value = (name: string) => sql.placeholder(name);

/** Flags, status and direction stand in the text itself, for the sake of partial indexes; of the rest only their presence. */
function shapeOf(query: EmailQuery): string {
  const { status, direction, unread, starred, snoozed, q, tag, threadId, urgency, since, until, cursor } = query;
  const present = [q, tag, threadId, urgency, since, until, cursor].map((each) => (each === undefined ? 0 : 1));
  return [status, direction, unread, starred, snoozed, ...present].join(" ");
}

type Columns = typeof summaryColumns | typeof ID_ONLY;

const ID_ONLY = { id: emails.id };

function buildList(ctx: Context, query: EmailQuery, columns: Columns = summaryColumns) {
  const { status, unread, since, until, cursor } = query;
  return ctx.db
    .select(columns)
    .from(emails)
    .where(
      and(
        status && sql`emails.status = ${literal(status)}`,
        unread === undefined ? undefined : flag(sql`emails.is_read`, !unread),
        since && sql`emails.received_at >= ${value("since")}`,
        until && sql`emails.received_at < ${value("until")}`,
        hasWords(query),
        ...commonFilters(query),
        cursor === undefined
          ? undefined
          : sql`(emails.received_at, emails.id) < (${value("afterTime")}, ${value("afterId")})`,
      ),
    )
    .orderBy(desc(emails.receivedAt), desc(emails.id));
}

function buildTagList(ctx: Context, query: EmailQuery, columns: Columns = summaryColumns) {
  const { status, unread, since, until, cursor } = query;
  return (
    ctx.db
      .select(columns)
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
          hasWords(query),
          ...commonFilters(query),
          cursor === undefined
            ? undefined
            : sql`(email_tags.received_at, email_tags.email_id) < (${value("afterTime")}, ${value("afterId")})`,
        ),
      )
      .orderBy(desc(emailTags.receivedAt), desc(emailTags.emailId))
  );
}

/** Up to so many mails that a filter lets through are looked at one by one for the words. */
const FEW = 1000;

/**
 * The search index gives the order, but with a filter that lets few mails through it would be read in vain; those
 * few are walked then, and tried for the words. The way that is not taken has a limit of none, and reads nothing.
 */
function buildSearch(ctx: Context, query: EmailQuery) {
  const kept = keptCount(query);
  if (kept === undefined) return buildWordList(ctx, query);
  const isRare = sql`${kept} <= ${sql.raw(String(FEW))}`;
  const byFilter = query.tag === undefined ? buildList : buildTagList;
  const few = sql`${byFilter(ctx, query, ID_ONLY).getSQL()} LIMIT iif(${isRare}, ${value("rows")}, 0)`;
  const many = sql`${buildWordList(ctx, query, ID_ONLY).getSQL()} LIMIT iif(${isRare}, 0, ${value("rows")})`;
  return (
    ctx.db
      .select(summaryColumns)
      .from(emails)
      .where(sql`emails.id IN (SELECT id FROM (SELECT id FROM (${few}) UNION ALL SELECT id FROM (${many})))`)
      // With a plus no index gives the order, and so none is walked in search of these few.
      .orderBy(sql`+emails.received_at DESC, +emails.id DESC`)
  );
}

/** The smallest of the kept counts of what the filters let through; undefined when none of them is counted. */
function keptCount({ tag, threadId, urgency, status, unread, starred, direction }: EmailQuery): SQL | undefined {
  const counter = (area: string, key: SQL) =>
    sql`(SELECT value FROM counters WHERE area = ${sql.raw(`'${area}'`)} AND key = ${key})`;
  const counts = [
    tag !== undefined && sql`(SELECT count FROM tags WHERE tag = ${value("tag")})`,
    threadId !== undefined && sql`(SELECT email_count FROM threads WHERE id = ${value("threadId")})`,
    urgency && counter("emails_by_urgency", sql`${value("urgency")}`),
    status && counter("emails_by_status", literal(status)),
    unread && counter("emails", sql`'unread'`),
    starred && counter("emails", sql`'starred'`),
    direction === "outbound" && counter("emails", sql`'outbound'`),
  ].flatMap((count) => (count ? sql`coalesce(${count}, 0)` : []));
  return counts.length > 1 ? sql`min(${sql.join(counts, sql`, `)})` : counts[0];
}

/** For a mail that was found by other means; its place in the search index is known. */
function hasWords({ q }: EmailQuery): SQL | undefined {
  if (q === undefined) return undefined;
  return sql`EXISTS (SELECT 1 FROM emails_search WHERE emails_search MATCH ${value("q")}
    AND rowid = ((emails.received_at << 20) | (emails.id & 1048575)))`;
}

function buildWordList(ctx: Context, query: EmailQuery, columns: Columns = summaryColumns) {
  const { status, unread, since, until, tag, cursor } = query;
  const position = sql`emails_search.rowid`;
  return ctx.db
    .select(columns)
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
    .orderBy(desc(emailsSearch.position));
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

/** Those of the mails that are there, as lists show them, in no order. */
export async function summariesByIds(ctx: Context, ids: readonly number[]): Promise<EmailSummary[]> {
  const rows = await ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(inArray(emails.id, anyOf(ids)));
  return rows.map(toSummary);
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
export function selectTopTags(ctx: Pick<Context, "db">, limit: number) {
  return ctx.db
    .select({ tag: tags.tag, count: tags.count })
    .from(tags)
    .orderBy(desc(tags.count), desc(tags.tag))
    .limit(limit);
}
