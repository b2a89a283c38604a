// The rows that cases and lists are measured over. Triggers add what belongs to them.
import type { Stage } from "./stage.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);
const NOW = Date.now();
const STATUSES = ["todo", "in_progress", "waiting", "done", "cancelled"];
const PRIORITIES = ["low", "medium", "high"];
/** Of open tasks a person has few, however many are done. */
const OPEN_TASKS = 200;
/** So far apart, the first thousand emails fill the fortnight that the dashboard shows. */
const GAP_MS = 21 * MINUTE;
const EVENTS_A_DAY = 8;
export const today = Math.floor(NOW / DAY) * DAY;
export const MONTH = `start=${new Date(today).toISOString()}&end=${new Date(today + 30 * DAY).toISOString()}`;

/** Tasks numbered after `from`, an hour apart; one in ten thousand is by chat, tagged apart and urgent. */
export async function addTasks(stage: Stage, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const number = from + index + 1;
    const isRare = number % 10_000 === 1;
    return {
      id: number,
      title: `Report ${number}`,
      description: "The quarterly figures are due.",
      status: number <= OPEN_TASKS ? (STATUSES[number % STATUSES.length] ?? "") : "done",
      priority: isRare ? "urgent" : (PRIORITIES[number % PRIORITIES.length] ?? ""),
      due_at: number % 7 === 0 ? null : START + number * HOUR,
      tags: JSON.stringify([isRare ? "seldom" : "often"]),
      source: isRare ? "chat" : "manual",
      outside: 0,
      version: 1,
      created_at: START,
      updated_at: START,
    };
  });
  await stage.insertRows("tasks", rows);
}

/** Mails numbered after `from`, each some minutes before the last; every other one is unread. Triggers do the rest. */
export async function addMails(stage: Stage, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index + 1);
  await stage.insertRows(
    "emails",
    numbers.map((id) => ({
      id,
      message_id: `<bench-${id}@example.com>`,
      thread_id: id,
      reference_ids: "[]",
      direction: "inbound",
      source: "import",
      kind: "person",
      from_name: "Ann Lee",
      from_email: "ann@example.com",
      to_recipients: '[{"name":"","email":"hello@example.com"}]',
      cc_recipients: "[]",
      subject: `Report ${id}`,
      snippet: "The quarterly figures are in.",
      attachments: "[]",
      tags: '["hello"]',
      status: id % 10_000 === 1 ? "trash" : "inbox",
      is_read: id % 2,
      is_starred: id % 10_000 === 1 ? 1 : 0,
      received_at: NOW - id * GAP_MS,
      version: 1,
      created_at: NOW,
      updated_at: NOW,
      body: `The quarterly figures are in, and number ${id} is the best of them.`,
    })),
  );
}

/** Eight a day from today on, further and further ahead; every hundredth lasts a week, and one lasts a year. */
export async function addEvents(stage: Stage, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const number = from + index;
    const start = today + Math.floor(number / EVENTS_A_DAY) * DAY + (9 + (number % EVENTS_A_DAY)) * HOUR;
    const [hours, span] = number === 0 ? [365 * 24, 4] : number % 100 === 0 ? [7 * 24, 3] : [1, 0];
    return {
      title: `Meeting ${number}`,
      start_at: start,
      end_at: start + hours * HOUR,
      time_zone: "UTC",
      span,
      status: "confirmed",
      source: "manual",
      outside: 0,
      ical_uid: `bench-${number}`,
      created_at: today,
      updated_at: today,
    };
  });
  await stage.insertRows("events", rows);
}
