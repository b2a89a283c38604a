import type { Case } from "./case.ts";
import type { Stage } from "./stage.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const FIRST = 200;
const STATUSES = ["todo", "in_progress", "waiting", "done", "cancelled"];
const PRIORITIES = ["low", "medium", "high"];

function list(name: string, filter: string): Case {
  return {
    name,
    async requests(stage) {
      await addTasks(stage, 0, FIRST);
      return { ours: { path: `/api/tasks?limit=50&${filter}` }, bare: { path: `/tasks?limit=50&${filter}` } };
    },
  };
}

/** Tasks' share of CASES; how their lists grow is in list-growth.ts. */
export const TASK_CASES: readonly Case[] = [
  list("GET /api/tasks", ""),
  list("GET /api/tasks?status=", "status=todo"),
  list("GET /api/tasks?tag=", "tag=often"),
  {
    name: "POST /api/tasks",
    status: 201,
    requests: {
      ours: (turn) => ({ method: "POST", path: "/api/tasks", body: { title: `Call ${turn}`, tags: ["calls"] } }),
      bare: (turn) => ({ method: "POST", path: "/tasks", body: { title: `Call ${turn}`, tags: ["calls"] } }),
    },
  },
];

/** Tasks numbered after `from`, an hour apart; one in ten thousand is by chat, tagged apart and urgent. */
export async function addTasks(stage: Stage, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const number = from + index + 1;
    const isRare = number % 10_000 === 1;
    return {
      id: number,
      title: `Report ${number}`,
      description: "The quarterly figures are due.",
      // Of open tasks a person has few, however many are done.
      status: number <= FIRST ? (STATUSES[number % STATUSES.length] ?? "") : "done",
      priority: isRare ? "urgent" : (PRIORITIES[number % PRIORITIES.length] ?? ""),
      due_at: number % 7 === 0 ? null : START + number * HOUR,
      tags: JSON.stringify([isRare ? "seldom" : "often"]),
      source: isRare ? "chat" : "manual",
      version: 1,
      created_at: START,
      updated_at: START,
    };
  });
  await stage.insertRows("tasks", rows);
}
