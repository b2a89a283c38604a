import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { assertType } from "../lib/cast.ts";
import { AppError } from "../lib/errors.ts";
import { kept } from "../lib/kept.ts";
import { nearestNames } from "../lib/nearest-names.ts";
import type { AppEnv } from "./app-env.ts";
import { isJson } from "./media-type.ts";
import { rejectInvalidInput } from "./problem.ts";
import { wholeOf } from "./readable-response.ts";
import type { Contents, Declared } from "./route.ts";
import { versionFields } from "./schemas.ts";
import { type SentBack, type UnknownMember, unknownMembers } from "./unknown-members.ts";

/*
 * Refuses members and query parameters that a route does not have, for every route, so that nothing a client sends is
 * dropped without a word. Read-only members of the record that the route returns are ignored: a client may send back
 * what it has read.
 */

type Definitions = OpenAPIHono["openAPIRegistry"]["definitions"];
type Issue = z.core.$ZodIssue;
type Target = "query" | "json";

/** The library's interface for validating a part of a request. */
interface Validator {
  parse(input: unknown): unknown;
  safeParse(input: unknown): Validated;
  parseAsync(input: unknown): Promise<unknown>;
  safeParseAsync(input: unknown): Promise<Validated>;
}

interface Validated {
  success: boolean;
  data?: unknown;
  error?: { issues: readonly Issue[] };
}

/** The fields of a route that the library needs. */
type ValidatedRoute = Pick<Declared, "method" | "path" | "request"> & { middleware: MiddlewareHandler<AppEnv>[] };

/**
 * The route as the library is to validate it: without its headers, which may have any value. `definitions` are the
 * routes of the same router, once all are known. `asksFirst`: its middleware asks for something before that.
 */
export function strict(route: Declared, definitions: () => Definitions, asksFirst: boolean): ValidatedRoute {
  const { method, path } = route;
  const { params, query, body } = route.request;
  const parts = { ...(params && { params }), ...(query && { query }), ...(body && { body }) };
  if (route["x-from-provider"]) return { method, path, request: parts, middleware: route.middleware ?? [] };
  const json = schemaOf(body);
  const check = checkOf(route, definitions);
  const middleware = [...(asksFirst ? [tellUnknown(check)] : []), ...(route.middleware ?? [])];
  if (!query) middleware.push(refuseParameters(check));
  if (!json && route.method !== "get") middleware.push(refuseMembers(check));
  const strictly = {
    query: query && validator(query, (input) => check(input, "query")),
    json: json && validator(json, (input) => check(input, "json")),
  };
  // The library validates what may also be a file.
  if (Object.keys(body?.content ?? {}).some((type) => type !== "application/json")) {
    const content = { ...body?.content, ...(strictly.json && { "application/json": { schema: strictly.json } }) };
    const request = { ...parts, ...(query && { query: strictly.query }), body: { ...body, content } };
    return { method, path, request: assertType<Declared["request"]>(request), middleware };
  }
  const isRequired = body?.required === true;
  const input = { query: strictly.query, params, json: strictly.json && { schema: strictly.json, isRequired } };
  if (query || params || json) middleware.push(validatedInput(input));
  return { method, path, request: {}, middleware };
}

type Check = (input: unknown, target: Target) => Issue[];

function checkOf(route: Declared, definitions: () => Definitions): Check {
  const { query, body } = route.request;
  const parts = { query: query, json: schemaOf(body) };
  const record = kept(() => sentBackIn(route, definitions()));
  return (input, target) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
    const schema = parts[target];
    const sentBack = target === "json" ? record() : undefined;
    const found = schema
      ? unknownMembers(schema, input, sentBack)
      : Object.keys(input).map((name): UnknownMember => ({ parents: [], name, known: [], isReadOnly: false }));
    if (found.length === 0) return [];
    const elsewhere = new Set(namesOf(parts[target === "json" ? "query" : "json"]));
    return found.slice(0, MAX_ISSUES).map((member) => issueOf(member, target, elsewhere));
  };
}

/** Enough to repair any request; a body has room for 100,000 names. */
const MAX_ISSUES = 100;
const MAX_NAME = 200;

function issueOf(member: UnknownMember, target: Target, elsewhere: ReadonlySet<string>): Issue {
  const { parents, name, known, isReadOnly } = member;
  const kind = target === "json" ? "member" : "parameter";
  const mistake = isReadOnly ? "is read-only and cannot be set here" : `is not a ${kind} of this request`;
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return {
    code: "unrecognized_keys",
    keys: [shown],
    path: [...parents],
    message: `${mistake}${hint(name, known, parents.length === 0 && elsewhere.has(name), target)}`,
  };
}

/** "a, b or c" */
function alternatives(names: readonly string[]): string {
  return names.length > 2 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names.join(" or ");
}

function hint(name: string, known: readonly string[], isElsewhere: boolean, target: Target): string {
  if (isElsewhere) return target === "json" ? " (send it as a query parameter)" : " (send it in the body)";
  const nearest = nearestNames(name, known);
  return nearest.length > 0 ? ` (did you mean ${alternatives(nearest)}?)` : "";
}

/** Adds what is unknown to what the schema finds wrong, so that a client learns of all mistakes at once. */
function validator(schema: z.ZodType, unknownIn: (input: unknown) => Issue[]): Validator {
  const withUnknown = (input: unknown, result: Validated): Validated => {
    const unknown = unknownIn(input);
    if (unknown.length === 0) return result;
    return { success: false, error: { issues: [...(result.error?.issues ?? []), ...unknown] } };
  };
  return {
    parse: (input) => schema.parse(input),
    parseAsync: (input) => schema.parseAsync(input),
    safeParse: (input) => withUnknown(input, schema.safeParse(input)),
    safeParseAsync: async (input) => withUnknown(input, await schema.safeParseAsync(input)),
  };
}

function tellUnknown(check: Check): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    c.set("unknownIn", (query, body) => [...check(query, "query"), ...check(body, "json")]);
    return next();
  };
}

function refuseParameters(check: Check): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.url.includes("?")) refuse(check(c.req.queries(), "query"));
    await next();
  };
}

/** For a route without a body. An empty object says nothing, and many clients send one with every POST. */
function refuseMembers(check: Check): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (isJson(c)) refuse(check(await c.req.json<unknown>().catch(() => null), "json"));
    await next();
  };
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0) rejectInvalidInput({ success: false, error: { issues } });
}

function schemaOf(body: { content?: Contents } | undefined): z.ZodType | undefined {
  const schema = body?.content?.["application/json"]?.schema;
  return typeof schema === "object" && schema && "parse" in schema ? wholeOf(assertType<z.ZodType>(schema)) : undefined;
}

function namesOf(schema: z.ZodType | undefined): string[] {
  const { def } = assertType<z.core.$ZodTypes | undefined>(schema)?._zod ?? {};
  return def?.type === "object" ? Object.keys(def.shape) : [];
}

/**
 * The record that a request of this route may send back: what PATCH and PUT return, and what a POST creates in a
 * collection. Any other POST, such as a reply, returns a record that the client has not read before.
 */
export function sentBackIn(route: Declared, definitions: Definitions): SentBack | undefined {
  const schema = schemaOf(route.responses[200]) ?? schemaOf(route.responses[201]);
  const names = namesOf(schema);
  if (!schema || !["id", "version", "updatedAt"].some((name) => names.includes(name))) return undefined;
  if (route.method === "patch" || route.method === "put") return { schema };
  const identity = route.method === "post" ? identityIn(route.path, definitions) : undefined;
  return identity === undefined ? undefined : { schema, identity, always: ["id", ...Object.keys(versionFields)] };
}

/** `id` for `/api/tasks`, where `/api/tasks/{id}` is one of its records; undefined where a path is no collection. */
function identityIn(path: string, definitions: Definitions): string | undefined {
  for (const definition of definitions) {
    if (definition.type !== "route" || !definition.route.path.startsWith(`${path}/{`)) continue;
    const [, name] = /^\/\{(\w+)\}$/.exec(definition.route.path.slice(path.length)) ?? [];
    if (name) return name;
  }
  return undefined;
}

type Part = Target | "param";

/** What a part of a request is validated by. */
interface Schema {
  safeParse(input: unknown): { success: boolean; data?: unknown; error?: { issues: readonly z.core.$ZodIssue[] } };
}

interface Input {
  query?: Schema | undefined;
  params?: Schema | undefined;
  json?: { schema: Schema; isRequired: boolean } | undefined;
}

/**
 * Validates all parts of a request in one step, as the library does in one middleware for each: the layers took longer
 * than the schemas. Headers are only described: each is an optional text, which is read where it is needed.
 */
function validatedInput({ query, params, json }: Input): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (query) accept(c, "query", query, queryOf(c));
    if (params) accept(c, "param", params, c.req.param());
    if (json) accept(c, "json", json.schema, await bodyOf(c, json.isRequired));
    await next();
  };
}

function accept(c: HonoContext<AppEnv>, target: Part, schema: Schema, input: unknown): void {
  const result = input === NONE ? { success: true, data: {} } : schema.safeParse(input);
  if (!result.success) rejectInvalidInput({ ...result, data: input, target });
  c.req.addValidatedData(target, result.data ?? {});
}

function queryOf(c: HonoContext<AppEnv>): Record<string, unknown> {
  if (!c.req.url.includes("?")) return {};
  const values = Object.entries(c.req.queries()).map(([name, list]) => [name, list.length === 1 ? list[0] : list]);
  return Object.fromEntries(values);
}

/** A body that need not be sent, and was not: the schema does not apply. */
const NONE = Symbol("no body");

const JSON_TYPE = /^application\/([a-z-.]+\+)?json(;\s*[a-zA-Z0-9-]+=([^;]+))*$/i;

async function bodyOf(c: HonoContext<AppEnv>, isRequired: boolean): Promise<unknown> {
  const type = c.req.header("content-type");
  if (type === undefined) {
    const isEmpty = c.req.raw.body === null || (await c.req.arrayBuffer()).byteLength === 0;
    if (!isEmpty) throw unsupported();
    return isRequired ? {} : NONE;
  }
  if (!JSON_TYPE.test(type)) throw unsupported();
  try {
    return await c.req.json();
  } catch {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  }
}

function unsupported(): AppError {
  return new AppError("unsupported_media_type", "Send JSON with Content-Type: application/json.");
}
