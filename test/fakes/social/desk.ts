import http from "node:http";
import { bodyOf } from "../server.ts";

/** What an account of a fake platform does next, in place of what it would do. */
export interface Fault {
  kind: "500" | "429" | "401" | "403" | "404" | "410" | "400" | "timeout" | "late" | "html" | "echo";
  /** Only requests whose path holds this. */
  on?: string;
  times?: number;
  /** With 429: seconds to wait. */
  retryAfter?: number;
}

export interface Seen {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
}

/** One account of a platform, named by the tests, so that they never meet each other. */
export interface Desk {
  faults: Fault[];
  seen: Seen[];
  /** The texts that were really posted, in order. */
  posts: string[];
  /** Whatever else the platform keeps of the account. */
  state: Record<string, unknown>;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

type Platform = (request: Seen, desk: Desk) => Answer;

/**
 * A platform as an HTTP server. `deskOf` says whose account a request is for; under `/control/{name}` a test
 * arranges an account and reads what happened there.
 */
export function createPlatform(deskOf: (request: Seen) => string | null, platform: Platform): http.Server {
  const desks = new Map<string, Desk>();
  const desk = (name: string): Desk => {
    const known = desks.get(name) ?? { faults: [], seen: [], posts: [], state: {} };
    desks.set(name, known);
    return known;
  };
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://fake");
    const seen: Seen = {
      method: request.method ?? "GET",
      path: url.pathname,
      query: url.search,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: await bodyOf(request),
    };
    const control = /^\/control\/([\w.-]+)$/.exec(seen.path)?.[1];
    if (control !== undefined) {
      const account = desk(control);
      if (seen.method === "POST") Object.assign(account, JSON.parse(seen.body));
      return send(response, { status: 200, body: account });
    }
    const account = desk(deskOf(seen) ?? "nobody");
    account.seen.push(seen);
    const fault = account.faults.find(({ on = "", times = 1 }) => times > 0 && seen.path.includes(on));
    if (fault) fault.times = (fault.times ?? 1) - 1;
    return misbehave(fault, seen, account, platform, response);
  });
  return server;
}

function misbehave(
  fault: Fault | undefined,
  seen: Seen,
  desk: Desk,
  platform: Platform,
  response: http.ServerResponse,
) {
  switch (fault?.kind) {
    case undefined:
      return send(response, platform(seen, desk));
    case "timeout":
      // Nothing is done and nothing is answered.
      return;
    case "late":
      // It is done, and the answer never comes.
      platform(seen, desk);
      return;
    case "html":
      return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Maintenance</title>");
    case "429":
      return send(response, {
        status: 429,
        body: { message: "You are being rate limited.", retry_after: fault.retryAfter, global: false },
        headers: fault.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(fault.retryAfter)) },
      });
    case "echo":
      // Some platforms repeat the credential in their refusal.
      return send(response, {
        status: 400,
        body: {
          message: `Bad request ${seen.path}`,
          detail: `Bad token ${seen.headers.authorization}`,
          error: { code: 100, message: `Malformed access token ${seen.headers.authorization?.slice(7)}` },
        },
      });
    default:
      return send(response, { status: Number(fault?.kind), body: { message: "No.", detail: "No." } });
  }
}

function send(response: http.ServerResponse, { status, body, headers }: Answer) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
