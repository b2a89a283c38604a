import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { type Context, timeZoneOf } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { compiledQuery } from "../../db/compiled-query.ts";
import { keyset, type Page, type PageRequest } from "../../db/page.ts";
import { emails, emailTags, tags } from "../../db/schema/emails.ts";
import { type Direction, type EmailKind, type EmailStatus, LATEST_EMAIL, type Urgency } from "../../lib/email-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { type Match, matchOfText } from "../../lib/search-query.ts";
import { lowerBound, upperBound } from "../../lib/time-zone.ts";
import { type SummaryRow, summaryColumns, toSummary } from "./record.ts";
import type { EmailQuery, EmailSummary } from "./schemas.ts";

/** The search index. Its row numbers follow `received_at`; see the triggers. */
const emailsSearch = sqliteTable("emails_search", { position: integer("rowid") });

/** Newest first. For every combination of filters one index gives the order, so that a page reads only its own rows. */
export async function listEmails(ctx: Context, query: EmailQuery): Promise<Page<EmailSummary>> {
  const pages = keyset(ctx, "emails, newest first", [emails.receivedAt, emails.id], "desc");
  const words = query.q?.trim() ? matchOfText(query.q, COLUMNS) : undefined;
  if (words === null) return { data: [], nextCursor: null };
  const after = pages.key(query.cursor);
  const zone = () => timeZoneOf(ctx);
  const given: Filters = {
    ...query,
    kind: query.kind === "bulk" ? "newsletter" : query.kind,
    q: words && expressionOf(words, query),
    since: withinYears(lowerBound(zone, query.since)),
    until: withinYears(upperBound(zone, query.until)),
    cursor: after && "given",
  };
  const build = words === undefined ? buildList : buildSearch;
  const rows = await selectSummaries(ctx.db, shapeOf(given), () => build(ctx, given).limit(value("rows")), {
    ...given,
    afterTime: after?.[0],
    afterId: after?.[1],
    now: ctx.now.getTime(),
    rows: query.limit + 1,
  });
  return pages.page(rows, query, (row) => [row.receivedAt.getTime(), row.id], toSummary);
}

const COLUMNS = { all: "{subject sender recipients cc body files}", hasStems: true };

/** What never changes about an email is in the index as well. */
function expressionOf({ isExcept, expression }: Match, { kind, direction }: EmailQuery): string {
  const facets = [
    direction ? `d${direction}` : "(dinbound OR doutbound)",
    ...(kind ? [`k${kind === "bulk" ? "newsletter" : kind.replace("_", "")}`] : []),
  ].join(" AND ");
  return isExcept ? `facets : (${facets}) NOT ${expression}` : `${expression} AND facets : (${facets})`;
}

type Filters = Omit<EmailQuery, "since" | "until" | "kind"> & { since?: number; until?: number; kind?: EmailKind };

/** Emails are from 1970 to 2199; other times do not fit a row number of the search index. */
function withinYears(moment: Date | undefined): number | undefined {
  return moment && Math.min(Math.max(moment.getTime(), 0), LATEST_EMAIL.getTime());
}

const selectSummaries = compiledQuery<SummaryRow>();

/** A value that the compiled query is given when it runs. */
const value = (name: string) => sql.placeholder(name);

/** What the text of the query depends on: the values that it contains literally, and which of the others are given. */
function shapeOf(query: Filters): string {
  const { status, direction, unread, starred, snoozed, q, tag, threadId, urgency, kind, since, until, cursor } = query;
  const present = [q, tag, threadId, kind, since, until, cursor].map((each) => (each === undefined ? 0 : 1));
  return [status, direction, unread, starred, snoozed, urgency, ...present].join(" ");
}

type Columns = typeof summaryColumns | typeof ID_ONLY;

const ID_ONLY = { id: emails.id };

/** Reads `emails`, or with a tag `email_tags`, in the order of its index. */
function buildList(ctx: Context, query: Filters, columns: Columns = summaryColumns) {
  const { tag, status, unread, since, until, cursor } = query;
  // The trash has no rows there.
  const isByTag = tag !== undefined && status !== "trash";
  const table = isByTag ? "email_tags" : "emails";
  const column = (name: string) => sql.raw(`${table}.${name}`);
  const id = column(isByTag ? "email_id" : "id");
  const receivedAt = column("received_at");
  const select = ctx.db.select(columns);
  // A cross join makes SQLite keep the order of the loops: tags first, then their emails.
  const source = isByTag ? select.from(emailTags).crossJoin(emails) : select.from(emails);
  return source
    .where(
      and(
        isByTag ? sql`email_tags.tag = ${value("tag")} AND emails.id = email_tags.email_id` : hasTag(query),
        status && sql`${column("status")} = ${literal(status)}`,
        unread === undefined ? undefined : flag(column("is_read"), !unread),
        since === undefined ? undefined : sql`${receivedAt} >= ${value("since")}`,
        until === undefined ? undefined : sql`${receivedAt} < ${value("until")}`,
        hasWords(query),
        ...commonFilters(query),
        cursor === undefined ? undefined : sql`(${receivedAt}, ${id}) < (${value("afterTime")}, ${value("afterId")})`,
      ),
    )
    .orderBy(sql`${receivedAt} DESC, ${id} DESC`);
}

/** Up to this many emails that match the filters are tested for the words one by one. */
const FEW = 1000;

/**
 * The search index gives the order. But with a filter that few emails match, most of its hits would be read in vain, so
 * then the matching emails are read and tested for the words. The branch that is not used has LIMIT 0 and reads nothing.
 */
function buildSearch(ctx: Context, query: Filters) {
  const matching = countOfFilters(query);
  if (matching === undefined) return buildWordList(ctx, query);
  const isRare = sql`${matching} <= ${sql.raw(String(FEW))}`;
  const few = sql`${buildList(ctx, query, ID_ONLY).getSQL()} LIMIT iif(${isRare}, ${value("rows")}, 0)`;
  const many = sql`${buildWordList(ctx, query, ID_ONLY).getSQL()} LIMIT iif(${isRare}, 0, ${value("rows")})`;
  return (
    ctx.db
      .select(summaryColumns)
      .from(emails)
      .where(sql`emails.id IN (SELECT id FROM (SELECT id FROM (${few}) UNION ALL SELECT id FROM (${many})))`)
      // The plus keeps SQLite from walking an index in this order to find these few rows.
      .orderBy(sql`+emails.received_at DESC, +emails.id DESC`)
  );
}

/** The smallest of the stored counts of what each filter matches; undefined if no filter has a stored count. */
function countOfFilters(query: Filters): SQL | undefined {
  const { tag, threadId, urgency, status, unread, starred, direction } = query;
  const total = (name: string) => sql`(SELECT ${sql.raw(name)} FROM email_totals)`;
  const counts = [
    tag !== undefined && sql`(SELECT count FROM tags WHERE tag = ${value("tag")})`,
    threadId !== undefined && sql`(SELECT email_count FROM threads WHERE id = ${value("threadId")})`,
    urgency && total(urgency),
    status && total(status),
    unread && total("inbox_unread + archived_unread"),
    starred && total("starred"),
    direction === "outbound" && total("outbound"),
  ].flatMap((count) => (count ? sql`coalesce(${count}, 0)` : []));
  return counts.length > 1 ? sql`min(${sql.join(counts, sql`, `)})` : counts[0];
}

/** Whether an email that was found in another way contains the words; its row in the search index follows from it. */
function hasWords({ q }: Filters): SQL | undefined {
  if (q === undefined) return undefined;
  return sql`EXISTS (SELECT 1 FROM emails_search WHERE emails_search MATCH ${value("q")}
    AND rowid = ((emails.received_at << 20) | (emails.id & 1048575)))`;
}

function hasTag({ tag }: Filters): SQL | undefined {
  return tag === undefined
    ? undefined
    : sql`EXISTS (SELECT 1 FROM json_each(emails.tags) WHERE value = ${value("tag")})`;
}

function buildWordList(ctx: Context, query: Filters, columns: Columns = summaryColumns) {
  const { status, unread, since, until, cursor } = query;
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
        since === undefined ? undefined : sql`${position} >= (${value("since")} << 20)`,
        until === undefined ? undefined : sql`${position} < (${value("until")} << 20)`,
        sql`emails.received_at = (${position} >> 20) AND (emails.id & 1048575) = (${position} & 1048575)`,
        status && sql`emails.status = ${literal(status)}`,
        unread === undefined ? undefined : flag(sql`emails.is_read`, !unread),
        hasTag(query),
        ...commonFilters(query),
      ),
    )
    .orderBy(desc(emailsSearch.position));
}

function commonFilters(query: Filters): (SQL | undefined)[] {
  const { status, direction, starred, snoozed, threadId, urgency, kind } = query;
  const isSnoozed = sql`(emails.snoozed_until IS NOT NULL AND emails.snoozed_until > ${value("now")})`;
  const wanted = snoozed ?? (status === "inbox" ? false : undefined);
  return [
    status === "trash" ? undefined : sql`emails.is_trash = 0`,
    starred === undefined ? undefined : flag(sql`emails.is_starred`, starred),
    direction && sql`emails.direction = ${literal(direction)}`,
    threadId === undefined ? undefined : sql`emails.thread_id = ${value("threadId")}`,
    urgency && sql`emails.urgency IS NOT NULL AND emails.urgency = ${literal(urgency)}`,
    kind && sql`emails.kind = ${value("kind")}`,
    wanted === undefined ? undefined : wanted ? isSnoozed : sql`NOT ${isSnoozed}`,
  ];
}

/** SQLite uses a partial index only for a literal. Only for values of our own enums. */
function literal(word: EmailStatus | Direction | Urgency): SQL {
  return sql.raw(`'${word}'`);
}

function flag(column: SQL, wanted: boolean): SQL {
  return wanted ? sql`${column} = 1` : sql`${column} = 0`;
}

/** The thread of an email, oldest first. */
export async function listThread(ctx: Context, id: number, page: PageRequest): Promise<Page<EmailSummary>> {
  const pages = keyset(ctx, "thread, oldest first", [emails.receivedAt, emails.id], "asc");
  const isInThread = sql`${emails.threadId} = (SELECT thread_id FROM emails WHERE id = ${id})`;
  const rows = await ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(and(isInThread, pages.after(page.cursor)))
    .orderBy(asc(emails.receivedAt), asc(emails.id))
    .limit(page.limit + 1);
  if (rows.length === 0) throw new AppError("not_found", `There is no email ${id}.`);
  return pages.page(rows, page, (row) => [row.receivedAt.getTime(), row.id], toSummary);
}

/** The emails with these ids that exist, in no order. */
export async function summariesByIds(ctx: Context, ids: readonly number[]): Promise<EmailSummary[]> {
  const rows = await ctx.db.select(summaryColumns).from(emails).where(isOneOf(emails.id, ids));
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

/** The statement that reads the tags with the most emails. */
export function selectTopTags(ctx: Pick<Context, "db">, limit: number) {
  return ctx.db
    .select({ tag: tags.tag, count: tags.count })
    .from(tags)
    .orderBy(desc(tags.count), desc(tags.tag))
    .limit(limit);
}
