import { type SQL, sql } from "drizzle-orm";
import type { Filters } from "./filters.ts";

/** A filter whose index may give the emails of a list, and how many those are. */
export interface Driver {
  filter: keyof Filters;
  /** The columns of the index. An index of another filter is kept from being used. */
  columns: readonly string[];
  count: SQL;
}

/** D1 takes five parts of a UNION: these, the search index and the emails whose snooze has ended. */
const MOST = 3;

/** Those that are rare by nature first. */
export function driversOf({ status, ...filters }: Filters): Driver[] {
  const { threadId, snoozed, replyNeeded, starred, tag, category, urgency, unread } = filters;
  const total = (names: string) => sql.raw(`(SELECT ${names} FROM email_totals)`);
  const one = (filter: keyof Filters, columns: readonly string[], count: SQL): Driver => ({ filter, columns, count });
  if (threadId !== undefined) {
    // A thread of one email has no count.
    const count = sql`coalesce((SELECT email_count FROM threads WHERE id = ${sql.placeholder("threadId")}), 0)`;
    return [one("threadId", ["thread_id"], count)];
  }
  // All other indexes leave out the trash.
  if (status === "trash") return [one("status", ["status", "is_read"], total(unread ? "trash_unread" : "trash"))];
  const box = status === undefined || status === "any" ? null : status;
  const unreadOf = box ? `${box}_unread` : "inbox_unread + archived_unread";
  const ofTag = sql`coalesce((SELECT count FROM tags WHERE tag = ${sql.placeholder("tag")}), 0)`;
  const drivers = [
    // Nobody has many.
    snoozed && one("snoozed", ["snoozed_until"], sql.raw("0")),
    replyNeeded && one("replyNeeded", ["reply_needed"], total("reply_needed")),
    starred && one("starred", ["is_starred"], total("starred")),
    tag !== undefined && one("tag", [], ofTag),
    category && one("category", ["category"], total(category.replace("-", "_"))),
    urgency && one("urgency", ["urgency"], total(urgency)),
    unread && one("unread", ["status", "is_read"], total(unreadOf)),
    box && !unread && one("status", ["status"], total(box)),
  ];
  return drivers.flatMap((driver) => driver || []).slice(0, MOST);
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
