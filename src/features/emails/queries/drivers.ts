import { type SQL, sql } from "drizzle-orm";
import { LARGE_BYTES, MAY_BE_LARGE } from "../../../db/schema/emails.ts";
import { ASIDE_STATUSES } from "../../../lib/email-kinds.ts";
import type { Filters } from "./filters.ts";

/** A filter whose index may give the emails of a list, and how many those are. */
export interface Driver {
  filter: keyof Filters;
  index: string;
  count: SQL;
}

/** Up to this many emails that match the filters are tested for the words one by one. */
export const FEW = 1000;

/** D1 takes five parts of a UNION: these, the search index and the emails whose snooze has ended. */
const MOST = 3;

/** Those that are rare by nature first. */
export function driversOf({ status, ...filters }: Filters): Driver[] {
  const { threadId, snoozed, replyNeeded, starred, tag, mailbox, category, urgency, unread, larger } = filters;
  const total = (names: string) => sql.raw(`(SELECT ${names} FROM email_totals)`);
  const one = (filter: keyof Filters, index: string, count: SQL): Driver => ({ filter, index, count });
  if (threadId !== undefined) {
    // A thread of one email has no count.
    const count = sql`coalesce((SELECT email_count FROM threads WHERE id = ${sql.placeholder("threadId")}), 0)`;
    return [one("threadId", "emails_thread", count)];
  }
  const inBox = (box: string) => (unread === undefined ? box : unread ? `${box}_unread` : `${box} - ${box}_unread`);
  // All other indexes leave out what is put aside.
  if (status === "aside") return [one("status", "emails_box", total(ASIDE_STATUSES.map(inBox).join(" + ")))];
  if (status === "spam" || status === "trash") return [one("status", "emails_box", total(inBox(status)))];
  const box = status === undefined || status === "any" ? null : status;
  const ofTag = sql`coalesce((SELECT count FROM tags WHERE tag = ${sql.placeholder("tag")}), 0)`;
  const drivers = [
    // Nobody has many.
    snoozed && one("snoozed", "emails_snoozed", sql.raw("0")),
    isLarge(larger) && one("larger", "emails_large", sql.raw("0")),
    replyNeeded && one("replyNeeded", "emails_reply_needed", total("reply_needed")),
    starred && one("starred", "emails_starred", total("starred")),
    tag !== undefined && one("tag", "email_tags", ofTag),
    // How many emails a mailbox has is not counted: a filter that few emails match comes first, and any other after it.
    mailbox !== undefined && one("mailbox", "mailbox_messages_listed", sql.raw(String(FEW + 1))),
    category && one("category", "emails_category", total(category.replace("-", "_"))),
    urgency && one("urgency", "emails_urgency", total(urgency)),
    (box || unread !== undefined) &&
      one("status", "emails_box", total(box ? inBox(box) : `${inBox("inbox")} + ${inBox("archived")}`)),
  ];
  return drivers.flatMap((driver) => driver || []).slice(0, MOST);
}

/** Whether few emails are as large as that. */
export const isLarge = (larger: number | undefined) => larger !== undefined && larger >= LARGE_BYTES;

/** The index that gives the emails of a list without a driver. */
export function indexOf({ kind, direction }: Filters): string {
  return kind ? "emails_kind" : direction === "outbound" ? "emails_outbound" : "emails_listed";
}

/** A part of an index in which emails are in the order of time. */
export interface Range {
  /** Undefined: the primary key, for an email alone. */
  index: string | undefined;
  condition: SQL;
}

/** The ranges in which a driver finds its emails. */
export function rangesOf(driver: Driver, { status, unread }: Filters): Range[] {
  if (driver.filter === "threadId") {
    // An email that was always alone in its thread is not in the index. The thread has its id.
    const thread = sql.placeholder("threadId");
    return [
      { index: driver.index, condition: sql`emails.has_thread_count = 1 AND emails.thread_id = ${thread}` },
      { index: undefined, condition: sql`emails.has_thread_count = 0 AND emails.id = ${thread}` },
    ];
  }
  if (driver.filter === "larger") return [{ index: driver.index, condition: sql.raw(MAY_BE_LARGE) }];
  if (driver.filter === "mailbox") return [{ index: driver.index, condition: sql`email_id IS NOT NULL` }];
  if (driver.filter !== "tag" && driver.filter !== "status") return [{ index: driver.index, condition: sql`1` }];
  const kept = status === undefined || status === "any" ? ["inbox", "archived"] : [status];
  const statuses = status === "aside" ? ASIDE_STATUSES : kept;
  const flags = unread === undefined ? [0, 1] : [unread ? 0 : 1];
  return statuses.flatMap((each) =>
    flags.map((isRead) => ({
      index: driver.index,
      condition: sql.raw(`status = '${each}' AND is_read = ${isRead}`),
    })),
  );
}

/** The smallest of the counts. */
export function rarest(drivers: readonly Driver[]): SQL {
  const counts = drivers.map(({ count }) => count);
  return counts.length > 1 ? sql`min(${sql.join(counts, sql`, `)})` : (counts[0] ?? sql.raw("0"));
}

/** Whether this is the one with the smallest count, of several alike the first. */
export function isRarest(drivers: readonly Driver[], index: number): SQL {
  const count = drivers[index]?.count ?? sql.raw("0");
  const conditions = drivers.flatMap((other, place) =>
    place === index ? [] : [sql`${count} ${sql.raw(place < index ? "<" : "<=")} ${other.count}`],
  );
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql.raw("1");
}
