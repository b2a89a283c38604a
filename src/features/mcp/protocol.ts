import { VERSION } from "../../config.ts";
import { assertType } from "../../lib/cast.ts";

/*
 * The Model Context Protocol over HTTP, in both of its eras, for whatever a server offers. Modern (2026-07-28): every
 * request carries its version and capabilities in `_meta`, mirrored in headers. Legacy (2025-03-26 to 2025-11-25): a
 * client begins with `initialize`. There are no sessions in either: every request stands for itself.
 */

const MODERN = "2026-07-28";
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
const VERSIONS: readonly string[] = [MODERN, ...LEGACY];

export type Era = "modern" | "legacy";
type Json = Record<string, unknown>;
type RequestId = string | number;

export interface Message {
  /** Undefined for a notification, which gets no response. */
  id: RequestId | undefined;
  method: string;
  params: Json;
  era: Era;
}

const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Of the eras before 2026-07-28. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** An error of the protocol itself. What a tool refuses is a result. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Json | undefined;
  readonly status: number;
  readonly id: RequestId | undefined;

  constructor(
    kind: keyof typeof CODES | number,
    message: string,
    { data, status = 200, id }: { data?: Json; status?: number; id?: RequestId | undefined } = {},
  ) {
    super(message);
    this.name = "RpcError";
    this.code = typeof kind === "number" ? kind : CODES[kind];
    this.data = data;
    this.status = status;
    this.id = id;
  }
}

const META = "io.modelcontextprotocol/";

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads one message, or throws what is wrong with it. */
export function readMessage(headers: Headers, text: string): Message {
  const body = parsed(text);
  if (Array.isArray(body)) {
    throw new RpcError("invalidRequest", "Send one message in each request.", { status: 400 });
  }
  if (!isObject(body) || body.jsonrpc !== "2.0" || typeof body.method !== "string") {
    throw new RpcError("invalidRequest", "The body is not a JSON-RPC 2.0 request.", { status: 400 });
  }
  const { id, method } = body;
  if (id !== undefined && typeof id !== "string" && !Number.isInteger(id)) {
    throw new RpcError("invalidRequest", "The id of a request is a text or an integer.", { status: 400 });
  }
  const known = assertType<RequestId | undefined>(id);
  if (body.params !== undefined && !isObject(body.params)) {
    throw new RpcError("invalidParams", "params must be an object.", { status: 400, id: known });
  }
  const params = isObject(body.params) ? body.params : {};
  const message = { id: known, method, params };
  return { ...message, era: eraOf(headers, message) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError("parse", "The body is not JSON.", { status: 400 });
  }
}

/** Header values without the optional white space around them, which some proxies leave. */
const headerOf = (headers: Headers, name: string) => headers.get(name)?.trim();

function eraOf(headers: Headers, message: Omit<Message, "era">): Era {
  const { id, method, params } = message;
  const meta = isObject(params._meta) ? params._meta : {};
  const inBody = meta[`${META}protocolVersion`];
  const inHeader = headerOf(headers, "mcp-protocol-version");
  // The first version with this transport had no header, and an `initialize` asks which version to speak.
  if (inBody === undefined && (inHeader === undefined || isLegacy(inHeader) || method === "initialize"))
    return "legacy";
  if (inBody === undefined && inHeader !== undefined && inHeader !== MODERN) throw unsupported(inHeader, id);
  // Notifications have no `_meta` to compare with.
  if (id === undefined) return "modern";
  if (typeof inBody !== "string" || !isObject(meta[`${META}clientCapabilities`])) {
    const needed = `${META}protocolVersion and ${META}clientCapabilities`;
    throw new RpcError("invalidParams", `Every request needs ${needed} in params._meta.`, { status: 400, id });
  }
  if (inHeader !== inBody) throw mismatch("MCP-Protocol-Version", inHeader, inBody, id);
  if (isLegacy(inBody)) return "legacy";
  if (inBody !== MODERN) throw unsupported(inBody, id);
  checkHeaders(headers, message);
  return "modern";
}

const isLegacy = (version: string) => LEGACY.some((each) => each === version);

function unsupported(requested: string, id: RequestId | undefined): RpcError {
  const data = { supported: VERSIONS, requested };
  return new RpcError("unsupportedVersion", "Unsupported protocol version", { data, status: 400, id });
}

const NAMED_BY: Record<string, string> = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };

function checkHeaders(headers: Headers, { id, method, params }: Omit<Message, "era">): void {
  const named = headerOf(headers, "mcp-method");
  if (named !== method) throw mismatch("Mcp-Method", named, method, id);
  const member = NAMED_BY[method];
  if (member === undefined) return;
  const name = decoded(headerOf(headers, "mcp-name"));
  if (name !== params[member]) throw mismatch("Mcp-Name", name, params[member], id);
}

/** A value that no header can hold is sent as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/i.exec(value ?? "") ?? [];
  if (base64 === undefined) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

function mismatch(header: string, value: string | undefined, inBody: unknown, id: RequestId | undefined): RpcError {
  const said = value === undefined ? "is missing" : `value '${value}' does not match body value '${inBody}'`;
  return new RpcError("headerMismatch", `Header mismatch: ${header} header ${said}`, { status: 400, id });
}

/** What a server offers: its identity, and a handler for each method beyond those of the protocol itself. */
export interface Offer<Call> {
  title: string;
  instructions: string;
  capabilities: Json;
  methods: Record<string, (params: Json, call: Call, era: Era) => Promise<Json>>;
}

const NAME = "personal-operations-assistant";
/** Clients cache these; a connection may be given other scopes at any time. */
const TTL_MS: Record<string, number> = {
  "tools/list": 60_000,
  "prompts/list": 60_000,
  "resources/list": 60_000,
  "resources/templates/list": 60_000,
  "resources/read": 0,
};

/** The result of a request. */
export async function resultOf<Call>(offer: Offer<Call>, message: Message, call: Call): Promise<Json> {
  const { method, params, era, id } = message;
  const serverInfo = { name: NAME, title: offer.title, version: VERSION };
  if (era === "legacy") {
    if (method === "initialize") return initialized(offer, params, serverInfo);
    if (method === "ping") return {};
  }
  const { capabilities, instructions } = offer;
  const identity = { [`${META}serverInfo`]: serverInfo };
  if (era === "modern" && method === "server/discover") {
    const cache = { ttlMs: 60_000, cacheScope: "public" };
    return {
      resultType: "complete",
      supportedVersions: VERSIONS,
      capabilities,
      instructions,
      _meta: identity,
      ...cache,
    };
  }
  const handler = Object.hasOwn(offer.methods, method) ? offer.methods[method] : undefined;
  if (!handler) {
    throw new RpcError("unknownMethod", `Method not found: ${method}`, { status: era === "modern" ? 404 : 200, id });
  }
  const result = await handler(params, call, era);
  if (era === "legacy") return result;
  const ttlMs = TTL_MS[method];
  const cache = ttlMs === undefined ? {} : { ttlMs, cacheScope: "private" };
  return { resultType: "complete", ...cache, ...result, _meta: identity };
}

/** The client's version if it is known, otherwise the newest of this era: the client then decides whether to go on. */
function initialized<Call>(offer: Offer<Call>, { protocolVersion }: Json, serverInfo: Json): Json {
  const isKnown = typeof protocolVersion === "string" && isLegacy(protocolVersion);
  const { capabilities, instructions } = offer;
  return { protocolVersion: isKnown ? protocolVersion : LEGACY[0], capabilities, serverInfo, instructions };
}

export function success(id: RequestId, result: Json): Response {
  return Response.json({ jsonrpc: "2.0", id, result });
}

export function failure(error: RpcError, id: RequestId | undefined = error.id, headers?: HeadersInit): Response {
  const { code, message, data, status } = error;
  const body = { jsonrpc: "2.0", ...(id !== undefined && { id }), error: { code, message, ...(data && { data }) } };
  return Response.json(body, { status, ...(headers && { headers }) });
}
