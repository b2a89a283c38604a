import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRIORITIES, TASK_SOURCES, TASK_STATUSES } from "../../src/lib/task-kinds.ts";
import { emptyService, service } from "../harness.ts";

const api = service();
/** More than are ever sorted at once, so that words and due times are rare in some lists and common in others. */
const COUNT = 1300;
const HOUR = 3_600_000;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;

interface Stored {
  id: number;
  title: string;
  status: string;
  priority: string;
  source: string;
  due: number | null;
  tags: string[];
}

/** No period of one divides that of another, so that all combinations occur. */
const stored: Stored[] = Array.from({ length: COUNT }, (_, n) => ({
  id: 0,
  title: `plan ${n % 3 === 0 ? "seldom" : "often"} ${n % 97 === 0 ? "once" : ""}`,
  status: TASK_STATUSES[n % 5] ?? "",
  priority: PRIORITIES[Math.floor(n / 5) % 4] ?? "",
  source: TASK_SOURCES[Math.floor(n / 7) % 5] ?? "",
  due: n % 11 === 0 ? null : NOW + ((n * 37) % 400) * HOUR - 200 * HOUR,
  tags: n % 13 === 0 ? ["home", "both"] : n % 2 === 0 ? ["work", "both"] : [],
}));

beforeAll(async () => {
  await emptyService();
  const { results } = await env.DB.prepare(
    `INSERT INTO tasks (title, description, status, priority, due_at, tags, source, version, created_at, updated_at)
    SELECT value ->> 'title', '', value ->> 'status', value ->> 'priority', value ->> 'due', value ->> 'tags',
      value ->> 'source', 1, 0, 0 FROM json_each(?) ORDER BY key RETURNING id`,
  )
    .bind(JSON.stringify(stored))
    .all<{ id: number }>();
  const ids = results.map(({ id }) => id).sort((a, b) => a - b);
  for (const [index, task] of stored.entries()) task.id = ids[index] ?? 0;
});
afterAll(emptyService);

const RANKS = ["urgent", "high", "medium", "low"];
const byDue = (a: Stored, b: Stored) => (a.due ?? 1e15) - (b.due ?? 1e15) || a.id - b.id;
const ORDERS: Record<string, (a: Stored, b: Stored) => number> = {
  due: byDue,
  created: (a, b) => b.id - a.id,
  priority: (a, b) => RANKS.indexOf(a.priority) - RANKS.indexOf(b.priority) || byDue(a, b),
};

const isOverdue = ({ status, due }: Stored) =>
  !["done", "cancelled"].includes(status) && due !== null && due < Date.now();

/** Each filter with what it says. */
const FILTERS: Record<string, (task: Stored) => boolean> = {
  "status=open": ({ status }) => !["done", "cancelled"].includes(status),
  "status=todo": ({ status }) => status === "todo",
  "status=todo,done,waiting": ({ status }) => ["todo", "done", "waiting"].includes(status),
  "priority=high": ({ priority }) => priority === "high",
  "priority=urgent,low": ({ priority }) => ["urgent", "low"].includes(priority),
  "source=chat": ({ source }) => source === "chat",
  "tag=both": ({ tags }) => tags.includes("both"),
  "tag=home": ({ tags }) => tags.includes("home"),
  "overdue=true": isOverdue,
  "overdue=false": (task) => !isOverdue(task),
  [`dueBefore=${new Date(NOW).toISOString()}`]: ({ due }) => due !== null && due < NOW,
  [`dueAfter=${new Date(NOW + 190 * HOUR).toISOString()}`]: ({ due }) => due !== null && due >= NOW + 190 * HOUR,
  "q=often": ({ title }) => title.includes("often"),
  "q=once": ({ title }) => title.includes("once"),
};

async function firstPages(filters: string): Promise<number[]> {
  const query = filters.includes("status=") ? filters : `${filters}&status=all`;
  const first = (await api.get(`/api/tasks?limit=40&${query}`)).body;
  const ids = first.data.map(({ id }: Stored) => id);
  if (first.nextCursor === null) return ids;
  const second = (await api.get(`/api/tasks?limit=40&${query}&cursor=${first.nextCursor}`)).body;
  return [...ids, ...second.data.map(({ id }: Stored) => id)];
}

function expected(names: readonly string[], sort: string): number[] {
  const passes = (task: Stored) => names.every((name) => FILTERS[name]?.(task));
  return stored
    .filter(passes)
    .sort(ORDERS[sort])
    .slice(0, 80)
    .map(({ id }) => id);
}

describe("whichever way a list of tasks is found", () => {
  const names = Object.keys(FILTERS);
  const nameOf = (filter: string) => filter.split("=")[0];
  for (const sort of Object.keys(ORDERS)) {
    it(`each filter alone gives its tasks by ${sort}`, async () => {
      for (const name of names) expect(await firstPages(`${name}&sort=${sort}`), name).toEqual(expected([name], sort));
    });

    it(`two filters at once give what both let through, by ${sort}`, async () => {
      for (const [index, first] of names.entries()) {
        // Every third pair, another third in each order.
        for (const second of names.slice(index + 1).filter((_, n) => (n + sort.length + index) % 3 === 0)) {
          if (nameOf(first) === nameOf(second)) continue;
          const query = `${first}&${second}`;
          expect(await firstPages(`${query}&sort=${sort}`), query).toEqual(expected([first, second], sort));
        }
      }
    });
  }

  it("a tag's list follows the due date and the priority of its tasks", async () => {
    const { body } = await api.post("/api/tasks", { title: "moved", tags: ["moves"], dueAt: "2030-01-01T00:00:00Z" });
    await api.post("/api/tasks", { title: "stays", tags: ["moves"], dueAt: "2030-02-01T00:00:00Z" });
    const titles = async (sort: string) =>
      (await api.get(`/api/tasks?tag=moves&sort=${sort}`)).body.data.map(({ title }: Stored) => title);
    expect(await titles("due")).toEqual(["moved", "stays"]);
    await api.patch(`/api/tasks/${body.id}`, { dueAt: null });
    expect(await titles("due")).toEqual(["stays", "moved"]);
    await api.patch(`/api/tasks/${body.id}`, { priority: "urgent" });
    expect(await titles("priority")).toEqual(["moved", "stays"]);
    await api.patch(`/api/tasks/${body.id}`, { priority: "low", tags: ["moves", "more"] });
    expect(await titles("priority")).toEqual(["stays", "moved"]);
  });
});
