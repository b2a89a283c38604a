import http from "node:http";
import { bodyOf } from "../server.ts";
import { readForm } from "./form.ts";
import { type Answer, failure, type Json, World } from "./world.ts";

/** What can be made to go wrong, for how many requests; `path` names those it meets. */
export interface StripeFault {
  kind: "401" | "402" | "429" | "500" | "hang" | "html" | "redirect";
  times?: number;
  path?: string;
}

interface Tenant {
  world: World;
  faults: StripeFault[];
  requests: { method: string; path: string; idempotencyKey: string | null; version: string | null }[];
  answers: Map<string, { fingerprint: string; answer: Answer }>;
}

/**
 * The billing provider as an HTTP server, an account for each secret key. Under `/control/{key}/…` a test arranges
 * the account: it speaks JSON and is no part of the provider's wire.
 */
export function createFakeStripe(): http.Server {
  const tenants = new Map<string, Tenant>();
  const tenant = (key: string): Tenant => {
    const known = tenants.get(key) ?? { world: new World(), faults: [], requests: [], answers: new Map() };
    tenants.set(key, known);
    return known;
  };
  return http.createServer((request, response) => {
    handle(request, response, tenant).catch((error) => response.writeHead(500).end(String(error)));
  });
}

async function handle(request: http.IncomingMessage, response: http.ServerResponse, tenant: (key: string) => Tenant) {
  const url = new URL(request.url ?? "/", "http://fake");
  const text = await bodyOf(request);
  const control = /^\/control\/([\w-]+)\/(\w+)$/.exec(url.pathname);
  if (control) {
    const command = text ? JSON.parse(text) : {};
    return send(response, { status: 200, body: arrange(tenant(control[1] ?? ""), control[2] ?? "", command) ?? null });
  }
  const key = /^Bearer (sk_[\w-]+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (!key || key.startsWith("sk_wrong")) {
    return send(response, failure(401, "invalid_request_error", undefined, `Invalid API Key provided: ${key}`));
  }
  const account = tenant(key);
  const idempotencyKey = request.headers["idempotency-key"]?.toString() ?? null;
  const version = request.headers["stripe-version"]?.toString() ?? null;
  account.requests.push({ method: request.method ?? "", path: url.pathname, idempotencyKey, version });
  const fault = account.faults.find(({ path, times = 1 }) => times > 0 && (!path || url.pathname.startsWith(path)));
  if (fault) return misbehave(fault, key, response);
  if (request.method === "GET") return send(response, account.world.get(url.pathname, readForm(url.search)));
  return send(response, once(account, idempotencyKey, url.pathname, text));
}

/** A repeated idempotency key gets the first answer; with other parameters it is refused. */
function once(account: Tenant, key: string | null, path: string, text: string): Answer {
  const fingerprint = `${path}\n${text}`;
  const known = key === null ? undefined : account.answers.get(key);
  if (known && known.fingerprint !== fingerprint) {
    return failure(400, "idempotency_error", undefined, "Keys for idempotent requests can only be used once.");
  }
  if (known) return known.answer;
  const answer = account.world.post(path, readForm(text));
  if (key !== null) account.answers.set(key, { fingerprint, answer: structuredClone(answer) });
  return answer;
}

function misbehave(fault: StripeFault, key: string, response: http.ServerResponse) {
  if (fault.times !== undefined) fault.times -= 1;
  switch (fault.kind) {
    case "401":
      return send(response, failure(401, "invalid_request_error", undefined, `Invalid API Key provided: ${key}`));
    case "402":
      return send(response, failure(402, "card_error", "card_declined", "Your card was declined."));
    case "429":
      return send(response, failure(429, "invalid_request_error", "rate_limit", "Too many requests."));
    case "500":
      return send(response, failure(500, "api_error", undefined, `Something went wrong with ${key}.`));
    case "html":
      return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Maintenance</title>");
    case "redirect":
      return response.writeHead(302, { location: "/elsewhere" }).end();
    case "hang":
      // The connection stays open and nothing comes; the caller has to give up by itself.
      return;
  }
}

function arrange({ world, ...account }: Tenant, verb: string, command: Json): unknown {
  switch (verb) {
    case "complete":
      return world.complete(String(command.sessionId), { paid: command.paid !== false });
    case "refund":
      return world.refund(String(command.sessionId), Number(command.amount));
    case "subscribe": {
      const subscription = world.subscribe(String(command.customerId), String(command.lookupKey));
      return world.event("customer.subscription.created", subscription);
    }
    case "subscription":
      return world.changeSubscription(command);
    case "event":
      return world.event(String(command.type), command.object as Json);
    case "invoice":
      return world.invoice(String(command.customerId), "poa_pro_month");
    case "card":
      return world.addCard(String(command.customerId));
    case "delete":
      return world.deleteCustomer(String(command.customerId));
    case "sell":
      return world.sell(command.lookupKeys as string[]);
    case "faults":
      return void account.faults.splice(0, Number.POSITIVE_INFINITY, ...(command.faults as StripeFault[]));
    case "requests":
      return account.requests.splice(0);
    case "customers":
      return [...world.customers.values()];
    case "sessions":
      return [...world.sessions.values()];
    default:
      throw new Error(`the fake billing provider does not know ${verb}`);
  }
}

function send(response: http.ServerResponse, { status, body }: Answer): void {
  response
    .writeHead(status, { "content-type": "application/json", "request-id": "req_fake" })
    .end(JSON.stringify(body));
}
