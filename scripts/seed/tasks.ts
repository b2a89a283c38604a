import { DAY_MS, dateOf, HOUR_MS, toInstant, weekdayOf } from "../../src/lib/time-zone.ts";
import type { SeedContext } from "./area.ts";

const ZONE = "Europe/London";
const FRIDAY = 5;
const WEDNESDAY = 3;

/** A day counted from today, or the next such weekday, and a time of day; 17:00 when left out. */
type Due = ({ days: number } | { weekday: number }) & { at?: string };

/** Every task of the seed carries it. A person may use it too: the seed's own are found by their titles as well. */
const SEED_TAG = "sample";

interface TaskSeed {
  title: string;
  description?: string;
  status?: "todo" | "in_progress" | "waiting" | "done" | "cancelled";
  priority?: "low" | "medium" | "high" | "urgent";
  /** By the clocks of the owner; undated when left out. */
  due?: Due;
  tags?: string[];
  /** The mail it came from and the sentence that asks for it. */
  mail?: string;
  quote?: string;
  /** The UID of the event it belongs to. */
  event?: string;
  list?: string;
  /** The title of the task that it is a subtask of. */
  parent?: string;
  estimateMinutes?: number;
  /** How it repeats; `due` is then a day without a time. */
  rrule?: string;
  /** Minutes before it is due; the person's default when left out. */
  remindBefore?: number[];
}

const LISTS = [
  { name: "Shopping", color: "green" },
  { name: "Spring move", color: "blue" },
];

const TASKS: readonly TaskSeed[] = [
  {
    title: "Send the signed contract",
    priority: "high",
    due: { weekday: FRIDAY },
    remindBefore: [1440, 60],
    tags: ["contracts"],
    mail: "<seed-00-4@seed.example>",
    quote: "Please send the signed contract by Friday 5pm, then we can still book it in this year's budget.",
  },
  {
    title: "Confirm by Wednesday whether you can come",
    priority: "high",
    due: { weekday: WEDNESDAY },
    mail: "<seed-02-0@seed.example>",
    quote: "Please confirm by Wednesday whether you can come.",
  },
  {
    title: "Send Dana a receipt for her books",
    due: { days: -2 },
    tags: ["invoices"],
    mail: "<seed-03-4@seed.example>",
    quote: "Please send me a receipt for our books.",
  },
  {
    title: "Tell Emre what stopped the nightly job",
    priority: "urgent",
    due: { days: 0, at: "16:00" },
    tags: ["bugs"],
    mail: "<seed-04-2@seed.example>",
    quote: "Please let me know what caused it, so that I can tell the board.",
  },
  {
    title: "Bring an estimate for twelve months",
    status: "in_progress",
    due: { days: 2, at: "14:00" },
    remindBefore: [30],
    tags: ["contracts"],
    mail: "<seed-11-2@seed.example>",
    quote: "Please bring an estimate for twelve months.",
  },
  {
    title: "Check the PDF export for broken umlauts",
    tags: ["bugs"],
    mail: "<seed-13-4@seed.example>",
    quote: "Please check it when you have a moment.",
  },
  {
    title: "Choose a week in December for the audit",
    status: "waiting",
    priority: "high",
    due: { days: 1, at: "12:00" },
  },
  { title: "Prepare slides for the January training", due: { days: 20 }, tags: ["training"] },
  { title: "File the quarterly VAT return", priority: "urgent", due: { days: -1, at: "18:00" }, tags: ["tax"] },
  { title: "Back up the old laptop", priority: "low" },
  { title: "Renew the domain analytical.example", due: { days: 9 }, description: "Two years this time." },
  { title: "Order new business cards", priority: "low", due: { days: 14 } },
  { title: "Call the bank about the card limit", due: { days: 0, at: "11:00" }, priority: "medium" },
  // For the one-to-one with Grace.
  {
    title: "Read the draft of the measurement paper",
    status: "in_progress",
    tags: ["reading"],
    event: "seed-calendar-2",
  },
  { title: "Book the train to Hamburg", priority: "high", due: { days: 5, at: "09:00" }, tags: ["travel"] },
  { title: "Ask Fumiko for the second volume", priority: "low", tags: ["reading"] },
  { title: "Review the reporting workspace's access list", status: "waiting", due: { days: 6 } },
  { title: "Add Marta to the reporting workspace", status: "done", due: { days: -7 } },
  { title: "Answer the newsletter's five questions", status: "done", due: { days: -5 }, tags: ["press"] },
  { title: "Update Sand & Sons' bank account", status: "done", due: { days: -10 }, tags: ["invoices"] },
  { title: "Outline of the training for Greta's boss", status: "done", tags: ["training"] },
  { title: "Fix umlauts in the CSV export", status: "done", priority: "high", tags: ["bugs"] },
  { title: "Restart the nightly job", status: "done", priority: "urgent", tags: ["bugs"] },
  { title: "Write a post about honest metrics", status: "cancelled", priority: "low" },
  { title: "Compare phone contracts", status: "cancelled", due: { days: -12 } },
  { title: "Oat milk", list: "Shopping" },
  { title: "Coffee filters", list: "Shopping" },
  { title: "Find a moving company", list: "Spring move", due: { days: 12 }, estimateMinutes: 60 },
  { title: "Ask three companies for an offer", list: "Spring move", parent: "Find a moving company" },
  { title: "Measure the stairs", list: "Spring move", parent: "Find a moving company", status: "done" },
  { title: "Water the plants", due: { weekday: FRIDAY }, rrule: "FREQ=WEEKLY;BYDAY=FR", estimateMinutes: 15 },
];

function momentOf({ at = "17:00", ...day }: Due, now: Date): number {
  const days = "days" in day ? day.days : (day.weekday - weekdayOf(now.getTime()) + 7) % 7 || 7;
  return toInstant(ZONE, Date.parse(`${dateOf(now.getTime() + days * DAY_MS)}T${at}:00Z`));
}

/** A day without a time, and the rule that the next ones follow. */
function repetitionOf(rrule: string, due: Due, now: Date) {
  const dueDate = dateOf(momentOf({ ...due, at: "12:00" }, now));
  return { dueDate, repetition: JSON.stringify({ rrule, from: "due", zone: ZONE, at: dueDate, until: null }) };
}

/** Tasks in every state, two lists, subtasks, reminders and a task that repeats; some belong to the seed's emails and events, which are filled before. */
export async function tasks({ db, random, now }: SeedContext): Promise<string> {
  const rows = TASKS.map(({ due, status = "todo", tags = [], ...task }, index) => {
    const createdAt = now.getTime() - Math.floor(2 + random() * 12) * DAY_MS;
    const isFinished = status === "done" || status === "cancelled";
    return {
      ...task,
      description: task.description ?? "",
      status,
      priority: task.priority ?? "medium",
      dueAt:
        due === undefined
          ? null
          : momentOf(task.rrule ? { ...due, at: "23:59" } : due, now) + (task.rrule ? 59_999 : 0),
      ...(task.rrule && due && repetitionOf(task.rrule, due, now)),
      reminders: task.remindBefore?.map((minutesBefore) => ({ minutesBefore, channel: "default" })),
      tags: [...tags, SEED_TAG],
      source: task.mail ? "email" : "manual",
      createdAt,
      completedAt: isFinished ? now.getTime() - (index % 6) * DAY_MS - 3 * HOUR_MS : null,
    };
  });
  await db.batch([
    db
      .prepare(
        `DELETE FROM tasks WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)
           AND title IN (SELECT value FROM json_each(?))`,
      )
      .bind(SEED_TAG, JSON.stringify(TASKS.map(({ title }) => title))),
    db
      .prepare(
        `INSERT INTO task_lists (name, name_key, color, outside, position, version, created_at, updated_at)
         SELECT value ->> 'name', lower(value ->> 'name'), value ->> 'color', 0, key + 1, 1, ?2, ?2 FROM json_each(?1) WHERE 1
         ON CONFLICT DO NOTHING`,
      )
      .bind(JSON.stringify(LISTS), now.getTime()),
    db
      .prepare(
        `INSERT INTO tasks (title, description, status, priority, due_at, tags, source, outside, email_id, event_id, quote,
           completed_at, version, created_at, updated_at, due_date, list_id, parent_id, estimate_minutes, repetition,
           reminders)
         SELECT value ->> 'title', value ->> 'description', value ->> 'status', value ->> 'priority', value ->> 'dueAt',
           value -> 'tags', value ->> 'source', value ->> 'source' = 'email',
           (SELECT id FROM emails WHERE message_id = value ->> 'mail'),
           (SELECT id FROM events WHERE ical_uid = value ->> 'event' AND original_start IS NULL AND deleted_at IS NULL),
           value ->> 'quote', value ->> 'completedAt', 1, value ->> 'createdAt', value ->> 'createdAt',
           value ->> 'dueDate', (SELECT id FROM task_lists WHERE name = value ->> 'list'),
           NULL, value ->> 'estimateMinutes', value ->> 'repetition', value -> 'reminders'
         FROM json_each(?)`,
      )
      .bind(JSON.stringify(rows)),
    db
      .prepare(
        `UPDATE tasks SET parent_id = (SELECT max(parent.id) FROM tasks AS parent WHERE parent.title = child.value ->> 'parent')
         FROM json_each(?) AS child WHERE tasks.title = child.value ->> 'title' AND child.value ->> 'parent' IS NOT NULL
           AND EXISTS (SELECT 1 FROM json_each(tasks.tags) WHERE value = ?)`,
      )
      .bind(JSON.stringify(rows), SEED_TAG),
  ]);
  const open = rows.filter(({ completedAt }) => completedAt === null).length;
  return `${rows.length} tasks, ${open} of them open, tagged ${SEED_TAG}`;
}
