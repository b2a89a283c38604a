import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { openSession, signedInPerson } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import type { Schema } from "../fuzz/from-schema.ts";
import { type Answer, type CallOptions, forgetSecrets, service } from "../harness.ts";
import { sample } from "./client.ts";

/* Sends typical mistakes to every operation: no response may show the words of the validation library. */

const JARGON =
  /Invalid input|expected|, received |Too small|Too big|Invalid option|Invalid ISO|wrong format|undefined|\[object/;

/** What stands in for every leaf of a body at once. */
const WRONG_VALUES: Record<string, unknown> = {
  "an object": {},
  "a list": [],
  "a list of lists": [[]],
  "empty text": "",
  "a word": "no-such-word",
  "long text": "x".repeat(120_000),
  "a negative number": -1,
  "a fraction": 0.5,
  "a huge number": 1e300,
  true: true,
  null: null,
};

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const client = service();
const { body: document } = await client.get("/api-docs");
const operations = declarationsOf(await createApp()).map(({ method, path }) => {
  const operation: Operation = document.paths[path][method];
  return [`${method.toUpperCase()} ${path}`, { method: method.toUpperCase(), path, operation }] as const;
});
type Called = (typeof operations)[number][1];

function takesInput({ parameters = [], requestBody }: Operation): boolean {
  return (
    requestBody?.content["application/json"] !== undefined || parameters.some((parameter) => parameter.in === "query")
  );
}

let ownerId: number;
beforeAll(async () => {
  ownerId = (await signedInPerson("owner")).id;
});

const resolved = (schema: Schema): Schema =>
  schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;

/** A body of the schema's shape whose every leaf is the wrong value. */
function bodyOf(schema: Schema, value: unknown, depth = 0): unknown {
  const { properties, items, allOf = [], anyOf = [], oneOf = [] } = resolved(schema);
  if (depth > 5) return value;
  if (items) return [bodyOf(items, value, depth + 1)];
  const [form] = [...allOf, ...anyOf, ...oneOf];
  if (form && !properties) return bodyOf(form, value, depth + 1);
  if (!properties) return value;
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, bodyOf(one, value, depth + 1)]));
}

async function send({ method, path }: Called, options: CallOptions, query = ""): Promise<Answer> {
  const { token } = await openSession(ownerId);
  const answer = await client.call(method, `${path.replaceAll(/\{\w+\}/g, "999999999")}${query}`, {
    ...options,
    token,
  });
  forgetSecrets();
  return answer;
}

function expectPlainWords({ body }: Answer, mistake: string): void {
  if (body?.code !== "validation_failed") return;
  const messages = (body.errors ?? []).map(
    ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
  );
  for (const text of [body.detail, ...messages]) expect(text, mistake).not.toMatch(JARGON);
  expect(body.detail, mistake).toMatch(/[.…]$/);
}

/** What is wrong with a request for authorization is shown on a page. */
const isPage = ({ path }: Called) => path === "/oauth/authorize";

describe.each(operations.filter(([, called]) => takesInput(called.operation) && !isPage(called)))("%s", (_, called) => {
  const schema = called.operation.requestBody?.content["application/json"]?.schema;
  const query = (called.operation.parameters ?? []).filter((parameter) => parameter.in === "query");

  if (schema) {
    it("explains a wrong body in plain words", async () => {
      for (const [mistake, value] of Object.entries(WRONG_VALUES)) {
        expectPlainWords(await send(called, { body: bodyOf(schema, value) }), mistake);
      }
      for (const body of [[], "text", null]) expectPlainWords(await send(called, { body }), "another kind of body");
    });
  }

  if (query.length > 0) {
    it("explains a wrong query in plain words", async () => {
      const body = schema ? { body: {} } : {};
      for (const value of ["", "no-such-word", "-1", "0.5", "x".repeat(2000)]) {
        const pairs = query.map(({ name }) => `${name}=${encodeURIComponent(value)}`);
        expectPlainWords(await send(called, body, `?${pairs.join("&")}`), value);
      }
      const twice = await send(called, body, `?${query.map(({ name }) => `${name}=1&${name}=2`).join("&")}`);
      const expected = query.map(({ name }) => ({ path: name, message: "may be given once" }));
      expect(twice.body.errors).toEqual(expected);
    });
  }
});

describe("the texts", () => {
  const notes = sample();

  it("say what each field must be, in a sentence and field by field", async () => {
    const { body } = await notes.post("/api/notes", { title: "", stars: 9, tags: "a" });
    expect(body.title).toBe("The request is not valid");
    expect(body.detail).toBe(
      "folder is required; title must not be empty; stars must be at most 5; tags must be a list.",
    );
    expect(body.errors).toEqual([
      { path: "folder", message: "is required" },
      { path: "title", message: "must not be empty" },
      { path: "stars", message: "must be at most 5" },
      { path: "tags", message: "must be a list" },
    ]);
  });

  it.each([
    ["POST", "/api/tasks", { title: "x", priority: "p1" }, "priority must be low, medium, high or urgent."],
    ["POST", "/api/tasks", { title: "x", priority: null }, "priority must be low, medium, high or urgent."],
    [
      "POST",
      "/api/tasks",
      { title: "x", dueAt: "soon" },
      "dueAt must be a time with an offset, such as 2026-11-20T17:00:00+01:00, or a date such as 2026-11-20.",
    ],
    [
      "GET",
      "/api/calendar/events/1?occurrence=2026-11-20",
      undefined,
      "occurrence must be a time with an offset, such as 2026-11-20T17:00:00+01:00.",
    ],
    ["POST", "/api/tasks", [], "The body must be an object."],
    ["GET", "/api/tasks?limit=x", undefined, "limit must be a whole number."],
    ["GET", "/api/tasks?limit=1&limit=2", undefined, "limit may be given once."],
    ["POST", "/api/calendar/events", { title: "x" }, "start is required."],
    [
      "POST",
      "/api/calendar/events",
      { title: "x", start: "soon" },
      "start must be a time with an offset, such as 2026-11-20T17:00:00+01:00, or a date, such as 2026-11-20.",
    ],
  ])("%s %s %j", async (method, path, body, detail) => {
    expect((await client.call(method, path, { body })).body.detail).toBe(detail);
  });

  it("of another media type names the one to send", async () => {
    const answer = await client.call("POST", "/api/tasks", { raw: "a=1", headers: { "content-type": "text/plain" } });
    expect(answer.body.detail).toBe("Send JSON with Content-Type: application/json.");
  });
});
