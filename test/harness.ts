import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env as baseEnv } from "cloudflare:workers";
import { expect, inject } from "vitest";
import { createApp } from "../src/app.ts";
import { configOf, type Env } from "../src/config.ts";
import { type Context, systemContext } from "../src/context.ts";
import { expectDeclaredAnswer } from "./declared.ts";

type App = Awaited<ReturnType<typeof createApp>>;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the harness has already checked
type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed JSON, or null when the answer is of another kind. */
  body: Json;
  text: string;
  bytes: Uint8Array;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: BodyInit;
  headers?: Record<string, string>;
  token?: string | null;
  /** Aborts when the client hangs up. */
  signal?: AbortSignal;
  /** Where the request is sent, instead of the service's own address. */
  origin?: string;
}

/** The whole service: making it takes as long as a hundred requests. */
export const sharedApp = await createApp();
/** The project `built` calls the Worker as it is uploaded. What it declares is the same. */
const upload: string | undefined = inject("upload");
const built: Pick<App, "fetch"> | undefined = upload && (await import(/* @vite-ignore */ upload)).default;
let clients = 0;

const environments = new Map<string, Env>();

/** Clients with equal settings share one environment, since the service validates each it meets. */
function environmentOf(vars: Partial<Env>): Env {
  const isShared = Object.values(vars).every((value) => typeof value !== "object");
  const name = JSON.stringify(Object.entries(vars).sort());
  const known = isShared ? environments.get(name) : undefined;
  if (known) return known;
  const env: Env = { ...baseEnv, ...vars };
  if (isShared) environments.set(name, env);
  for (const [variable, value] of Object.entries(env)) {
    if (typeof value === "string") remember(ownSecrets, value, variable);
  }
  return env;
}

/** What the cron would hand to a verb. */
export function systemCtx(
  vars: Partial<Env> = {},
  execution: Pick<ExecutionContext, "waitUntil"> = createExecutionContext(),
): Context {
  return systemContext(configOf(environmentOf(vars)), execution);
}

/** The service as a client sees it; `vars` override settings for this client only. */
export function service(vars: Partial<Env> = {}, app: App = sharedApp) {
  const env = environmentOf(vars);
  // Each client comes from a network of its own, so that none meets another's rate limit or wrong guesses.
  clients += 1;
  const address = `${10 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}.1`;

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = new Headers({ "cf-connecting-ip": address, ...options.headers });
    if (options.token) headers.set("authorization", `Bearer ${options.token}`);
    if (options.body !== undefined) headers.set("content-type", "application/json");
    remember(secrets, headers.get("authorization")?.replace(/^\w+ +/, ""), "token");
    remember(secrets, Object.fromEntries(new URLSearchParams(path.split("?")[1])));
    remember(secrets, options.body);
    const request = new Request(`${options.origin ?? env.PUBLIC_URL ?? "http://poa.test"}${path}`, {
      method,
      headers,
      body: options.body !== undefined ? JSON.stringify(options.body) : options.raw,
      ...(options.signal && { signal: options.signal }),
    });
    const execution = createExecutionContext();
    const response = await (app === sharedApp && built ? built : app).fetch(request, env, execution);
    // Pictures too come this way, which `text()` warns of.
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    await waitOnExecutionContext(execution);
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : null,
      text,
      bytes,
    };
    remember(secrets, answer.body);
    expectDeclaredAnswer(app, method, path, answer);
    return answer;
  }

  return {
    env,
    call,
    get: (path: string, options?: CallOptions) => call("GET", path, options),
    post: (path: string, body?: unknown, options?: CallOptions) => call("POST", path, { body, ...options }),
    put: (path: string, body?: unknown, options?: CallOptions) => call("PUT", path, { body, ...options }),
    patch: (path: string, body?: unknown, options?: CallOptions) => call("PATCH", path, { body, ...options }),
    delete: (path: string, options?: CallOptions) => call("DELETE", path, options),
  };
}

/** What a page of the console sends to the endpoints that take its cookie; nothing for every other path. */
export function consoleHeaders(path: string): Record<string, string> {
  return path.startsWith("/api/auth/session") ? { "sec-fetch-site": "same-origin", "x-poa-console": "1" } : {};
}

export type Client = ReturnType<typeof service>;

/** Expects a problem document of this code. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code, detail: answer.body?.detail }).toMatchObject({
    status,
    code,
  });
}

const logLines: string[] = [];
/** Those that no test has searched yet. */
const unsearched: string[] = [];
/** What went over the wire as a secret, and what the service itself was given as one. */
const secrets = new Set<string>();
const ownSecrets = new Set<string>();
const SECRET_NAMES =
  /^(password|currentPassword|newPassword|token|accessToken|clientSecret|webhookUrl|refreshToken|challengeToken|deviceToken|setupToken|code|backupCodes?|otpauthUri|key|apiKey|secret|webhookSecret|\w+_(SECRET|KEY|PEPPER|TOKEN))$/;

/** The lines of level error that this test has caused, and the events of those it declared. */
const errorLines: string[] = [];
const expectedErrors = new Set<string>();

/** Declares that this test causes a log line of level error with this event; any other such line fails the test. */
export function expectErrorLog(event: string): void {
  expectedErrors.add(event);
}

export function expectNoOtherErrorLogs(): void {
  const lines = errorLines.splice(0);
  const expected = [...expectedErrors];
  expectedErrors.clear();
  const eventOf = (line: string) => /"event":"(\w+)"/.exec(line)?.[1] ?? line;
  const unexpected = lines.filter((line) => !expected.includes(eventOf(line)));
  expect(unexpected, "log lines of level error that the test did not expect").toEqual([]);
  const missing = expected.filter((event) => !lines.some((line) => eventOf(line) === event));
  expect(missing, "expected log lines of level error").toEqual([]);
}

export function captureLogs(): void {
  for (const level of ["log", "warn", "error"] as const) {
    console[level] = (...parts: unknown[]) => {
      const line = parts.map(String).join(" ");
      logLines.push(line);
      unsearched.push(line);
      if (level === "error") errorLines.push(line);
    };
  }
}

/** The log lines since the last call. */
export function takeLogs(): string[] {
  return logLines.splice(0);
}

/** Long enough to be a secret. The scheme of an address is none. */
function isTelling(value: string): boolean {
  return value.replace(/^\w+:\/\//, "").length >= 8;
}

/** Anything that goes by a secret's name must never reach the log. */
function remember(found: Set<string>, value: unknown, name = ""): void {
  if (typeof value === "string" && SECRET_NAMES.test(name) && isTelling(value)) found.add(value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    // The `code` of an error or of a service's problem is a name, not a secret.
    if (!("requestId" in value || "docs" in value)) remember(found, member, Array.isArray(value) ? name : key);
  }
}

/** For calls whose texts are made at random: the same one may be a secret here and part of a path there. */
export function forgetSecrets(): void {
  secrets.clear();
}

export function expectLogsHoldNoSecret(): void {
  if (unsearched.length === 0) return;
  const text = unsearched.splice(0).join("\n");
  const told = [...secrets, ...ownSecrets].filter((secret) => text.includes(secret));
  expect(
    told.map((secret) => `${JSON.stringify(secret.slice(0, 4))}…`),
    "secrets in the log",
  ).toEqual([]);
  expect(text).not.toMatch(/\$2[aby]\$\d\d\$/);
}

/** For tests that need to be alone with their records. */
export async function emptyService(): Promise<void> {
  const tables = [
    "emails",
    "threads",
    "known_senders",
    "contacts",
    "sender_verdicts",
    "tasks",
    "events",
    "sync_runs",
    "booking_connection",
    "ai_calls",
    "ai_usage",
    "stream_sessions",
  ];
  await baseEnv.DB.batch(tables.map((table) => baseEnv.DB.prepare(`DELETE FROM ${table}`)));
}
