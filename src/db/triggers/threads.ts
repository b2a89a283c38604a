import { EMAIL_STATUSES } from "../../lib/email-kinds.ts";
import { THREAD_BOXES, THREAD_SUMS } from "../derived-emails.ts";
import { changed, trigger } from "./templates.ts";

/*
 * `threads` has a row for each thread, so that a list of conversations reads that row and one email for each. It has the
 * sums of its emails, who takes part, and for each box the newest email there. Emails that were ever snoozed are left out
 * of the newest: when they are listed depends on the time, so lists look for them by indexes of their own.
 */

type Row = "NEW" | "OLD";

/** Enough for the row of a list. */
const MAX_PARTICIPANTS = 5;
/** So many of the oldest emails say who takes part in a thread. */
const OLDEST = 50;

const SUMS = Object.entries(THREAD_SUMS);
const BOXES = Object.entries(THREAD_BOXES);

/** A part of a thread's emails that an index gives in order; an email that was always alone is not in that index. */
const emailsOf = (thread: string, order: "ASC" | "DESC", limit: number, where = "1") => `
    SELECT * FROM (SELECT * FROM emails INDEXED BY emails_thread
      WHERE thread_id = ${thread} AND has_thread_count = 1 AND ${where}
      ORDER BY received_at ${order}, id ${order} LIMIT ${limit})
    UNION ALL SELECT * FROM emails WHERE id = ${thread} AND thread_id = id AND has_thread_count = 0 AND ${where}`;

/** Who wrote these emails, and to whom the person wrote: name, address and whether it is the person, each address once. */
function people(from: string, email: string): string {
  const of = (own: string, member: string) => `iif(p.type = 'null', ${email}.${own}, p.value ->> '${member}')`;
  // The sender is the null among the recipients.
  return `(SELECT json_group_array(json_array(name, email, is_me)) FROM (
    SELECT ${of("from_name", "name")} AS name, ${of("from_email", "email")} AS email,
      p.type = 'null' AND ${email}.direction = 'outbound' AS is_me,
      min(printf('%015d%015d%d%06d', ${email}.received_at, ${email}.id, p.type <> 'null', p.key)) AS place
    FROM ${from} json_each(iif(${email}.direction = 'outbound', json_insert(${email}.to_recipients, '$[#]', NULL), '[null]')) p
    GROUP BY lower(${of("from_email", "email")}) ORDER BY place LIMIT ${MAX_PARTICIPANTS}))`;
}
const peopleOf = (thread: string) => people(`(${emailsOf(thread, "ASC", OLDEST)}) e CROSS JOIN`, "e");

const isKnown = (address: string) =>
  `EXISTS (SELECT 1 FROM json_each(threads.participants) WHERE lower(value ->> 1) = lower(${address}))`;
const SOMEBODY_IS_NEW = `json_array_length(threads.participants) < ${MAX_PARTICIPANTS} AND (NOT ${isKnown("NEW.from_email")}
      OR (NEW.direction = 'outbound' AND EXISTS (
        SELECT 1 FROM json_each(NEW.to_recipients) r WHERE NOT ${isKnown("r.value ->> 'email'")})))`;

/** An email comes into a thread. One statement for each status, since an UPDATE writes every index whose columns it names. */
function join(status: string): string {
  const boxes = BOXES.filter(([, statuses]) => statuses.includes(status)).map(([box]) => box);
  const isNewer = (box: string) =>
    `NEW.snoozed_until IS NULL AND (${box}_at IS NULL OR (${box}_at, ${box}_id) < (NEW.received_at, NEW.id))`;
  const newest = (column: string) => `iif(NEW.snoozed_until IS NULL, NEW.${column}, NULL)`;
  const values: Record<string, string> = {
    id: "NEW.thread_id",
    email_count: "1",
    ...Object.fromEntries(SUMS.map(([column, about]) => [column, about("NEW")])),
    ...Object.fromEntries(
      boxes.flatMap((box) => [
        [`${box}_at`, newest("received_at")],
        [`${box}_id`, newest("id")],
      ]),
    ),
    participants: people("", "NEW"),
  };
  const sums = ["email_count", ...SUMS.map(([column]) => column)].map(
    (column) => `${column} = ${column} + excluded.${column}`,
  );
  const heads = boxes.flatMap((box) => [
    `${box}_at = iif(${isNewer(box)}, NEW.received_at, ${box}_at)`,
    `${box}_id = iif(${isNewer(box)}, NEW.id, ${box}_id)`,
  ]);
  return `INSERT INTO threads (${Object.keys(values).join(", ")}) VALUES (${Object.values(values).join(",\n    ")})
  ON CONFLICT (id) DO UPDATE SET ${[...sums, ...heads].join(",\n    ")},
    participants = iif(${SOMEBODY_IS_NEW}, ${peopleOf("NEW.thread_id")}, participants)`;
}

/** Finds the newest email of a box again. */
function refresh(box: string, statuses: readonly string[], row: Row, when: string): string {
  const isIn = `status IN ('${statuses.join("', '")}') AND snoozed_until IS NULL`;
  return `UPDATE threads SET (${box}_at, ${box}_id) = (
    SELECT received_at, id FROM (${emailsOf(`${row}.thread_id`, "DESC", 1, isIn)}) LIMIT 1)
  WHERE id = ${row}.thread_id AND ${when}`;
}

/** An email leaves a thread; the last one takes the row with it. */
const LEAVE = [
  "DELETE FROM threads WHERE id = OLD.thread_id AND email_count = 1",
  `UPDATE threads SET email_count = email_count - 1,
    ${SUMS.map(([column, about]) => `${column} = ${column} - (${about("OLD")})`).join(",\n    ")},
    participants = ${peopleOf("OLD.thread_id")}
  WHERE id = OLD.thread_id`,
  ...BOXES.map(([box, statuses]) => refresh(box, statuses, "OLD", `${box}_id = OLD.id`)),
];

const isIn = (statuses: readonly string[], row: Row) =>
  `(${row}.status IN ('${statuses.join("', '")}') AND ${row}.snoozed_until IS NULL)`;

const IS_SNOOZE = "(NEW.snoozed_until IS NULL) <> (OLD.snoozed_until IS NULL)";

/** Emails learn that their thread has several, see `has_thread_count`. */
const SEVERAL = `UPDATE emails SET has_thread_count = 1
  WHERE has_thread_count = 0 AND thread_id = NEW.thread_id AND id IN (NEW.id, NEW.thread_id)`;

export const THREADS = [
  trigger(
    "emails_has_thread_count",
    "AFTER INSERT ON emails",
    `NEW.thread_id <> NEW.id OR NEW.has_thread_count = 1
  OR EXISTS (SELECT 1 FROM emails WHERE thread_id = NEW.thread_id AND has_thread_count = 1 AND id <> NEW.id)`,
    SEVERAL,
  ),
  ...EMAIL_STATUSES.flatMap((status) => [
    trigger(`threads_insert_${status}`, "AFTER INSERT ON emails", `NEW.status = '${status}'`, join(status)),
    trigger(
      `threads_join_${status}`,
      "AFTER UPDATE OF thread_id ON emails",
      `NEW.status = '${status}' AND NEW.thread_id <> OLD.thread_id`,
      join(status),
    ),
  ]),
  // Emails change threads only when two threads are merged. The Message-IDs of the old thread move along, so that later
  // replies to its emails find the merged thread. That is muted only if both were: no email may be missed.
  trigger(
    "threads_move",
    "AFTER UPDATE OF thread_id ON emails",
    "NEW.thread_id <> OLD.thread_id",
    "UPDATE thread_messages SET thread_id = NEW.thread_id WHERE thread_id = OLD.thread_id",
    `DELETE FROM muted_threads WHERE thread_id = NEW.thread_id
    AND NOT EXISTS (SELECT 1 FROM muted_threads WHERE thread_id = OLD.thread_id)`,
    SEVERAL,
    ...LEAVE,
  ),
  // While the thread has other emails, a later reply to the deleted one still joins it.
  trigger(
    "threads_delete",
    "AFTER DELETE ON emails",
    null,
    ...LEAVE,
    `INSERT INTO thread_messages (message_id, thread_id)
  SELECT OLD.message_key, OLD.thread_id
  WHERE OLD.has_thread_count = 1 AND EXISTS (SELECT 1 FROM threads WHERE id = OLD.thread_id)
  ON CONFLICT (message_id) DO NOTHING`,
  ),
  trigger("threads_gone", "AFTER DELETE ON threads", null, "DELETE FROM muted_threads WHERE thread_id = OLD.id"),
  trigger(
    "threads_sums",
    "AFTER UPDATE OF status, is_read, is_starred, snoozed_until ON emails",
    `(${changed("is_read", "is_starred")}) OR ${isAsideChanged()} OR ${IS_SNOOZE}`,
    `UPDATE threads SET ${SUMS.map(
      ([column, about]) => `${column} = ${column} + (${about("NEW")}) - (${about("OLD")})`,
    ).join(",\n    ")}
  WHERE id = NEW.thread_id`,
  ),
  trigger(
    "threads_newest",
    "AFTER UPDATE OF status, snoozed_until ON emails",
    `NEW.status <> OLD.status OR ${IS_SNOOZE}`,
    ...BOXES.map(([box, statuses]) =>
      refresh(
        box,
        statuses,
        "NEW",
        `${isIn(statuses, "NEW")} <> ${isIn(statuses, "OLD")}
    AND (${box}_id IS NULL OR ${box}_id = NEW.id OR (${box}_at, ${box}_id) < (NEW.received_at, NEW.id))`,
      ),
    ),
  ),
];

/** The sums of emails that are kept, in spam and in the trash are apart. */
function isAsideChanged(): string {
  const group = (row: Row) => `iif(${row}.status IN ('spam', 'trash'), ${row}.status, 'kept')`;
  return `${group("NEW")} <> ${group("OLD")}`;
}
