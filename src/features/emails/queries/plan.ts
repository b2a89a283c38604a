import { and, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { fieldsOf, selectList } from "../../../db/columns.ts";
import { emails } from "../../../db/schema/emails.ts";
import { isAsideStatus } from "../../../lib/email-kinds.ts";
import { summaryColumns, summaryFields } from "../record.ts";
import { factsOf, placedColumns, threadColumns, threadFields } from "../threads/columns.ts";
import { type Driver, driversOf, FEW, indexOf, isLarge, isRarest, type Range, rangesOf, rarest } from "./drivers.ts";
import { type Filters, matches, namedMailbox, rowConditions, shapeOfFilters } from "./filters.ts";
import { conditionOf, type Search } from "./search.ts";

/** What the statement of a page depends on. */
export interface ListPlan {
  filters: Filters;
  /** Whether the value `q` is a full-text expression. */
  hasWords: boolean;
  /** Whether the received emails are all that is asked for. Then `q` asks the search index for them. */
  isReceived: boolean;
  others: Search["others"];
  leavesOutSignIn: boolean;
  /** Whether an email whose snooze has ended is listed at that time, not at the time it was received. */
  isByWaking: boolean;
  /** Only one email of each thread: the first of those that match. */
  isByThread: boolean;
  hasCursor: boolean;
  /** Whether only ids and places are read, without what a list shows. */
  isPlacesOnly?: boolean;
  now: Date;
}

/** For so long an email whose snooze has ended is listed at that time. */
export const WOKEN_DAYS = 30;

/** A value that the compiled query is given when it runs. */
const value = (name: string) => sql.placeholder(name);
const ROWS = sql`${value("rows")}`;

/** What the text of the statement depends on; null if it also contains values, so that it is not worth keeping. */
export function shapeOf(plan: ListPlan): string | null {
  const { filters, hasWords, others, leavesOutSignIn, isByWaking, isByThread, hasCursor } = plan;
  if (others.length > 0) return null;
  const { isPlacesOnly = false } = plan;
  return [
    shapeOfFilters(filters),
    isLarge(filters.larger),
    hasWords,
    leavesOutSignIn,
    isByWaking,
    isByThread,
    hasCursor,
    isPlacesOnly,
  ].join(" ");
}

/**
 * The statement for a page. Each of its parts reads emails in the order of an index, so that none reads more than the
 * page. `list.ts` puts them in order: the database would count each row once more.
 */
export function selectPage(ctx: Pick<Context, "db">, plan: ListPlan) {
  return ctx.db.select(plan.isByThread ? threadFields : summaryFields).from(rowsOf(plan));
}

/** The places of the emails of a page: fewer columns, for what is changed and not shown. */
export function selectPlaces(ctx: Pick<Context, "db">, plan: ListPlan) {
  return ctx.db.select(placeFields).from(rowsOf({ ...plan, isPlacesOnly: true }));
}

/** How many emails match, and conversations, of as many as are counted. */
export function selectCount(ctx: Pick<Context, "db">, plan: ListPlan) {
  return ctx.db
    .select({
      emails: sql<number>`count(*)`.as("emails"),
      conversations: sql<number>`count(DISTINCT thread_id)`.as("conversations"),
      newestId: sql<number | null>`(SELECT max(id) FROM emails)`.as("newest_id"),
    })
    .from(rowsOf({ ...plan, isPlacesOnly: true }));
}

function rowsOf(plan: ListPlan): SQL {
  const parts = partsOf(plan).map(({ rows, limit = ROWS }) => sql`SELECT * FROM (${rows} LIMIT ${limit})`);
  return sql`(${sql.join(parts, sql` UNION ALL `)})`;
}

const { id, threadId, receivedAt } = emails;
const placeFields = fieldsOf({ id, threadId, receivedAt });
export type PlaceRow = Pick<typeof emails.$inferSelect, "id" | "threadId" | "receivedAt">;

interface Part {
  rows: SQL;
  /** Default: the rows of a page. */
  limit?: SQL;
}

function partsOf(plan: ListPlan): Part[] {
  const { filters, hasWords, isReceived, isByWaking } = plan;
  const woken = isByWaking ? [{ rows: byWaking(plan) }] : [];
  const box = boxOf(plan);
  if (box) return [{ rows: byThread(plan, box) }, ...woken];
  if (hasWords) return [...wordParts(plan), ...woken];
  if (isReceived) return [...receivedParts(plan), ...woken];
  if (filters.status !== "any") return [...timeParts(plan, filters), ...woken];
  const { status: _, ...kept } = filters;
  return [...timeParts(plan, kept), ...timeParts(plan, { ...filters, status: "aside" }), ...woken];
}

/** A part for each filter whose index may be used: the one that the fewest emails match is, the others have LIMIT 0. */
function timeParts(plan: ListPlan, filters: Filters, condition?: SQL): Part[] {
  const drivers = driversOf(filters);
  if (drivers.length === 0) return [{ rows: inTime(plan, filters, undefined) }];
  return drivers.map((driver, index) => ({
    rows: inTime(plan, filters, driver),
    limit:
      drivers.length > 1 || condition
        ? sql`iif(${isRarest(drivers, index)}${condition ? sql` AND ${condition}` : sql``}, ${ROWS}, 0)`
        : ROWS,
  }));
}

/**
 * The search index gives the order. But with a filter that few emails match, most of its hits would be read in vain, so
 * then the matching emails are read and tested for the words.
 */
function wordParts(plan: ListPlan): Part[] {
  const words = byWords(plan);
  const drivers = plan.filters.status === "any" ? [] : driversOf(plan.filters);
  if (drivers.length === 0) return [{ rows: words }];
  const isRare = sql`${rarest(drivers)} <= ${sql.raw(String(FEW))}`;
  return [...timeParts(plan, plan.filters, isRare), { rows: words, limit: sql`iif(${isRare}, 0, ${ROWS})` }];
}

/** Most emails are received. While few were sent, all emails are read and the sent ones are skipped. */
function receivedParts(plan: ListPlan): Part[] {
  const isNearlyAll = sql.raw(`(SELECT outbound FROM email_totals) <= ${FEW}`);
  return [
    { rows: inTime(plan, plan.filters, undefined), limit: sql`iif(${isNearlyAll}, ${ROWS}, 0)` },
    { rows: byWords(plan), limit: sql`iif(${isNearlyAll}, 0, ${ROWS})` },
  ];
}

const SUMMARY = selectList(summaryColumns);
const THREAD = selectList(threadColumns);
const PLACED = selectList(placedColumns);
/** The filters that the ranges of an index already answer. */
const ANSWERED: Partial<Record<keyof Filters, readonly (keyof Filters)[]>> = {
  threadId: ["threadId"],
  tag: ["tag", "status", "unread"],
  mailbox: ["mailbox"],
  status: ["status", "unread"],
};
const PLACE = selectList({ id, threadId, receivedAt });
const columnsOf = ({ isByThread, isPlacesOnly }: ListPlan) => (isPlacesOnly ? PLACE : isByThread ? THREAD : SUMMARY);

/** Emails in the order of an index, or of several ranges of one. */
function inTime(plan: ListPlan, filters: Filters, driver: Driver | undefined): SQL {
  const ranges = driver ? rangesOf(driver, filters) : [{ index: indexOf(filters), condition: sql`1` }];
  const listed = driver && LISTED[driver.filter];
  const answered = (driver && ANSWERED[driver.filter]) ?? [];
  const conditions = [
    ...conditionsOn("emails", { ...plan, filters }, answered),
    isFirstOfThread(plan, "received_at"),
    plan.isByWaking ? sql`NOT ${isWoken("emails")}` : undefined,
  ];
  const columns = columnsOf(plan);
  // A cross join makes SQLite read the places first, in their order.
  if (listed || (ranges.length > 1 && (plan.others.length > 0 || plan.isByThread)))
    return sql`SELECT ${columns} FROM ${placesIn(listed ?? BY_EMAIL, ranges, plan, filters)} AS place
      CROSS JOIN emails ON emails.id = place.id WHERE ${and(...conditions) ?? sql`1`}`;
  const parts = ranges.map(({ index, condition }) => {
    // SQLite would not know which index leads to the fewest emails.
    const from = sql.raw(index ? `emails INDEXED BY ${index}` : "emails");
    return sql`SELECT ${columns} FROM ${from} WHERE ${and(condition, ...conditions, isAfter(plan, "emails.id"))}`;
  });
  return sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY ${sql.raw("emails.received_at DESC, emails.id DESC")}`;
}

/** Whether a row comes after the cursor. */
const isAfter = (plan: ListPlan, id: string, time = "received_at") =>
  plan.hasCursor ? sql`(${sql.raw(`${time}, ${id}`)}) < (${value("afterTime")}, ${value("afterId")})` : undefined;

/** A box that `threads` knows the newest email of. */
type Box = "kept" | Exclude<Filters["status"], "any" | "aside" | undefined>;

/** The box that is all a list of conversations asks for; null if it asks for more. */
function boxOf({ filters, hasWords, others, isByThread, isByWaking }: ListPlan): Box | null {
  const { status = "kept", ...more } = filters;
  const isMore = hasWords || others.length > 0 || !isByWaking || Object.values(more).some((each) => each !== undefined);
  return !isByThread || isMore || status === "any" || status === "aside" ? null : status;
}

/**
 * The conversations of a box: two rows for each, that of its thread and its newest email there. `threads` does not know
 * of emails that were ever snoozed, which are few: they are merged in by an index of their own.
 */
function byThread(plan: ListPlan, box: Box): SQL {
  const facts = factsOf(box === "spam" || box === "trash" ? box : "kept");
  const index = sql.raw(`threads_${box}`);
  const [at, id] = [`t.${box}_at`, `t.${box}_id`];
  const isSnoozed = and(
    sql`emails.snoozed_until IS NOT NULL AND NOT ${isWoken("emails")}`,
    ...conditionsOn("emails", plan),
    isAfter(plan, "emails.id", "emails.received_at"),
    sql`(${sql.raw(at)} IS NULL OR ${sql.raw(`(${at}, ${id}) < (emails.received_at, emails.id)`)})`,
  );
  return sql`SELECT ${PLACED} FROM (
      SELECT ${sql.raw(`${at} AS at, ${id} AS id`)}, ${facts} AS facts, t.snoozed_count AS snoozed FROM threads t INDEXED BY ${index}
      WHERE ${and(sql`${sql.raw(at)} IS NOT NULL`, isAfter(plan, id, at))}
      UNION ALL
      SELECT emails.received_at, emails.id, ${facts}, t.snoozed_count FROM emails INDEXED BY emails_snoozed
      CROSS JOIN threads t ON t.id = emails.thread_id WHERE ${isSnoozed}
      ORDER BY at DESC, id DESC LIMIT -1) AS place
    CROSS JOIN emails ON emails.id = place.id WHERE place.snoozed = 0 OR ${isBeforeSnoozed(plan, "place.at")}`;
}

/** Whether no email of the thread that was ever snoozed comes before the one at this time. */
function isBeforeSnoozed(plan: ListPlan, time: string): SQL {
  const place = sql`iif(${isWoken("n")}, n.snoozed_until, n.received_at), n.id`;
  const other = and(...conditionsOn("n", plan), sql`(${place}) > (${sql.raw(time)}, emails.id)`);
  return sql`NOT EXISTS (SELECT 1 FROM emails n INDEXED BY emails_woken_thread
    WHERE n.thread_id = emails.thread_id AND n.snoozed_until IS NOT NULL AND ${other})`;
}

/** Whether an email whose snooze has ended is the first of its conversation in a box. */
function isFirstInBox(plan: ListPlan, box: Box): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM threads t WHERE t.id = emails.thread_id
    AND ${sql.raw(`(t.${box}_at, t.${box}_id) > (emails.snoozed_until, emails.id)`)})
    AND ${isBeforeSnoozed(plan, "emails.snoozed_until")}`;
}

/**
 * The time and id of the emails in these ranges, merged as they are read. Used for tags, for mailboxes, for searches with alternatives,
 * whose many values must not be in the statement once for each range, and for conversations: a range whose emails are not
 * the first of theirs would be read to its end. The limit is for SQLite, which ignores the order of a subquery without one.
 */
function placesIn(
  { table, id, is, isRepeated = false }: Listing,
  ranges: readonly Range[],
  plan: ListPlan,
  { since, until }: Filters,
): SQL {
  const parts = ranges.map(({ condition }) => {
    const where = and(
      is?.(),
      condition,
      since === undefined ? undefined : sql`received_at >= ${value("since")}`,
      until === undefined ? undefined : sql`received_at < ${value("until")}`,
      isAfter(plan, id),
    );
    return sql`SELECT ${sql.raw(`${isRepeated ? "DISTINCT " : ""}received_at AS at, ${id} AS id FROM ${table}`)} WHERE ${where}`;
  });
  return sql`(${sql.join(parts, sql` UNION ALL `)} ORDER BY at DESC, id DESC LIMIT -1)`;
}

/** A table or index that has the time and id of emails. */
interface Listing {
  table: string;
  id: string;
  is?(): SQL;
  /** It may have an email more than once. */
  isRepeated?: boolean;
}

const BY_EMAIL: Listing = { table: "emails", id: "id" };
/** Tables beside the emails, which are read in the order of time for one tag or one mailbox. */
const LISTED: Partial<Record<keyof Filters, Listing>> = {
  tag: { table: "email_tags", id: "email_id", is: () => sql`tag = ${value("tag")}` },
  mailbox: {
    table: "mailbox_messages INDEXED BY mailbox_messages_listed",
    id: "email_id",
    is: () => sql`mailbox_id = ${namedMailbox(value("mailbox"))}`,
    isRepeated: true,
  },
};

/** The hits of the search index, newest first. */
function byWords(plan: ListPlan): SQL {
  const { status, since, until } = plan.filters;
  const position = sql`emails_search.rowid`;
  const where = and(
    sql`emails_search MATCH ${value("q")}`,
    plan.hasCursor ? sql`${position} < ((${value("afterTime")} << 20) | (${value("afterId")} & 1048575))` : undefined,
    since === undefined ? undefined : sql`${position} >= (${value("since")} << 20)`,
    until === undefined ? undefined : sql`${position} < (${value("until")} << 20)`,
    // The index begins with whether an email is put aside.
    status === "any" || (status && isAsideStatus(status)) ? sql`emails.is_aside IN (0, 1)` : undefined,
    sql`emails.received_at = (${position} >> 20) AND (emails.id & 1048575) = (${position} & 1048575)`,
    ...conditionsOn("emails", { ...plan, hasWords: false }, ["since", "until"]),
    isFirstOfThread(plan, "received_at"),
    plan.isByWaking ? sql`NOT ${isWoken("emails")}` : undefined,
  );
  return sql`SELECT ${columnsOf(plan)} FROM emails_search CROSS JOIN emails INDEXED BY emails_listed
    WHERE ${where} ORDER BY ${position} DESC`;
}

/** The emails whose snooze has ended, the latest first. */
function byWaking(plan: ListPlan): SQL {
  const place = sql`emails.snoozed_until, emails.id`;
  const box = boxOf(plan);
  const where = and(
    isWoken("emails"),
    ...conditionsOn("emails", plan),
    box ? isFirstInBox(plan, box) : isFirstOfThread(plan, "snoozed_until"),
    plan.hasCursor ? sql`(${place}) < (${value("afterTime")}, ${value("afterId")})` : undefined,
  );
  return sql`SELECT ${columnsOf(plan)} FROM emails INDEXED BY emails_woken WHERE ${where}
    ORDER BY emails.snoozed_until DESC, emails.id DESC`;
}

function isWoken(alias: string): SQL {
  const until = sql.raw(`${alias}.snoozed_until`);
  return sql`(${until} IS NOT NULL AND ${until} > ${value("wokenSince")} AND ${until} <= ${value("now")})`;
}

/** All that a list asks for, as conditions on a row. */
function conditionsOn(alias: string, plan: ListPlan, skipped: readonly (keyof Filters)[] = []): SQL[] {
  return [
    ...rowConditions(alias, plan.filters, (name) => value(name), skipped),
    ...(plan.hasWords ? [matches(alias, value("q"))] : []),
    ...(plan.leavesOutSignIn ? [sql.raw(`${alias}.sign_in IS NULL`)] : []),
    ...plan.others.map((other) => conditionOf(alias, other, plan.now)),
  ];
}

/** Whether no other email of its thread that matches comes before it. */
function isFirstOfThread(plan: ListPlan, time: "received_at" | "snoozed_until"): SQL | undefined {
  if (!plan.isByThread) return undefined;
  const place = sql.raw(`(emails.${time}, emails.id)`);
  const isOther = (index: string, other: SQL | undefined) =>
    sql`EXISTS (SELECT 1 FROM emails n INDEXED BY ${sql.raw(index)}
      WHERE n.thread_id = emails.thread_id AND n.has_thread_count = 1 AND ${other})`;
  const conditions = conditionsOn("n", plan);
  const isNewer = isOther(
    "emails_thread",
    and(sql`(n.received_at, n.id) > ${place}`, ...conditions, plan.isByWaking ? sql`NOT ${isWoken("n")}` : undefined),
  );
  const isWokenLater = isOther(
    "emails_woken_thread",
    and(isWoken("n"), sql`(n.snoozed_until, n.id) > ${place}`, ...conditions),
  );
  return sql`(emails.has_thread_count = 0 OR NOT (${isNewer}${plan.isByWaking ? sql` OR ${isWokenLater}` : sql``}))`;
}
