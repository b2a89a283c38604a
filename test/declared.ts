import type { OpenAPIHono, z } from "@hono/zod-openapi";
import { expect } from "vitest";
import type { AppEnv } from "../src/http/app-env.ts";
import { Problem } from "../src/http/responses.ts";
import type { RouteExtensions } from "../src/http/route.ts";

interface Declared extends RouteExtensions {
  method: string;
  path: string;
  operationId: string;
  request: {
    params?: z.ZodType;
    query?: z.ZodType;
    body?: { required: boolean; content: Record<string, { schema: z.ZodType }> };
  };
  responses: Record<string, { content?: Record<string, { schema: z.ZodType }> }>;
}

/** The declarations behind an app, as its registry keeps them. */
export function declarationsOf(app: OpenAPIHono<AppEnv>): Declared[] {
  return app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === "route" ? [definition.route as unknown as Declared] : [],
  );
}

/** Compiled once for each app: every call of every test looks its route up here. */
const tables = new WeakMap<object, { declared: Declared; pattern: RegExp }[]>();

function tableOf(app: OpenAPIHono<AppEnv>) {
  let table = tables.get(app);
  if (!table) {
    table = declarationsOf(app)
      .map((declared) => ({
        declared,
        pattern: new RegExp(`^${declared.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      }))
      // A path without parameters wins over one with.
      .sort((a, b) => a.declared.path.split("{").length - b.declared.path.split("{").length);
    tables.set(app, table);
  }
  return table;
}

function find(app: OpenAPIHono<AppEnv>, method: string, path: string): Declared | undefined {
  const pathname = path.split("?")[0] ?? path;
  return tableOf(app).find(
    ({ declared, pattern }) => declared.method === method.toLowerCase() && pattern.test(pathname),
  )?.declared;
}

/** Checks an answer against the declaration of its endpoint: status, error code, and every member of the body. */
export function expectDeclaredAnswer(
  app: OpenAPIHono<AppEnv>,
  method: string,
  path: string,
  answer: { status: number; headers: Headers; body: unknown; text: string },
): void {
  const where = `${method} ${path} → ${answer.status}`;
  expect(answer.headers.get("x-request-id"), where).toBeTruthy();
  expect(answer.text, `${where} shows a password hash`).not.toMatch(/\$2[aby]\$\d\d\$/);
  const isProblem = answer.headers.get("content-type")?.startsWith("application/problem+json");
  if (isProblem && method !== "HEAD") expectShape(Problem.loose(), answer.body, where);

  const declared = find(app, method, path);
  if (!declared || method === "OPTIONS") return;
  const response = declared.responses[answer.status];
  expect(response, `${where} is not declared: ${answer.text.slice(0, 300)}`).toBeDefined();
  if (isProblem) {
    expect(declared["x-error-codes"], `${where} gave an undeclared code`).toContain(
      (answer.body as { code: string }).code,
    );
    return;
  }
  const media = answer.headers.get("content-type")?.split(";")[0] ?? "";
  if (!response?.content) expect(answer.text, `${where} has a body`).toBe("");
  else {
    // A file has the type that its sender gave it.
    const declared = Object.keys(response.content);
    if (!declared.includes("*/*")) expect(declared, where).toContain(media);
    else if (media === "application/json") return;
    if (media === "application/json") expectShape(response.content[media]?.schema, answer.body, where);
  }
}

/** zod drops what a schema does not name, so equality also proves that nothing undeclared was sent. */
function expectShape(schema: z.ZodType | undefined, body: unknown, where: string): void {
  const result = schema?.safeParse(body);
  expect(result?.error?.issues ?? [], where).toEqual([]);
  expect(body, `${where} sent undeclared members`).toEqual(result?.data);
}
