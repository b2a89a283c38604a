import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { selectList } from "../../db/columns.ts";
import { contacts } from "../../db/schema/contacts.ts";
import { missedWrite } from "../../db/version.ts";
import { shownAttachments } from "../../lib/attachments.ts";
import { isoTime } from "../../lib/iso-times.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { eventsWithin } from "../calendar/events/list.ts";
import { NOT_CANCELLED } from "../calendar/series/expansion.ts";
import { type SummaryRow, shownRow, summaryColumns, summaryFields, toSummary } from "../emails/record.ts";
import { selectOpenTasks } from "../tasks/list.ts";
import { toTask } from "../tasks/record.ts";
import type { ContactRelated } from "./schemas.ts";

const EVENTS = 5;
const EVENT_DAYS = 90;
const TASKS = 5;
const UNANSWERED = 5;
const FILES = 8;
/** So many hits of the search index, or open tasks, are looked at: the cost does not grow with what is stored. */
const LOOKED_AT = 100;

/** What one has with a person. One round trip, so the statements take the addresses from the contact themselves. */
export async function relatedTo(ctx: Context, id: number): Promise<ContactRelated> {
  const { db, now } = ctx;
  const window = { start: now.getTime(), end: now.getTime() + EVENT_DAYS * DAY_MS };
  const calendar = eventsWithin(ctx, window, EVENTS, sql`${NOT_CANCELLED} AND ${isAtEvent(id, "events")}`);
  const [known, singles, series, open, unanswered, withFiles] = await db.batch([
    db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id)),
    ...calendar.statements,
    selectTasks(ctx, id),
    selectEmails(ctx, unansweredBy(id, now)),
    selectEmails(ctx, emailsWithFiles(id)),
  ]);
  if (known.length === 0) throw missedWrite(undefined, `contact ${id}`);
  return {
    events: calendar.read(singles, series),
    tasks: open.map(toTask),
    unanswered: unanswered.map((row) => toSummary(ctx, row)),
    files: withFiles.flatMap((row) => filesOf(shownRow(ctx, row))).slice(0, FILES),
  };
}

const addressesOf = (id: number) =>
  sql`(SELECT value FROM json_each((SELECT addresses FROM contacts WHERE id = ${id})))`;

/** Whether one of the people in a JSON list has an address of the contact. */
const isAmong = (id: number, people: string) =>
  sql`EXISTS (SELECT 1 FROM json_each(${sql.raw(people)}) WHERE lower(value ->> 'email') IN ${addressesOf(id)})`;

function isAtEvent(id: number, alias: string): SQL {
  const people = `json_insert(${alias}.attendees, '$[#]', json(${alias}.organizer))`;
  return sql`((${sql.raw(`${alias}.attendees <> '[]' OR ${alias}.organizer IS NOT NULL`)}) AND ${isAmong(id, people)})`;
}

function isOfEmail(id: number, alias: string): SQL {
  const isSender = sql`lower(${sql.raw(alias)}.from_email) IN ${addressesOf(id)}`;
  return sql`(${isSender} OR ${isAmong(id, `${alias}.to_recipients`)} OR ${isAmong(id, `${alias}.cc_recipients`)})`;
}

/** Open tasks of emails and events with this person, by due time. */
function selectTasks(ctx: Context, id: number) {
  const isOf = sql`(EXISTS (SELECT 1 FROM emails e WHERE e.id = tasks.email_id AND ${isOfEmail(id, "e")})
    OR EXISTS (SELECT 1 FROM events o WHERE o.id = tasks.event_id AND o.deleted_at IS NULL AND ${isAtEvent(id, "o")}))`;
  return selectOpenTasks(ctx, isOf, { among: LOOKED_AT, limit: TASKS });
}

function selectEmails({ db }: Context, rows: SQL) {
  return db.select(summaryFields).from(sql`(${rows})`);
}

/** The newest emails that the search index has for the person's addresses. It does not know where one begins. */
function newestWith(id: number, columns: string, facet: string, before: number, where: SQL, limit: number): SQL {
  const phrases = sql.raw(`group_concat('"' || replace(value, '"', ' ') || '"', ' OR ')`);
  // Without an address it asks for no word, which finds nothing.
  const match = sql`(SELECT coalesce(${sql.raw(`'{${columns}} : (' || `)}${phrases}${sql.raw(` || ') AND facets : ${facet}'`)}, '""')
    FROM json_each((SELECT addresses FROM contacts WHERE id = ${id})))`;
  const hits = sql`SELECT rowid AS place FROM emails_search WHERE emails_search MATCH ${match}
    AND rowid < (${before} << 20) ORDER BY rowid DESC LIMIT ${LOOKED_AT}`;
  return sql`SELECT ${selectList(summaryColumns)} FROM (${hits}) AS hit CROSS JOIN emails INDEXED BY emails_listed
    WHERE emails.is_aside = 0 AND emails.received_at = (hit.place >> 20) AND (emails.id & 1048575) = (hit.place & 1048575)
      AND ${where} ORDER BY hit.place DESC LIMIT ${limit}`;
}

/** Emails to the person that are the last word in their threads. An automatic reply is no answer. */
function unansweredBy(id: number, now: Date): SQL {
  const isLater = sql.raw(`later.thread_id = emails.thread_id AND later.has_thread_count = 1
    AND (later.received_at, later.id) > (emails.received_at, emails.id) AND later.status <> 'spam'`);
  const isWord = sql.raw(`iif(later.direction = 'inbound', later.kind NOT IN ('auto_reply', 'bounce'),
    later.delivery IS NULL OR later.delivery = 'sent')`);
  const where = sql`(emails.delivery IS NULL OR emails.delivery = 'sent') AND ${isAmong(id, "emails.to_recipients")}
    AND (emails.has_thread_count = 0 OR NOT EXISTS (
      SELECT 1 FROM emails later INDEXED BY emails_thread WHERE ${isLater} AND ${isWord}))`;
  return newestWith(id, "recipients", "doutbound", now.getTime() - DAY_MS, where, UNANSWERED);
}

/** Far away: every time of an email fits into the index. */
const ALWAYS = 2 ** 43 - 1;

function emailsWithFiles(id: number): SQL {
  return newestWith(id, "sender recipients cc", "hattachment", ALWAYS, isOfEmail(id, "emails"), FILES);
}

function filesOf({ id, subject, status, receivedAt, attachments }: SummaryRow): ContactRelated["files"] {
  return shownAttachments(attachments)
    .filter(({ inline }) => !inline)
    .map(({ n, name, type, size }) => ({
      emailId: id,
      n,
      name,
      type,
      size,
      subject,
      status,
      receivedAt: isoTime(receivedAt),
    }));
}
