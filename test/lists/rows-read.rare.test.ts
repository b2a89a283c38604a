import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sumPastQuarters } from "../../src/features/stats/service.ts";
import { signedInPerson } from "../auth/people.ts";
import { emptyService, service, systemCtx } from "../harness.ts";
import { measureRows } from "../measured.ts";

const measured = measureRows(env.DB);
const api = service({ DB: measured.db, ACCESS_MODE: "private" });
const HOUR = 3_600_000;
const NOW = Date.now();
let token = "";

/** New tasks are due late and old ones early, so that the order of creation is the worst for a filter on due times. */
async function fill(from: number, to: number): Promise<void> {
  const numbers = `WITH RECURSIVE n(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM n WHERE n < ${to - 1})`;
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} INSERT INTO tasks (title, description, status, priority, due_at, tags, source, version, created_at,
         updated_at)
       SELECT 'Report ' || (n % 40), 'words of every task', CASE n % 50 WHEN 0 THEN 'waiting' WHEN 1 THEN 'done'
           ELSE 'todo' END, CASE n % 60 WHEN 0 THEN 'high' ELSE 'low' END,
         iif(n % 9 = 0, NULL, ${NOW} + (n - 1000) * ${HOUR} / 10), json_array('often', 'tag-' || (n % 300)),
         iif(n % 70 = 0, 'chat', 'manual'), 1, 0, 0 FROM n`,
    ),
    env.DB.prepare(
      `${numbers} INSERT INTO events (title, start_at, end_at, time_zone, span, status, source, ical_uid, created_at,
         updated_at)
       SELECT 'Event', ${NOW} + (n - 1000) * ${HOUR} / 4, ${NOW} + (n - 1000) * ${HOUR} / 4 + ${HOUR}, 'UTC', 0,
         'confirmed', 'manual', 'read-' || n, 0, 0 FROM n`,
    ),
    env.DB.prepare(
      `${numbers} INSERT INTO ai_calls (at, task, model, input_tokens, output_tokens, duration_ms)
       SELECT ${NOW} - n * 60000, 'chat', 'builtin', 1, 1, 1 FROM n`,
    ),
  ]);
}

async function rowsRead(path: string): Promise<{ rows: number; body: { data: unknown[]; nextCursor: string | null } }> {
  measured.taken();
  const { status, body } = await api.get(path, { token });
  expect({ path, status }).toEqual({ path, status: 200 });
  return { rows: measured.taken().reduce((sum, count) => sum + count, 0), body };
}

const at = (hours: number) => encodeURIComponent(new Date(NOW + hours * HOUR).toISOString());
const FILTERS = [
  ...[
    "",
    "status=all",
    "status=waiting",
    "status=todo,done",
    "status=all&overdue=false",
    "priority=high",
    "priority=high,low",
    "tag=often",
    "tag=tag-7",
  ],
  ...["source=chat", "emailId=1", "overdue=true", "overdue=false", `dueBefore=${at(-90)}`, `dueAfter=${at(0)}`],
  ...["status=waiting&tag=often&source=manual", `status=todo&priority=low&dueAfter=${at(-50)}&overdue=true`],
];
const SEARCHES = ["words", "report", "report 7", "nowhere"].flatMap((words) =>
  FILTERS.flatMap((filter) =>
    ["due", "created", "priority"].map((sort) => `/api/tasks?q=${encodeURIComponent(words)}&${filter}&sort=${sort}`),
  ),
);

beforeAll(async () => {
  await emptyService();
  ({ token } = await signedInPerson());
  const tags = Array.from({ length: 30 }, (_, index) => `tag-${index}`);
  await api.post("/api/emails", { from: "a@example.com", to: "b@example.com", tags }, { token });
});
afterAll(async () => {
  await emptyService();
  await env.DB.exec(
    "DELETE FROM ai_calls; DELETE FROM ai_usage; DELETE FROM ai_usage_days; DELETE FROM ai_usage_months",
  );
});

describe.each([2000, 8000])("with %d records", (count) => {
  beforeAll(async () => {
    await fill(count === 2000 ? 0 : 2000, count);
    await sumPastQuarters(systemCtx());
  });

  it("no search of tasks reads over 400 rows, on any page", async () => {
    for (const path of SEARCHES) {
      const first = await rowsRead(`${path}&limit=100`);
      expect(first.rows, path).toBeLessThanOrEqual(400);
      if (first.body.nextCursor === null) continue;
      const second = await rowsRead(`${path}&limit=100&cursor=${first.body.nextCursor}`);
      expect(second.rows, `${path}, second page`).toBeLessThanOrEqual(400);
    }
  });

  it("the statistics read at most 60 rows", async () => {
    for (const zone of ["UTC", "Asia/Kathmandu", "Pacific/Kiritimati"]) {
      expect((await rowsRead(`/api/stats?timeZone=${zone}`)).rows, zone).toBeLessThanOrEqual(60);
    }
  });
});

it("a search by creation that is filtered by due time gives every task once, in pages that may be short", async () => {
  const { results } = await env.DB.prepare(
    `SELECT id FROM tasks WHERE due_at < ${NOW - 90 * HOUR} ORDER BY id DESC`,
  ).all<{ id: number }>();
  const found: unknown[] = [];
  let cursor = "";
  do {
    const { body } = await rowsRead(
      `/api/tasks?q=words&status=all&sort=created&limit=100&dueBefore=${at(-90)}${cursor}`,
    );
    found.push(...body.data);
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : "";
  } while (cursor);
  expect(found).toEqual(results.map(({ id }) => expect.objectContaining({ id })));
});
