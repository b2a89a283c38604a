import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { assertType } from "../lib/cast.ts";
import { ERRORS, type ErrorCode } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { enforce, GUARD_ERRORS, type Guard } from "./guards.ts";
import { idempotent } from "./idempotency.ts";
import { limitRate, type RateLimitName } from "./limits.ts";
import { Problem, validationFailed } from "./problem.ts";

/** An answer that is not JSON. */
export interface Media {
  type: string;
  description: string;
}

/** All there is to know of an endpoint. Validation, guard and description are made from this. */
interface Declaration {
  method: "get" | "post" | "put" | "patch" | "delete";
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  guard: Guard;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Status → the JSON it carries, another medium, or null for no content. */
  returns: Record<number, z.ZodType | Media | null>;
  /** The failures particular to this endpoint; those of guard, input and limits are added. */
  errors?: readonly ErrorCode[];
  rateLimit?: RateLimitName;
  /** Takes `Idempotency-Key`; `secrets` are shown once and come back as null in a replay. */
  idempotent?: true | { secrets: readonly string[] };
  /** Takes `If-Match`. */
  ifMatch?: true;
  /** `Accept: text/event-stream` gets the same as events (`http/event-stream.ts`); says which ones. */
  events?: string;
}

type Part<D, Key extends string, Out extends string> =
  D extends Record<Key, infer Schema extends z.ZodType> ? { [K in Out]: Schema } : object;
type BodyPart<D> = D extends { body: infer Schema extends z.ZodType }
  ? { body: { content: { "application/json": { schema: Schema } }; required: true } }
  : object;
type AnswerOf<A> = A extends z.ZodType
  ? { description: string; content: { "application/json": { schema: A } } }
  : { description: string };

type RouteOf<D extends Declaration> = {
  method: D["method"];
  path: D["path"];
  request: Part<D, "params", "params"> & Part<D, "query", "query"> & BodyPart<D>;
  responses: { [Status in keyof D["returns"]]: AnswerOf<D["returns"][Status]> };
  middleware: MiddlewareHandler<AppEnv>[];
};

/** What the registry keeps of a declaration beyond OpenAPI's own fields. */
export interface RouteExtensions {
  "x-guard": Guard["kind"];
  "x-scope"?: string;
  "x-error-codes": ErrorCode[];
}

export function route<const D extends Declaration>(declaration: D): RouteOf<D> {
  const { method, path, operationId, summary, description, guard, params, query, body } = declaration;
  const codes = errorCodes(declaration);
  const headers = headerSchema(declaration);
  const extensions: RouteExtensions = {
    "x-guard": guard.kind,
    ...(guard.kind === "data" && { "x-scope": guard.scope }),
    "x-error-codes": codes,
  };
  const config: RouteConfig = {
    method,
    path,
    operationId,
    summary,
    description,
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body: { content: { "application/json": { schema: body } }, required: true } }),
    },
    responses: { ...answers(declaration), ...failures(codes) },
    middleware: middlewareOf(declaration),
    ...extensions,
  };
  return assertType<RouteOf<D>>(config);
}

function middlewareOf({ rateLimit, guard, body, idempotent: repeat }: Declaration): MiddlewareHandler<AppEnv>[] {
  const chain: MiddlewareHandler<AppEnv>[] = [];
  if (rateLimit) chain.push(limitRate(rateLimit));
  if (guard.kind !== "public") chain.push(enforce(guard));
  if (body) chain.push(requireBody);
  if (repeat) chain.push(idempotent(repeat === true ? [] : repeat.secrets));
  return chain;
}

/** The library takes no body for `{}`, which a schema without required members would let through. */
const requireBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { byteLength } = await c.req.arrayBuffer();
  if (byteLength === 0) throw validationFailed([{ path: "", message: "A JSON body is required" }]);
  await next();
};

function errorCodes(declaration: Declaration): ErrorCode[] {
  const { guard, params, query, body, rateLimit, idempotent: repeat, ifMatch, errors = [] } = declaration;
  const codes = new Set<ErrorCode>(GUARD_ERRORS[guard.kind]);
  if (params || query || body) codes.add("validation_failed");
  if (body) codes.add("invalid_json").add("unsupported_media_type");
  if (declaration.method !== "get") codes.add("body_too_large");
  if (rateLimit) codes.add("rate_limited");
  if (repeat) codes.add("validation_failed").add("idempotency_mismatch").add("idempotency_in_flight");
  if (ifMatch) codes.add("version_conflict");
  for (const code of errors) codes.add(code);
  codes.add("internal");
  return [...codes];
}

function headerSchema({ idempotent: repeat, ifMatch }: Declaration): z.ZodObject | undefined {
  if (!repeat && !ifMatch) return undefined;
  return z.object({
    ...(repeat && {
      "idempotency-key": z.string().optional().openapi({
        description: "Any unique text. The same key and body within 24 hours get the first answer again.",
        example: "order-7f3a",
      }),
    }),
    ...(ifMatch && {
      "if-match": z.string().optional().openapi({
        description: "The ETag you read. The write is refused when the record has changed since.",
        example: '"3"',
      }),
    }),
  });
}

function answers({ returns, events }: Declaration): RouteConfig["responses"] {
  const responses: RouteConfig["responses"] = {};
  for (const [status, answer] of Object.entries(returns)) {
    const name = Number(status) === 201 ? "Created" : Number(status) < 400 ? "Success" : "Failure";
    if (answer === null) responses[status] = { description: "Done, nothing to say" };
    else if ("type" in answer && "description" in answer && !("parse" in answer)) {
      responses[status] = {
        description: answer.description,
        content: { [answer.type]: { schema: { type: "string" } } },
      };
    } else {
      responses[status] = {
        description: name,
        content: {
          "application/json": { schema: assertType<z.ZodType>(answer) },
          ...(events && Number(status) === 200 && { "text/event-stream": { schema: eventText(events) } }),
        },
      };
    }
  }
  return responses;
}

function eventText(description: string) {
  return { type: "string" as const, description, example: 'event: delta\ndata: {"text":"Hello"}\n\n' };
}

function failures(codes: readonly ErrorCode[]): RouteConfig["responses"] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = ERRORS[code][0];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: RouteConfig["responses"] = {};
  for (const [status, group] of byStatus) {
    responses[status] = {
      description: group.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join(". "),
      content: { "application/problem+json": { schema: Problem } },
    };
  }
  return responses;
}

/** A feature as the server mounts it. */
export interface Feature {
  path: string;
  tag: string;
  description: string;
  router: OpenAPIHono<AppEnv>;
}
