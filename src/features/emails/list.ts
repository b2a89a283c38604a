import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { compiledQuery } from "../../db/compiled-query.ts";
import { keyset, listPage, type Page, type PageRequest } from "../../db/page.ts";
import { emails, tags } from "../../db/schema/emails.ts";
import { LATEST_EMAIL } from "../../lib/email-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { endingsOf, fileKindOf } from "../../lib/file-kinds.ts";
import type { Match } from "../../lib/search-query.ts";
import { plainWords } from "../../lib/search-syntax.ts";
import { DAY_MS, lowerBound, upperBound } from "../../lib/time-zone.ts";
import { readingFor } from "../people/reading.ts";
import { driversOf } from "./queries/drivers.ts";
import type { Filters } from "./queries/filters.ts";
import { type ListPlan, selectPage, shapeOf, WOKEN_DAYS } from "./queries/plan.ts";
import type { Conversation, EmailFile, EmailQuery, FileQuery } from "./queries/schemas.ts";
import { readSearch, withinYears } from "./queries/search.ts";
import { seesSignIn, summaryColumns, toSummary } from "./record.ts";
import type { EmailSummary } from "./schemas.ts";
import { type ThreadRow, toConversation } from "./threads/record.ts";

/** A mailbox by its label or address, for callers that do not know its id. */
type Asked = EmailQuery & { mailbox?: string | undefined };

/** Newest first. For every combination of filters one index gives the order, so that a page reads only its own rows. */
export async function listEmails(ctx: Context, query: Asked): Promise<Page<EmailSummary>> {
  return readPage(ctx, query, "emails", toSummary);
}

/** Conversations by their newest email that matches, which also is what a page ends with. */
export async function listConversations(ctx: Context, query: EmailQuery): Promise<Page<Conversation>> {
  return readPage(ctx, query, "threads", toConversation);
}

/** Attached files, those of the newest email first. An email's files may be on two pages. */
export async function listFiles(ctx: Context, { kind, ...query }: FileQuery): Promise<Page<EmailFile>> {
  const pages = keyset(ctx, "files, newest first", [], "desc");
  // Where the email before ended, and how many files of the next one were listed.
  const [time, before, part, listed] = pages.key(query.cursor) ?? [];
  const after = typeof time === "number" && typeof before === "number" ? ([time, before] as const) : undefined;
  const asked = { ...filtersOf(ctx, query), hasAttachment: true, ...(kind && { fileKind: kind }) };
  const { rows } = await readRows(ctx, query, asked, { what: "emails", after, isByWaking: false });
  const data: EmailFile[] = [];
  let last = after;
  for (const row of rows) {
    const skipped = row.id === part ? Number(listed) : 0;
    const files = filesOf(ctx, row, kind);
    for (const [index, file] of files.entries()) {
      if (index < skipped) continue;
      if (data.length === query.limit) {
        const [at, id] = last ?? [LATEST_EMAIL.getTime(), 0];
        return { data, nextCursor: pages.cursor([at, id, row.id, index]) };
      }
      data.push(file);
    }
    last = [row.receivedAt.getTime(), row.id];
  }
  const isMore = rows.length > query.limit && last !== undefined;
  return { data, nextCursor: isMore && last ? pages.cursor([...last, 0, 0]) : null };
}

function filesOf(ctx: Context, row: ThreadRow, kind: FileQuery["kind"]): EmailFile[] {
  const { id, direction, status, from, subject, receivedAt, attachments } = toSummary(ctx, row);
  return attachments
    .map(({ n, name, type, size, inline }) => ({ n, name, type, size, inline, kind: fileKindOf(name) }))
    .filter((file) => !file.inline && (kind === undefined || file.kind === kind))
    .map(({ inline: _, ...file }) => ({ emailId: id, ...file, from, subject, direction, status, receivedAt }));
}

async function readPage<Item>(
  ctx: Context,
  query: Asked,
  what: "emails" | "threads",
  toItem: (ctx: Context, row: ThreadRow) => Item,
): Promise<Page<Item>> {
  const pages = keyset(ctx, `${what}, newest first`, [], "desc");
  const after = pages.key(query.cursor);
  const { rows, timeOf } = await readRows(ctx, query, filtersOf(ctx, query), { what, after });
  return pages.page(
    rows,
    query,
    (row) => [timeOf(row), row.id],
    (row) => toItem(ctx, row),
  );
}

interface Reading {
  what: "emails" | "threads";
  /** Where the page before ended. */
  after?: readonly unknown[] | undefined;
  rows: number;
  /** Default: where nothing else gives the order. */
  isByWaking?: boolean;
}

/** The rows of a page and one more, in order. */
async function readRows(ctx: Context, query: Asked, asked: Filters, reading: Omit<Reading, "rows">) {
  const planned = planFor(ctx, query, asked, { ...reading, rows: query.limit + 1 });
  const wokenSince = ctx.now.getTime() - WOKEN_DAYS * DAY_MS;
  const timeOf = ({ snoozedUntil, receivedAt }: ThreadRow) => {
    const woken = planned?.plan.isByWaking ? (snoozedUntil?.getTime() ?? 0) : 0;
    return woken > wokenSince && woken <= ctx.now.getTime() ? woken : receivedAt.getTime();
  };
  if (!planned) return { rows: [], timeOf };
  const { plan, values } = planned;
  const rows = await selectRows[reading.what](ctx.db, shapeOf(plan), ({ db }) => selectPage({ db }, plan), values);
  return { rows: rows.sort((a, b) => timeOf(b) - timeOf(a) || b.id - a.id), timeOf };
}

type Selection = Omit<Asked, "cursor" | "limit">;

/** What the statement of a page depends on, and its values; null if nothing can match. */
export const planOf = (ctx: Context, query: Selection, reading: Reading) =>
  planFor(ctx, query, filtersOf(ctx, query), reading);

function planFor(ctx: Context, query: Selection, asked: Filters, { what, after, rows, isByWaking }: Reading) {
  const isSearch = query.q !== undefined && query.q.trim() !== "";
  const search = isSearch ? readSearch(query.q ?? "", asked, { now: ctx.now, reading: () => readingFor(ctx) }) : null;
  if (isSearch && search === null) return null;
  const filters = search?.filters ?? asked;
  const q = expressionOf(search?.words ?? null, query, filters);
  const isReceived = q === null && isOnlyReceived(filters);
  const isInTime = isSearch || filters.since !== undefined || filters.until !== undefined;
  const plan: ListPlan = {
    // A search must not tell a program which words such an email has.
    leavesOutSignIn: search?.readsTexts === true && !ctx.findsSignIn && !seesSignIn(ctx),
    filters,
    hasWords: q !== null,
    isReceived,
    others: search?.others ?? [],
    isByWaking: isByWaking ?? (!isInTime && filters.threadId === undefined),
    isByThread: what === "threads",
    hasCursor: after !== undefined,
    now: ctx.now,
  };
  const values = {
    ...filters,
    q: isReceived ? RECEIVED : q,
    afterTime: after?.[0],
    afterId: after?.[1],
    now: ctx.now.getTime(),
    wokenSince: ctx.now.getTime() - WOKEN_DAYS * DAY_MS,
    rows,
  };
  return { plan, values };
}

const selectRows = { emails: compiledQuery<ThreadRow>(summaryColumns), threads: compiledQuery<ThreadRow>() };

function filtersOf(ctx: Context, query: Selection): Filters {
  const { status, direction, unread, starred, snoozed, hasAttachment, replyNeeded, category, urgency } = query;
  const bound = (moment: Date | undefined) => moment && withinYears(moment);
  const address = (text: string | undefined) => (text && ADDRESS.test(text) ? text.toLowerCase() : undefined);
  return {
    ...{ status, direction, unread, starred, snoozed, hasAttachment, replyNeeded, category, urgency },
    kind: query.kind === "bulk" ? "newsletter" : query.kind,
    tag: query.tag,
    threadId: query.threadId,
    mailbox: query.mailbox?.toLowerCase() ?? query.mailboxId?.toString(),
    from: address(query.from),
    to: address(query.to),
    since: bound(lowerBound(() => timeZoneOf(ctx), query.since)),
    until: bound(upperBound(() => timeZoneOf(ctx), query.until)),
  };
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/**
 * What the full-text index is asked: the words, people, and what never changes about an email. Null if it is not worth
 * asking: a kind alone, or what was sent, has an index of its own.
 */
function expressionOf(
  words: Match | null,
  { from, to }: Pick<EmailQuery, "from" | "to">,
  filters: Filters,
): string | null {
  const { direction, kind, hasAttachment, fileKind } = filters;
  const people = [
    ...(from === undefined ? [] : [phraseIn("sender", from)]),
    ...(to === undefined ? [] : [phraseIn("{recipients cc}", to)]),
    // Their endings are words of their names; the rows are looked at, too.
    ...(fileKind ? [`files : ("${endingsOf(fileKind).join('" OR "')}")`] : []),
  ];
  const wanted = [...(words && !words.isExcept ? [words.expression] : []), ...people];
  const drivers = driversOf(filters);
  const isRareKind = kind !== undefined || direction === "outbound";
  const isWith = drivers.length > 0 || (kind !== undefined && direction !== undefined);
  if (wanted.length === 0 && !words && !hasAttachment && !(isRareKind && isWith)) return null;
  const facets = [
    ...(direction ? [`d${direction}`] : []),
    ...(kind ? [`k${kind.replace("_", "")}`] : []),
    ...(hasAttachment ? ["hattachment"] : []),
  ];
  // FTS5 cannot leave words out of nothing.
  if (wanted.length + facets.length === 0) facets.push("(dinbound OR doutbound)");
  const all = [...wanted, ...(facets.length > 0 ? [`facets : (${facets.join(" AND ")})`] : [])].join(" AND ");
  return words?.isExcept ? `(${all}) NOT ${words.expression}` : all;
}

const RECEIVED = "facets : dinbound";

/** Received, outside the trash, and nothing else that has an index. */
function isOnlyReceived(filters: Filters): boolean {
  const { direction, kind, status } = filters;
  return direction === "inbound" && kind === undefined && status === undefined && driversOf(filters).length === 0;
}

function phraseIn(columns: string, text: string): string {
  return `${columns} : "${plainWords(text)}"`;
}

/** The thread of an email, oldest first. */
export async function listThread(ctx: Context, id: number, page: PageRequest): Promise<Page<EmailSummary>> {
  const pages = keyset(ctx, "thread, oldest first", [emails.receivedAt, emails.id], "asc");
  const select = (condition: SQL) =>
    ctx.db
      .select(summaryColumns)
      .from(emails)
      .where(and(condition, pages.after(page.cursor)));
  const rows = await select(sql`thread_id = (SELECT thread_id FROM emails WHERE id = ${id}) AND has_thread_count = 1`)
    .unionAll(select(sql`id = ${id} AND has_thread_count = 0`))
    .orderBy(asc(emails.receivedAt), asc(emails.id))
    .limit(page.limit + 1);
  if (rows.length === 0) throw new AppError("not_found", `There is no email ${id}.`);
  return pages.page(
    rows,
    page,
    (row) => [row.receivedAt.getTime(), row.id],
    (row) => toSummary(ctx, row),
  );
}

/** The emails with these ids that exist, in no order. */
export async function summariesByIds(ctx: Context, ids: readonly number[]): Promise<EmailSummary[]> {
  const rows = await ctx.db.select(summaryColumns).from(emails).where(isOneOf(emails.id, ids));
  return rows.map((row) => toSummary(ctx, row));
}

export function listTags(ctx: Context, request: PageRequest): Promise<Page<typeof tags.$inferSelect>> {
  return listPage(ctx, request, { list: "tags", table: tags, by: ["tag"] }, (row) => row);
}

/** The statement that reads the tags with the most emails. */
export function selectTopTags(ctx: Pick<Context, "db">, limit: number) {
  return ctx.db
    .select({ tag: tags.tag, count: tags.count })
    .from(tags)
    .orderBy(desc(tags.count), desc(tags.tag))
    .limit(limit);
}
