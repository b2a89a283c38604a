/*
 * Three providers of language models as one HTTP server: `/openai/v1`, `/anthropic/v1` and `/google/v1beta`,
 * each in its own wire, whole or as a stream.
 *
 * The API key names a tenant, so that tests never meet each other. What a tenant's model says is a script:
 * POST /control/{key}/script with a list of turns, one for each call; the last one is said again and again.
 * POST /control/{key}/requests tells what was asked, and POST /control/{key}/release lets answers go that are held, those
 * to come included. Tests use it through `test/ai/tenant.ts`. A call without a key belongs to the tenant with the empty name.
 *
 * `/other/{kind}/…` is whatever else may listen on a computer: see `OTHERS`.
 */
import http from "node:http";
import { bodyOf } from "../server.ts";
import { anthropic, google, openai, type RefusalKind, type Reply, type Wire } from "./wire.ts";

export type Turn = {
  /** Words; or an object, as a model gives it that was asked for JSON; or calls of tools. */
  text?: string;
  json?: unknown;
  tools?: { name: string; input: object }[];
  usage?: { input: number; output: number };
  /** No answer but a refusal. */
  refuse?: RefusalKind;
  /** The answer comes when the test says so. */
  held?: true;
  /** The request is taken, and nothing comes. */
  hang?: true;
  /** A stream that stops half-way: its connection ends, an error stands in it, or it falls silent. */
  breaks?: "cut" | "error" | "silence";
};

export interface SeenRequest {
  path: string;
  body: Record<string, unknown>;
  /** Whether the caller hung up before the answer was out. */
  hungUp: boolean;
}

interface Tenant {
  script: Turn[];
  calls: number;
  requests: SeenRequest[];
  /** Lets the answers go that are held; null when none is held any more. */
  waiting: (() => void)[] | null;
}

const USAGE = { input: 9, output: 4 };
const WIRES: Record<string, Wire> = { openai, anthropic, google };

export function createFakeModels(): http.Server {
  const tenants = new Map<string, Tenant>();
  const tenant = (key: string): Tenant => {
    const known = tenants.get(key) ?? { script: [{ text: "Hello world" }], calls: 0, requests: [], waiting: [] };
    tenants.set(key, known);
    return known;
  };
  return http.createServer((request, response) => {
    handle(request, response, tenant).catch((error) => response.writeHead(500).end(String(error)));
  });
}

async function handle(request: http.IncomingMessage, response: http.ServerResponse, tenant: (key: string) => Tenant) {
  const url = new URL(request.url ?? "/", "http://fake");
  const body = await readJson(request);
  const [, area = "", key = "", verb = ""] = url.pathname.split("/");
  if (area === "control") {
    const account = tenant(key);
    if (verb === "script") Object.assign(account, { script: body, calls: 0, waiting: [] });
    if (verb === "release") {
      for (const release of account.waiting ?? []) release();
      account.waiting = null;
    }
    return json(response, 200, account.requests);
  }
  if (area === "other") return (OTHERS[key] ?? OTHERS.refuses)?.(response);
  const wire = WIRES[area];
  if (!wire) return json(response, 404, { error: "no such provider" });
  if (request.method === "GET" && url.pathname === "/openai/v1/models") {
    return json(response, 200, MODELS);
  }
  const apiKey = keyOf(request.headers);
  const account = tenant(apiKey);
  const seen: SeenRequest = { path: url.pathname, body, hungUp: false };
  account.requests.push(seen);
  response.on("close", () => {
    seen.hungUp = !response.writableFinished;
  });
  const turn = account.script[Math.min(account.calls, account.script.length - 1)] ?? {};
  account.calls += 1;
  if (turn.hang) return;
  const { waiting } = account;
  if (turn.held && waiting) await new Promise<void>((resolve) => waiting.push(resolve));
  if (turn.refuse) {
    const { status, headers, body: words } = wire.refusal(turn.refuse, apiKey);
    return json(response, status, words, headers);
  }
  const model = String(body.model ?? /models\/([^:]+):/.exec(url.pathname)?.[1] ?? "");
  const reply = replyOf(turn, body);
  const streams = body.stream === true || url.pathname.endsWith(":streamGenerateContent");
  if (!streams) return json(response, 200, wire.whole(model, reply));
  return stream(response, wire.events(model, reply), turn.breaks, wire);
}

const MODELS = { object: "list", data: [{ id: "llama-served" }, { id: "llama-other" }] };

/** Programs that answer on the port of a model server without being one, and one that has models of every kind. */
const OTHERS: Record<string, (response: http.ServerResponse) => unknown> = {
  mixed: (response) =>
    json(response, 200, {
      data: [
        null,
        ...["nomic-embed-text", "qwen3:8b", "two words", "ünknown", 5, "x".repeat(201), "gpt-oss:20b", "qwen3:8b"].map(
          (id) => ({ id }),
        ),
      ],
    }),
  many: (response) => json(response, 200, { data: Array.from({ length: 500 }, (_, index) => ({ id: `m${index}` })) }),
  refuses: (response) => json(response, 401, MODELS),
  redirects: (response) => json(response, 302, MODELS, { location: "/openai/v1/models" }),
  shows_a_page: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Hello"),
  has_other_json: (response) => json(response, 200, { data: [{ id: 1 }] }),
  is_silent: () => {},
  hangs_up: (response) => response.destroy(),
  /** A list of models that is right, but for its length. */
  says_too_much: (response) => json(response, 200, { ...MODELS, rest: " ".repeat(300 * 1024) }),
  never_stops: (response) => endless(response, " ".repeat(64 * 1024), 0),
  trickles: (response) => endless(response, " ", 50),
};

function endless(response: http.ServerResponse, piece: string, pauseMs: number): void {
  response.writeHead(200, { "content-type": "application/json" });
  const next = () => {
    if (response.destroyed) return;
    const goOn = () => setTimeout(next, pauseMs);
    if (response.write(piece)) goOn();
    else response.once("drain", goOn);
  };
  next();
}

/** A model that was given a tool of this name to answer through says its JSON by calling it. */
function replyOf({ text, json: value, tools, usage = USAGE }: Turn, body: Record<string, unknown>): Reply {
  const offered = Array.isArray(body.tools) ? body.tools : [];
  if (value !== undefined && offered.some((tool) => tool.name === "json")) {
    return { tools: [{ name: "json", input: Object(value) }], usage };
  }
  return { text: value === undefined ? text : JSON.stringify(value), tools, usage };
}

async function stream(response: http.ServerResponse, events: string[], breaks: Turn["breaks"], wire: Wire) {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  // The half with the first words, and never the word that it is over.
  const shown = breaks ? events.slice(0, Math.max(1, Math.floor(events.length / 2))) : events;
  for (const event of shown) {
    response.write(event);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (breaks === "silence") return;
  if (breaks === "error") response.write(wire.brokenEvent());
  response.end();
}

function keyOf(headers: http.IncomingHttpHeaders): string {
  const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
  return bearer ?? headers["x-api-key"]?.toString() ?? headers["x-goog-api-key"]?.toString() ?? "";
}

async function readJson(request: http.IncomingMessage) {
  const text = await bodyOf(request);
  return text ? JSON.parse(text) : {};
}

function json(response: http.ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
