import type { Request } from "./case.ts";
import type { Call } from "./client.ts";
import { addEvents, addMails, addTasks, MONTH } from "./rows.ts";
import type { Stage } from "./stage.ts";

/** A data endpoint, asked of our Worker and of the bare one. */
export interface DataCase {
  name: string;
  ours: Request;
  bare: Request;
  status?: number;
  /** What the ratio should be at least, with a session. */
  target: number;
}

const READ = 0.7;
const WRITE = 0.55;

function read(path: string, barePath: string, target = READ): DataCase {
  return { name: `GET ${path.split("&")[0]}`, ours: { path }, bare: { path: `/data${barePath}` }, target };
}

function write(name: string, status: number, request: (turn: number, prefix: string) => Call): DataCase {
  const ours: Request = (turn) => request(turn, "/api");
  return { name, status, ours, bare: (turn) => toBare(request(turn, "/data")), target: WRITE };
}

/** The bare Worker has no groups of paths. */
function toBare(call: Call): Call {
  return { ...call, path: call.path.replace("/calendar", "") };
}

const HOUR = 3_600_000;
/** After all events there are, so that none is in the way. */
const LATER = Date.UTC(2090, 0, 1);
/** Requests of a case change these in turn. */
const RECORDS = 500;
const BODY = "Please send me the figures of the last quarter. I need them for the meeting with the board.";

/** In this order: lists are read before anything is written, and records are deleted last. */
export const DATA_CASES: readonly DataCase[] = [
  read("/api/tasks/77", "/tasks/77"),
  read("/api/tasks", "/tasks"),
  read("/api/tasks?status=done", "/tasks?status=done"),
  read("/api/emails/77", "/emails/77"),
  read("/api/emails", "/emails"),
  read("/api/emails?unread=true", "/emails?unread=1"),
  read("/api/calendar/events/77", "/events/77"),
  { ...read(`/api/calendar/events?${MONTH}`, `/events?${MONTH}`), name: "GET /api/calendar/events (a month)" },
  read("/api/calendar/upcoming", "/upcoming"),
  { ...read(`/api/calendar/freebusy?${MONTH}`, `/freebusy?${MONTH}`), name: "GET /api/calendar/freebusy (a month)" },
  read("/api/stats", "/stats", 0.7),
  write("POST /api/tasks", 201, (turn, prefix) => ({
    method: "POST",
    path: `${prefix}/tasks`,
    body: { title: `Call ${turn}` },
  })),
  write("PATCH /api/tasks/{id}", 200, (turn, prefix) => ({
    method: "PATCH",
    path: `${prefix}/tasks/${(turn % RECORDS) + 1}`,
    body: { priority: turn % (2 * RECORDS) < RECORDS ? "high" : "low" },
  })),
  write("POST /api/emails", 201, (turn, prefix) => ({
    method: "POST",
    path: `${prefix}/emails`,
    body: { from: "Ann Lee <ann@example.com>", to: "hello@example.com", subject: `Report ${turn}`, body: BODY },
  })),
  write("PATCH /api/emails/{id}", 200, (turn, prefix) => ({
    method: "PATCH",
    path: `${prefix}/emails/${(turn % RECORDS) + 1}`,
    body: { isStarred: turn % (2 * RECORDS) < RECORDS },
  })),
  write("POST /api/calendar/events", 201, (turn, prefix) => ({
    method: "POST",
    path: `${prefix}/calendar/events`,
    body: { title: `Call ${turn}`, start: new Date(LATER + turn * HOUR).toISOString(), durationMinutes: 30 },
  })),
  write("PATCH /api/calendar/events/{id}", 200, (turn, prefix) => ({
    method: "PATCH",
    path: `${prefix}/calendar/events/${(turn % RECORDS) + 1}`,
    body: { title: `Changed ${turn}` },
  })),
  ...["tasks", "emails", "calendar/events"].map((path) =>
    write(`DELETE /api/${path}/{id}`, 204, (turn, prefix) => ({
      method: "DELETE",
      path: `${prefix}/${path}/${RECORDS + turn + 1}`,
    })),
  ),
];

/** The tables of the bare Worker: the columns of ours and the rows in them, with the index its lists need. */
const BARE_INDEXES: Record<string, readonly string[]> = {
  tasks: ["due_at, id", "status, due_at, id"],
  emails: ["received_at, id", "is_read, received_at, id"],
  events: ["start_at, id"],
};

/** `filled`: how many there are already, by the name of the group of lists. */
export async function fillData(stage: Stage, records: number, filled: Record<string, number> = {}): Promise<void> {
  await addTasks(stage, filled.tasks ?? 0, records);
  await addMails(stage, filled.mail ?? 0, records);
  await addEvents(stage, filled.events ?? 0, records);
  for (const [table, indexes] of Object.entries(BARE_INDEXES)) await mirror(stage.db, table, indexes);
  await addFigures(stage);
}

async function mirror(db: D1Database, table: string, indexes: readonly string[]): Promise<void> {
  const { results } = await db
    .prepare("SELECT name, type FROM pragma_table_info(?) WHERE name <> 'id'")
    .bind(table)
    .all<{ name: string; type: string }>();
  const names = results.map(({ name }) => name).join(", ");
  const columns = results.map(({ name, type }) => `${name} ${type}`).join(", ");
  await db.prepare(`CREATE TABLE bare_${table} (id INTEGER PRIMARY KEY, ${columns})`).run();
  for (const [number, on] of indexes.entries()) {
    await db.prepare(`CREATE INDEX bare_${table}_${number} ON bare_${table} (${on})`).run();
  }
  await db.prepare(`INSERT INTO bare_${table} (id, ${names}) SELECT id, ${names} FROM ${table}`).run();
}

async function addFigures({ db }: Stage): Promise<void> {
  await db.batch([
    db.prepare("CREATE TABLE bare_figures (area TEXT, key TEXT, value INTEGER, PRIMARY KEY (area, key)) WITHOUT ROWID"),
    db.prepare("CREATE TABLE bare_days (day TEXT PRIMARY KEY, emails INTEGER, tasks_done INTEGER, events INTEGER)"),
    db.prepare(`INSERT INTO bare_figures VALUES ('totals', 'totalEmails', 1), ('totals', 'unreadEmails', 1),
      ('totals', 'overdueTasks', 1), ('totals', 'tasksDueToday', 1), ('totals', 'tasksDoneLast7Days', 1),
      ('totals', 'eventsToday', 1), ('totals', 'eventsNext7Days', 1), ('emails_by_tag', 'hello', 1),
      ('emails_by_urgency', 'critical', 0), ('emails_by_urgency', 'high', 0), ('emails_by_urgency', 'normal', 0),
      ('emails_by_urgency', 'low', 0), ('tasks_by_status', 'todo', 1), ('tasks_by_status', 'in_progress', 1),
      ('tasks_by_status', 'waiting', 1), ('tasks_by_status', 'done', 1), ('tasks_by_status', 'cancelled', 1)`),
    db.prepare(`INSERT INTO bare_days WITH RECURSIVE days (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM days WHERE n < 13)
      SELECT date('now', '-' || n || ' days'), 1, 1, 1 FROM days`),
  ]);
}
