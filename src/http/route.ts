import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { RateLimitName } from "../context.ts";
import { assertType } from "../lib/cast.ts";
import { ERRORS, type ErrorCode, validationFailed } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { BOOKMARK_HEADER, readNearby } from "./bookmark.ts";
import { refuseKeyOfStream } from "./event-stream.ts";
import { enforce, GUARD_ERRORS, type Guard } from "./guards.ts";
import { IDEMPOTENCY_ERRORS, idempotent } from "./idempotency.ts";
import { limitRate } from "./limits.ts";
import { isJson } from "./media-type.ts";
import { Problem } from "./problem.ts";
import { PROOF, PROOF_NAMES, provePerson } from "./reauth.ts";
import { limitUpload, type Upload } from "./upload.ts";

/** An answer that is not JSON. */
export interface Media {
  type: string | readonly string[];
  description: string;
}

type Method = "get" | "post" | "put" | "patch" | "delete";

/** All there is to know of an endpoint. Validation, guard and description are made from this. */
interface Declaration {
  operationId: string;
  summary: string;
  description?: string;
  guard: Guard;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Files that are taken in place of the JSON body. */
  upload?: Upload;
  /** The person must have proved themselves within 15 minutes, or does so in the body; see reauth.ts. */
  reauth?: true;
  /** Status → the JSON it carries, another medium, or null for no content. */
  returns: Record<number, z.ZodType | Media | null>;
  /** The failures particular to this endpoint; those of guard, input and limits are added. */
  errors?: readonly ErrorCode[];
  rateLimit?: RateLimitName;
  /** A GET that may make what it shows: what its writes raise is told at once, as after any other write. */
  writes?: true;
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

type RouteOf<M extends Method, P extends string, D extends Declaration> = {
  method: M;
  path: P;
  request: Part<D, "params", "params"> & Part<D, "query", "query"> & BodyPart<D>;
  responses: { [Status in keyof D["returns"]]: AnswerOf<D["returns"][Status]> };
  middleware: MiddlewareHandler<AppEnv>[];
};

/** What the registry keeps of a declaration beyond OpenAPI's own fields. */
export interface RouteExtensions {
  "x-guard": Guard["kind"];
  "x-scope"?: string;
  "x-error-codes": ErrorCode[];
  /** A body must be sent, though the library checks only some kinds of it. */
  "x-body-required"?: true;
}

export function route<const M extends Method, const P extends string, const D extends Declaration>(
  method: M,
  path: P,
  declaration: D,
): RouteOf<M, P, D> {
  const { operationId, summary, guard, params, query, upload } = declaration;
  const codes = errorCodes(method, declaration);
  const headers = headerSchema(method, declaration);
  const extensions: RouteExtensions = {
    "x-guard": guard.kind,
    ...(guard.kind === "data" && { "x-scope": guard.scope }),
    "x-error-codes": codes,
    ...(upload && { "x-body-required": true }),
  };
  const config: RouteConfig = {
    method,
    path,
    operationId,
    summary,
    description: descriptionOf(declaration),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...bodyOf(declaration),
    },
    responses: { ...answers(declaration), ...failures(codes) },
    middleware: middlewareOf(declaration),
    ...extensions,
  };
  return assertType<RouteOf<M, P, D>>(config);
}

function descriptionOf({ description, reauth }: Declaration): string | undefined {
  if (!reauth) return description;
  const rule =
    "Needs a proof of who you are: `currentPassword` (and `code`, with two-factor on), unless the session gave one within 15 minutes.";
  return description ? `${description} ${rule}` : rule;
}

/** The library checks a body that is not required only when one comes; `requireBody` and `upload` see to the rest. */
function bodyOf({ body, upload, reauth }: Declaration): RouteConfig["request"] {
  const schema = reauth ? z.object({ ...(body instanceof z.ZodObject ? body.shape : {}), ...PROOF }) : body;
  if (!schema) return {};
  const files = (upload?.types ?? []).map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  return {
    body: {
      content: { "application/json": { schema }, ...Object.fromEntries(files) },
      required: body !== undefined && !upload,
    },
  };
}

function middlewareOf(declaration: Declaration): MiddlewareHandler<AppEnv>[] {
  const { rateLimit, guard, body, upload, reauth, writes, events, idempotent: repeat } = declaration;
  const chain: MiddlewareHandler<AppEnv>[] = [];
  if (rateLimit) chain.push(limitRate(rateLimit));
  if (guard.kind !== "public") chain.push(enforce(guard));
  // After the guard: the session check always asks the primary.
  if (guard.kind === "data") chain.push(readNearby);
  if (body) chain.push(requireBody);
  if (upload) chain.push(limitUpload(upload));
  if (repeat && events) chain.push(refuseKeyOfStream);
  if (repeat) chain.push(idempotent(repeat === true ? [] : repeat.secrets, reauth ? PROOF_NAMES : []));
  if (reauth) chain.push(provePerson);
  if (writes) chain.push(noteWrites);
  return chain;
}

const noteWrites: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.set("writes", true);
  await next();
};

/** The library takes no body for `{}`, which a schema without required members would let through. */
const requireBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  // As text where it is JSON, because that is what the validator reads next.
  const isEmpty = isJson(c) ? (await c.req.text()) === "" : (await c.req.arrayBuffer()).byteLength === 0;
  if (isEmpty) throw validationFailed({ path: "", message: "A JSON body is required" });
  await next();
};

function errorCodes(method: Method, declaration: Declaration): ErrorCode[] {
  const { guard, params, query, body, reauth, rateLimit, idempotent: repeat, ifMatch, errors = [] } = declaration;
  const codes = new Set<ErrorCode>(GUARD_ERRORS[guard.kind]);
  if (params || query || body || reauth) codes.add("validation_failed");
  if (reauth) codes.add("reauthentication_required").add("account_locked").add("misconfigured");
  if (body || reauth) codes.add("invalid_json").add("unsupported_media_type");
  if (method !== "get") codes.add("body_too_large");
  if (rateLimit) codes.add("rate_limited");
  if (repeat) for (const code of IDEMPOTENCY_ERRORS) codes.add(code);
  if (ifMatch) codes.add("version_conflict");
  for (const code of errors) codes.add(code);
  codes.add("internal");
  return [...codes];
}

function headerSchema(method: Method, { guard, idempotent: repeat, ifMatch }: Declaration): z.ZodObject | undefined {
  const takesBookmark = guard.kind === "data" && method === "get";
  if (!repeat && !ifMatch && !takesBookmark) return undefined;
  return z.object({
    ...(takesBookmark && {
      [BOOKMARK_HEADER.toLowerCase()]: z.string().optional().openapi({
        description: "That of an earlier answer: a copy of the database near you answers, no older than that answer.",
        example: BOOKMARK_EXAMPLE,
      }),
    }),
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

const BOOKMARK_EXAMPLE = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
const BOOKMARK_ANSWER = {
  [BOOKMARK_HEADER]: {
    description: "How far this answer has seen the database go. Absent where a read was not sent one.",
    schema: { type: "string" as const, example: BOOKMARK_EXAMPLE },
  },
};

function answers({ guard, returns, events }: Declaration): RouteConfig["responses"] {
  const responses: RouteConfig["responses"] = {};
  for (const [status, answer] of Object.entries(returns)) {
    const name = Number(status) === 201 ? "Created" : Number(status) < 400 ? "Success" : "Failure";
    if (answer === null) responses[status] = { description: "Done, nothing to say" };
    else if ("type" in answer && "description" in answer && !("parse" in answer)) {
      responses[status] = {
        description: answer.description,
        content: Object.fromEntries([answer.type].flat().map((type) => [type, { schema: { type: "string" } }])),
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
    if (guard.kind === "data") Object.assign(responses[status], { headers: BOOKMARK_ANSWER });
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

/** A feature as the server mounts it: its endpoints, and the group of the API reference they are listed under. */
export interface Feature {
  tag: string;
  routes: OpenAPIHono<AppEnv>;
}

/** A group of the API reference. */
export interface Tag {
  name: string;
  description: string;
}
