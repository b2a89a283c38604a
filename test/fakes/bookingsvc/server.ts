import http from "node:http";
import { bodyOf } from "../server.ts";
import { answer, failure, type WireAnswer, wireBooking } from "./wire.ts";
import { type Booking, type NewBooking, World } from "./world.ts";

/** What can be made to go wrong; `from` is the first list request it meets, counting from 1. */
export interface Fault {
  kind: "500" | "429" | "401" | "timeout" | "truncated" | "html" | "endless" | "duplicates" | "touch";
  from?: number;
  /** How many requests it meets; without it, every one from there on. */
  times?: number;
  /** With `touch`: which booking changes after the page has been answered. */
  uid?: string;
}

/** One provider account, named by its key, so that tests never meet each other. */
interface Tenant {
  world: World;
  faults: Fault[];
  requests: { path: string; query: string; version: string | undefined }[];
  lists: number;
  window: { startedAt: number; count: number; blockedUntil: number };
  limit: number;
  revoked: boolean;
}

const BLOCK_MS = 60_000;

/**
 * The provider as an HTTP server. Under `/control/{key}/…` a test arranges the account of that key:
 * it speaks JSON and is no part of the provider's wire.
 */
export function createFakeProvider({ latencyMs = 0 } = {}): http.Server & { tenant(key: string): Tenant } {
  const tenants = new Map<string, Tenant>();
  const tenant = (key: string): Tenant => {
    const known = tenants.get(key);
    if (known) return known;
    const fresh: Tenant = {
      world: new World(new Date(Date.now() - 3_600_000)),
      faults: [],
      requests: [],
      lists: 0,
      window: { startedAt: Date.now(), count: 0, blockedUntil: 0 },
      limit: 100_000,
      revoked: false,
    };
    tenants.set(key, fresh);
    return fresh;
  };
  const server = http.createServer((request, response) => {
    const answer = () =>
      handle(request, response, tenant).catch((error) => {
        response.writeHead(500).end(String(error));
      });
    if (latencyMs > 0) setTimeout(answer, latencyMs);
    else answer();
  });
  return Object.assign(server, { tenant });
}

async function handle(request: http.IncomingMessage, response: http.ServerResponse, tenant: (key: string) => Tenant) {
  const url = new URL(request.url ?? "/", "http://fake");
  const control = /^\/control\/([\w-]+)\/(\w+)$/.exec(url.pathname);
  if (control) {
    const body = await readJson(request);
    return send(response, { status: 200, body: arrange(tenant(control[1] ?? ""), control[2] ?? "", body) ?? null });
  }
  const key = /^Bearer (cal_[\w-]+)$/.exec(request.headers.authorization ?? "")?.[1];
  const account = key === undefined ? undefined : tenant(key);
  if (!account || account.revoked || key?.startsWith("cal_wrong")) {
    return send(response, failure(401, url.pathname, "UnauthorizedException", "Invalid API key"));
  }
  const version = request.headers["cal-api-version"]?.toString();
  account.requests.push({ path: url.pathname, query: url.search, version });
  const limited = countRequest(account, url.pathname);
  if (limited) return send(response, limited);
  const isList = url.pathname === "/v2/bookings";
  if (isList) account.lists += 1;
  const fault = faultFor(account, isList);
  const headers = limitHeaders(account);
  const usual = { ...answer(account.world, url.pathname, url.searchParams, version), headers };
  return misbehave(fault, account, usual, url, response);
}

/** The provider counts by the minute, and an account that goes past is shut out for a minute. */
function countRequest(account: Tenant, path: string): WireAnswer | null {
  const { window } = account;
  const now = Date.now();
  if (now - window.startedAt > 60_000) Object.assign(window, { startedAt: now, count: 0 });
  window.count += 1;
  if (window.count > account.limit) window.blockedUntil = Math.max(window.blockedUntil, now + BLOCK_MS);
  if (now >= window.blockedUntil) return null;
  return { ...failure(429, path, "ThrottlerException", "Too Many Requests"), headers: limitHeaders(account) };
}

function limitHeaders({ window, limit }: Tenant): Record<string, string> {
  const end = window.blockedUntil > Date.now() ? window.blockedUntil : window.startedAt + 60_000;
  return {
    "X-RateLimit-Limit-Default": String(limit),
    "X-RateLimit-Remaining-Default": String(Math.max(0, limit - window.count)),
    "X-RateLimit-Reset-Default": String(Math.max(0, Math.ceil((end - Date.now()) / 1000))),
  };
}

function faultFor(account: Tenant, isList: boolean): Fault | undefined {
  const fault = account.faults.find(
    ({ from = 0, times = 1 }) => times > 0 && (from === 0 || (isList && account.lists >= from)),
  );
  if (fault?.times !== undefined) fault.times -= 1;
  return fault;
}

function misbehave(
  fault: Fault | undefined,
  account: Tenant,
  usual: WireAnswer,
  url: URL,
  response: http.ServerResponse,
) {
  const path = url.pathname;
  switch (fault?.kind) {
    case "500":
      return send(response, failure(500, path, "InternalServerErrorException", "Internal server error"));
    case "401":
      return send(response, failure(401, path, "UnauthorizedException", "Invalid API key"));
    case "429":
      return send(response, {
        ...failure(429, path, "ThrottlerException", "Too Many Requests"),
        headers: { ...limitHeaders(account), "X-RateLimit-Remaining-Default": "0", "X-RateLimit-Reset-Default": "1" },
      });
    case "timeout":
      // The connection stays open and nothing comes; the caller has to give up by itself.
      return;
    case "html":
      return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Maintenance</title>");
    case "truncated": {
      const text = JSON.stringify(usual.body);
      return response.writeHead(200, { "content-type": "application/json" }).end(text.slice(0, text.length / 2));
    }
    case "endless":
      return send(response, { ...usual, body: { status: "success", data: endlessPage(account, url), pagination: {} } });
    case "duplicates":
      return send(response, { ...usual, body: doubled(usual.body) });
    case "touch":
      send(response, usual);
      if (fault.uid) account.world.change(fault.uid, {});
      return;
    default:
      return send(response, usual);
  }
}

/** Always a full page of the same rows, whatever is asked for. */
function endlessPage({ world }: Tenant, url: URL) {
  const take = Number(url.searchParams.get("take") ?? 100);
  const rows = [...world.bookings.values()].map(wireBooking);
  return Array.from({ length: take }, (_, n) => rows[n % Math.max(1, rows.length)]);
}

function doubled(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("data" in body) || !Array.isArray(body.data)) return body;
  return { ...body, data: body.data.flatMap((row) => [row, row]) };
}

type Command = Record<string, unknown> & { bookings?: (NewBooking & { start: string })[]; faults?: Fault[] };

/** The arrangements a test can make over HTTP. */
function arrange(account: Tenant, verb: string, command: Command): unknown {
  const { world } = account;
  const uid = String(command.uid);
  switch (verb) {
    case "book":
      return (command.bookings ?? []).map((booking) => world.book({ ...booking, start: new Date(booking.start) }));
    case "change":
      return world.change(uid, command.change as Partial<Booking>);
    case "reschedule":
      return world.reschedule(uid, new Date(String(command.start)));
    case "cancel":
      return world.cancel(uid, command.reason as string | undefined);
    case "faults":
      account.faults = command.faults ?? [];
      account.lists = 0;
      return;
    case "limit":
      account.limit = Number(command.limit);
      account.window = { startedAt: Date.now(), count: 0, blockedUntil: 0 };
      return;
    case "revoke":
      account.revoked = true;
      return;
    case "requests":
      return account.requests.splice(0);
    case "bookings":
      return [...world.bookings.values()];
    default:
      throw new Error(`the fake provider does not know ${verb}`);
  }
}

async function readJson(request: http.IncomingMessage): Promise<Command> {
  const text = await bodyOf(request);
  return text ? JSON.parse(text) : {};
}

function send(response: http.ServerResponse, { status, body, headers }: WireAnswer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
