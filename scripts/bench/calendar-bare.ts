// The calendar as plain Hono with the same queries: what overlaps a window, by classes of length so that an
// index serves it, and the series beside it; the same answer, without validation, series or cursors.
import { Hono } from "hono";

export const calendarBare = new Hono<{ Bindings: { DB: D1Database } }>();

const HOUR = 3_600_000;
export const CLASSES = [1, 8, 64, 1024, 65_536].map((hours, span) => ({ span, longest: hours * HOUR }));
const NOT_CANCELLED = " AND status IN ('tentative', 'confirmed')";

/** Parameters: ?1 start, ?2 end, ?3 rows. */
function overlapping(filter: string): string {
  const arms = CLASSES.map(
    ({ span, longest }) =>
      `SELECT id, start_at FROM events WHERE span = ${span} AND start_at >= ?1 - ${longest} AND start_at < ?2 AND end_at > ?1${filter}`,
  );
  const page = `${arms.join(" UNION ALL ")} ORDER BY start_at, id LIMIT ?3`;
  return `SELECT * FROM (SELECT events.* FROM (${page}) AS page CROSS JOIN events ON events.id = page.id)
    UNION ALL SELECT * FROM events WHERE series_end > ?1 AND start_at < ?2${filter}`;
}

const MONTH = overlapping("");
const UPCOMING = overlapping(NOT_CANCELLED);
const BUSY = `SELECT start_at, end_at, NULL AS rrule FROM
    (SELECT column1 AS span, column2 AS longest FROM (VALUES ${CLASSES.map(({ span, longest }) => `(${span}, ${longest})`).join(", ")})) AS spans
    CROSS JOIN events WHERE events.span = spans.span AND start_at > ?1 - spans.longest AND start_at < ?2 AND end_at > ?1
      AND busy = 1 AND status <> 'cancelled'
  UNION ALL SELECT start_at, end_at, rrule FROM events
    WHERE series_end > ?1 AND start_at < ?2 AND busy = 1 AND status <> 'cancelled'`;

interface Row {
  [column: string]: string | number | null;
  start_at: number;
  end_at: number;
  created_at: number;
  updated_at: number;
  attendees: string;
  tags: string;
  exdates: string;
}

const iso = (moment: number) => new Date(moment).toISOString();

function toEvent(row: Row) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    start: iso(row.start_at),
    end: iso(row.end_at),
    allDay: row.start_date !== null,
    startDate: row.start_date,
    endDate: row.end_date,
    timeZone: row.time_zone,
    location: row.location,
    meetingUrl: row.meeting_url,
    status: row.status,
    busy: row.busy === 1,
    source: row.source,
    bookingId: row.booking_id,
    organizer: row.organizer,
    attendees: JSON.parse(row.attendees),
    tags: JSON.parse(row.tags),
    notes: row.notes,
    emailId: row.email_id,
    icalUid: row.ical_uid,
    sequence: row.sequence,
    rescheduledFromId: row.rescheduled_from_id,
    cancelReason: row.cancel_reason,
    externalStatus: row.external_status,
    externalUpdatedAt: row.external_updated_at,
    rrule: row.rrule,
    exdates: JSON.parse(row.exdates),
    recurringEventId: row.recurring_event_id,
    originalStart: row.original_start,
    version: row.version,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}

async function page(db: D1Database, query: string, start: number, end: number, limit: number) {
  const { results } = await db
    .prepare(query)
    .bind(start, end, limit + 1)
    .all<Row>();
  results.sort((a, b) => a.start_at - b.start_at);
  return { data: results.slice(0, limit).map(toEvent), nextCursor: results.length > limit ? "next" : null };
}

calendarBare.get("/events", async (c) => {
  const { start = "", end = "" } = c.req.query();
  return c.json(await page(c.env.DB, MONTH, Date.parse(start), Date.parse(end), 50));
});

calendarBare.get("/upcoming", async (c) => {
  const now = Date.now();
  return c.json(await page(c.env.DB, UPCOMING, now, now + 30 * 24 * HOUR, 50));
});

calendarBare.get("/freebusy", async (c) => {
  const { start = "", end = "" } = c.req.query();
  const [from, until] = [Date.parse(start), Date.parse(end)];
  const { results } = await c.env.DB.prepare(BUSY).bind(from, until).all<Row>();
  const busy: { start: number; end: number }[] = [];
  for (const { start_at, end_at } of results.sort((a, b) => a.start_at - b.start_at)) {
    const last = busy.at(-1);
    if (last && start_at <= last.end) last.end = Math.max(last.end, end_at);
    else busy.push({ start: start_at, end: end_at });
  }
  return c.json({ start, end, busy: busy.map((one) => ({ start: iso(one.start), end: iso(one.end) })) });
});
