import { expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { type Answer, service, takeLogs } from "../harness.ts";

interface Line {
  event: string;
  requestId: string;
  statement: string;
  sql: string;
  values: number;
  rowsRead?: number;
  rowsWritten?: number;
  ms?: number;
  failed?: true;
}

const person = await signedInPerson();
const call = (logSql: string, send: (api: ReturnType<typeof service>) => Promise<Answer>) => {
  takeLogs();
  return send(service({ ACCESS_MODE: "private", LOG_SQL: logSql }));
};
const printed = (): Line[] =>
  takeLogs()
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "sql");

it("LOG_SQL prints the statements of a request as they are sent, with rows and time, and no value", async () => {
  const title = `secret plan ${crypto.randomUUID()}`;
  const { status, body, headers } = await call("true", (api) =>
    api.post("/api/tasks", { title }, { token: person.token, headers: { "X-Request-Id": "printed-request" } }),
  );
  expect([status, headers.get("x-request-id")]).toEqual([201, "printed-request"]);
  const lines = printed().filter(({ requestId }) => requestId === "printed-request");
  const insert = lines.find(({ sql }) => /^insert into "tasks" /i.test(sql));
  expect(insert).toMatchObject({ rowsRead: expect.any(Number), ms: expect.any(Number), statement: "2 of 2" });
  expect(insert?.rowsWritten).toBeGreaterThan(0);
  expect(insert?.values).toBeGreaterThan(3);
  // The credential is checked by the statement before it, in the same batch.
  const check = lines[lines.indexOf(insert as Line) - 1];
  expect(check).toMatchObject({ statement: "1 of 2", sql: expect.stringContaining("sessions"), rowsWritten: 0 });
  expect(JSON.stringify(lines)).not.toContain(title);
  expect(JSON.stringify(lines)).not.toContain(person.email);

  await call("true", (api) => api.get(`/api/tasks/${body.id}`, { token: person.token }));
  const reads = printed();
  expect(reads.map(({ sql }) => sql.split(" ")[0]?.toLowerCase())).toEqual(["select", "select"]);
  expect(reads.map(({ rowsRead }) => rowsRead)).toEqual([2, 1]);
});

it("LOG_SQL prints statements that fail", async () => {
  const { status } = await call("true", (api) =>
    api.post("/api/tasks", { title: "x", emailId: 2 ** 40 }, { token: person.token }),
  );
  expect(status).toBe(422);
  const failed = printed().filter(({ sql }) => /^insert into "tasks" /i.test(sql));
  expect(failed).toEqual([expect.objectContaining({ failed: true })]);
});

it("no statement is printed without LOG_SQL", async () => {
  const { status } = await call("false", (api) => api.get("/api/tasks", { token: person.token }));
  expect(status).toBe(200);
  expect(printed()).toEqual([]);
});
