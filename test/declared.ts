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

/** Some problems have members of their own. */
const AnyProblem = Problem.loose();

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

/**
 * Checks an answer against the declaration of its endpoint: status, error code, and every member of the body. It runs
 * for every call of every test, so `expect`, which costs more than most calls, is only asked to word a failure.
 */
export function expectDeclaredAnswer(
  app: OpenAPIHono<AppEnv>,
  method: string,
  path: string,
  answer: { status: number; headers: Headers; body: unknown; text: string },
): void {
  const where = `${method} ${path} → ${answer.status}`;
  check(answer.headers.get("x-request-id"), () => `${where} has no request id`);
  check(!/\$2[aby]\$\d\d\$/.test(answer.text), () => `${where} shows a password hash`);
  const type = answer.headers.get("content-type") ?? "";
  const isProblem = type.startsWith("application/problem+json");
  if (isProblem && method !== "HEAD") expectShape(AnyProblem, answer.body, where);

  const declared = find(app, method, path);
  if (!declared || method === "OPTIONS") return;
  const response = declared.responses[answer.status];
  check(response, () => `${where} is not declared: ${answer.text.slice(0, 300)}`);
  if (isProblem) {
    const { code } = answer.body as { code: string };
    const codes: readonly string[] = declared["x-error-codes"];
    check(codes.includes(code), () => `${where} gave an undeclared code: ${code}`);
    return;
  }
  const media = type.split(";")[0] ?? "";
  if (!response?.content) check(answer.text === "", () => `${where} has a body`);
  else {
    // A file has the type that its sender gave it.
    const declared = Object.keys(response.content);
    if (!declared.includes("*/*")) check(declared.includes(media), () => `${where} has the undeclared type ${media}`);
    else if (media === "application/json") return;
    if (media === "application/json") expectShape(response.content[media]?.schema, answer.body, where);
  }
}

function check(isRight: unknown, wrong: () => string): void {
  if (!isRight) expect.fail(wrong());
}

/** zod drops what a schema does not name, so equality also proves that nothing undeclared was sent. */
function expectShape(schema: z.ZodType | undefined, body: unknown, where: string): void {
  const result = schema?.safeParse(body);
  if (result?.success && isSame(body, result.data)) return;
  expect(result?.error?.issues ?? [], where).toEqual([]);
  expect(body, `${where} sent undeclared members`).toEqual(result?.data);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const [members, others] = [Object.entries(one), new Map(Object.entries(other))];
  return members.length === others.size && members.every(([name, value]) => isSame(value, others.get(name)));
}
