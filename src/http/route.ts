import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { RateLimitName } from "../context.ts";
import type { DataScope } from "../lib/api-key-scopes.ts";
import { assertType } from "../lib/cast.ts";
import { type ErrorCode, validationFailed } from "../lib/errors.ts";
import { kept } from "../lib/kept.ts";
import type { AppEnv } from "./app-env.ts";
import { BOOKMARK_HEADER, readNearby } from "./bookmark.ts";
import { skipUnchanged } from "./etag.ts";
import { refuseKeyOfStream } from "./event-stream.ts";
import { enforce, GUARD_ERRORS, type Guard } from "./guards.ts";
import { IDEMPOTENCY_ERRORS, idempotent } from "./idempotency.ts";
import { limitRate } from "./limits.ts";
import { isJson } from "./media-type.ts";
import { showReadable, withReceipts } from "./readable-response.ts";
import {
  REAUTHENTICATION,
  REAUTHENTICATION_NAMES,
  type ReauthRule,
  requireReauthentication,
  ruleOf,
} from "./reauth.ts";
import { type EventsDescription, type Returns, successResponses, withErrors } from "./responses.ts";
import { CONSOLE_HEADER, requireSameOrigin } from "./same-origin.ts";
import { doc } from "./schemas.ts";
import { limitUpload, type Upload } from "./upload.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** Everything about an endpoint: its validation, guard and description are made from this. */
export interface Declaration {
  operationId: string;
  summary: string;
  description?: string;
  guard: Guard;
  /** The scopes that an API key needs besides, because a stored record is quoted, sent on or made into another. */
  derivesFrom?: readonly DataScope[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Files that are accepted instead of the JSON body. */
  upload?: Upload;
  /** Requires a re-authentication in the body, or `recent`: one in this session, a short time ago; see reauth.ts. */
  reauth?: ReauthRule;
  returns: Returns;
  /** The error codes particular to this endpoint; those of guard, path, input and limits are added. */
  errors?: readonly ErrorCode[];
  rateLimit?: RateLimitName;
  /** Called by another service, whose messages may contain more than is read here: unknown members are accepted. */
  fromProvider?: true;
  /** Takes the session's cookie, so only the console may call it. */
  sameOrigin?: true;
  /** Shows a person the sign-in codes and links in their emails, which programs never see. */
  showsSignIn?: true;
  /** A GET that may create what it returns: its events are delivered at once, as after any other write. */
  writes?: true;
  /** Accepts `Idempotency-Key`; `secrets` are shown once and are null in a replay. */
  idempotent?: true | { secrets: readonly string[] };
  /** Accepts `If-Match`. */
  ifMatch?: true;
  /**
   * A GET of a record with a version accepts `If-None-Match`. False where members change without the version, which
   * then does not prove that the client's copy is current.
   */
  ifNoneMatch?: false;
  /** The events that `Accept: text/event-stream` returns instead of JSON: a description, or one with an example. */
  events?: string | EventsDescription;
}

/** Fields of a declaration that are not part of OpenAPI. */
export interface RouteExtensions {
  "x-guard": Guard["kind"];
  /** An API key needs one of them. */
  "x-scopes"?: readonly string[];
  /** An API key needs all of them besides. */
  "x-derives-from"?: readonly string[];
  "x-error-codes": ErrorCode[];
  /** A body is required, although the library validates only its JSON form. */
  "x-body-required"?: true;
  /** The files that it takes as a stream. */
  "x-streamed"?: Upload;
  /** Unknown members and query parameters are accepted. */
  "x-from-provider"?: true;
}

/** The endpoint as OpenAPI describes it, with the middleware that its declaration asks for. */
export function route(method: Method, path: string, declaration: Declaration): Declared {
  const { operationId, summary, guard, derivesFrom, params, query, upload, fromProvider } = declaration;
  const codes = kept(() => errorCodes(method, path, declaration));
  const headers = kept(() => headerSchema(method, declaration));
  const responses = kept(() => responsesOf(method, declaration, codes()));
  // Made on demand, because only the API reference needs it.
  const config: RouteConfig & RouteExtensions = {
    method,
    path,
    operationId,
    summary,
    description: descriptionOf(declaration),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      get headers() {
        return headers();
      },
      ...bodyOf(declaration),
    },
    get responses() {
      return responses();
    },
    "x-guard": guard.kind,
    ...(guard.kind === "data" && { "x-scopes": guard.scopes }),
    ...(derivesFrom && { "x-derives-from": derivesFrom }),
    get "x-error-codes"() {
      return codes();
    },
    ...(upload && { "x-body-required": true }),
    ...(upload?.isStreamed && { "x-streamed": upload }),
    ...(fromProvider && { "x-from-provider": true }),
  };
  // Hidden from the reference.
  Object.defineProperty(config, "middleware", { value: middlewareOf(method, declaration) });
  return assertType<Declared>(config);
}

function descriptionOf({ description, guard, reauth, derivesFrom = [] }: Declaration): string | undefined {
  if (derivesFrom.length > 0) {
    const needs = `An API key also needs ${derivesFrom.map((scope) => `\`${scope}\``).join(" and ")}.`;
    return description ? `${description} ${needs}` : needs;
  }
  if (!reauth) return description;
  const needs = "Requires `currentPassword`, and `code` with two-factor authentication";
  const rule = {
    always: `${needs}, even right after signing in.`,
    recent: `${needs}, unless you confirmed them in this session within the last 15 minutes. Signing in does not count.`,
  }[ruleOf(reauth)];
  return [description, rule, guard.kind !== "user" && "An API key needs neither."].filter(Boolean).join(" ");
}

/** The library validates a body that is not required only if one is sent; `requireBody` and `upload` do the rest. */
function bodyOf({ body, upload, reauth }: Declaration): RouteConfig["request"] {
  const schema = reauth ? withReauthentication(body, reauth) : body;
  if (!schema && !upload) return {};
  const files = (upload?.types ?? []).map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  return {
    body: {
      content: { ...(schema && { "application/json": { schema } }), ...Object.fromEntries(files) },
      required: body !== undefined && !upload,
    },
  };
}

/** The example of a body has the password where it is always required. A union has the members itself, where it needs them. */
function withReauthentication(body: z.ZodType | undefined, rule: ReauthRule): z.ZodType {
  const members = REAUTHENTICATION[ruleOf(rule)];
  if (body instanceof z.ZodObject) return body.extend(members);
  return body ?? z.object(members).openapi({ example: {} });
}

/** Whether the endpoint may return one record with a version, which is its ETag. */
function mayBeConditional(method: Method, { returns, ifNoneMatch }: Declaration): boolean {
  return method === "get" && ifNoneMatch !== false && returns[200] instanceof z.ZodObject;
}

/** Whether it does. Makes the fields of the record. */
function isConditional(method: Method, declaration: Declaration): boolean {
  const record = declaration.returns[200];
  return (
    mayBeConditional(method, declaration) &&
    record instanceof z.ZodObject &&
    record.shape.version instanceof z.ZodNumber
  );
}

function responsesOf(method: Method, declaration: Declaration, codes: readonly ErrorCode[]): RouteConfig["responses"] {
  const { guard, events } = declaration;
  const others = {
    ...successResponses(withReceipts(declaration), guard.kind === "data", events),
    ...(isConditional(method, declaration) && { 304: { description: "Not modified" } }),
  };
  return withErrors(others, codes);
}

function middlewareOf(method: Method, declaration: Declaration): MiddlewareHandler<AppEnv>[] {
  const { rateLimit, sameOrigin, guard, body, upload, reauth, writes, events, fromProvider } = declaration;
  const { idempotent: repeat } = declaration;
  const chain: MiddlewareHandler<AppEnv>[] = [];
  if (sameOrigin) chain.push(requireSameOrigin);
  if (rateLimit) chain.push(limitRate(rateLimit));
  if (guard.kind === "data") chain.push(readNearby);
  // Other services sign what they send, and may send a header of their own with it.
  if (!fromProvider) chain.push(enforce(guard, !checksFirst(declaration)));
  if (guard.kind === "data") chain.push(showReadable(declaration));
  if (body) chain.push(requireBody(upload?.isStreamed === true));
  if (upload) chain.push(limitUpload(upload));
  if (reauth) chain.push(requireReauthentication(reauth, declaration));
  if (repeat && events) chain.push(refuseKeyOfStream);
  if (repeat) chain.push(idempotent(repeat === true ? [] : repeat.secrets, reauth ? REAUTHENTICATION_NAMES : []));
  if (writes) chain.push(noteWrites);
  if (mayBeConditional(method, declaration)) chain.push(skipUnchanged(() => isConditional(method, declaration)));
  return chain;
}

/**
 * Whether the credential is checked before anything else, at the price of a round trip, instead of together with the
 * first statement. Endpoints that cost money or call other services have a rate limit, and must not begin for nobody;
 * a stream begins to answer before its statements; a reauthentication is about the account as it is now.
 */
function checksFirst({ rateLimit, events, reauth }: Declaration): boolean {
  return rateLimit !== undefined || events !== undefined || reauth !== undefined;
}

const noteWrites: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.set("writes", true);
  await next();
};

/** The library reads an empty body as `{}`, which a schema without required members accepts. */
function requireBody(isStreamed: boolean): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (isStreamed && !isJson(c)) return next();
    // JSON is read as text, because the validator reads it that way next and Hono caches it.
    const isEmpty = isJson(c) ? (await c.req.text()) === "" : (await c.req.arrayBuffer()).byteLength === 0;
    if (isEmpty) throw validationFailed({ path: "", message: "A JSON body is required" });
    await next();
  };
}

function errorCodes(method: Method, path: string, declaration: Declaration): ErrorCode[] {
  const {
    guard,
    query,
    body,
    upload,
    reauth,
    rateLimit,
    idempotent: repeat,
    ifMatch,
    fromProvider,
    errors = [],
  } = declaration;
  // Of the guard, or in open mode for pages of other origins.
  const codes = new Set<ErrorCode>(["forbidden"]);
  if (!fromProvider) for (const code of [...GUARD_ERRORS[guard.kind], "validation_failed"] as const) codes.add(code);
  if (reauth) codes.add("reauthentication_required").add("account_locked").add("misconfigured");
  if (body || reauth) codes.add("invalid_json");
  if (body || reauth || upload) codes.add("unsupported_media_type");
  if (method !== "get") codes.add("body_too_large");
  if (rateLimit) codes.add("rate_limited");
  if (repeat) for (const code of IDEMPOTENCY_ERRORS) codes.add(code);
  if (ifMatch) codes.add("version_conflict");
  if (method !== "get") codes.add("storage_full");
  if (path.includes("{")) codes.add("not_found");
  if (query && "cursor" in query.shape) codes.add("invalid_cursor");
  for (const code of errors) codes.add(code);
  codes.add("internal");
  return [...codes];
}

function headerSchema(method: Method, declaration: Declaration): z.ZodObject | undefined {
  const { guard, events, sameOrigin, idempotent: repeat, ifMatch } = declaration;
  const header = (description: string) => doc(z.string().optional(), description);
  const headers = {
    ...(guard.kind === "data" &&
      method === "get" && {
        [BOOKMARK_HEADER.toLowerCase()]: header(
          "Bookmark from an earlier response. Lets a nearby read replica respond, with data at least as recent as that response.",
        ),
      }),
    ...(events !== undefined &&
      method === "get" && {
        "last-event-id": header("Id of the last event you have: the response continues after it."),
      }),
    ...(repeat && {
      "idempotency-key": header(
        "A unique text of your choice. The same key and body within 24 hours return the first response again instead of repeating the request.",
      ),
    }),
    ...(sameOrigin && {
      [CONSOLE_HEADER.toLowerCase()]: header("Always `1`. The request must come from this origin."),
    }),
    ...(ifMatch && {
      "if-match": header("ETag of the record as you read it. If the record has changed since, the response is 412."),
    }),
    ...(isConditional(method, declaration) && {
      "if-none-match": header(
        "ETag of the record as you have it. If its version is still the same, the response is 304 without a body.",
      ),
    }),
  };
  return Object.keys(headers).length > 0 ? z.object(headers) : undefined;
}

export type Contents = Record<string, { schema?: unknown }>;

/** A route with its schemas, as `route` makes it. */
export interface Declared extends RouteExtensions {
  method: string;
  path: string;
  request: { params?: z.ZodType; query?: z.ZodType; body?: { content: Contents; required?: boolean } };
  responses: Record<number, { content?: Contents }>;
  middleware?: MiddlewareHandler<AppEnv>[];
}

/** A feature as the server mounts it: its endpoints and their group in the API reference. */
export interface Feature {
  tag: string;
  routes: OpenAPIHono<AppEnv>;
}

/** A group of the API reference. */
export interface Tag {
  name: string;
  description: string;
}
