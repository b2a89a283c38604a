import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/client.ts";
import { errorFields, log } from "./log.ts";

export type Role = "owner" | "member";

/** The person behind a credential, as the session check reads them. */
export interface Account {
  id: number;
  email: string;
  name: string;
  role: Role;
  emailVerified: boolean;
  twoFactorEnabled: boolean;
  createdAt: Date;
}

/** Who asks. Resolved from the credential by the route's guard, never from the body. */
export type Actor =
  | { kind: "anonymous" }
  | { kind: "system" }
  | { kind: "session"; user: Account; session: { id: string; createdAt: Date; expiresAt: Date; provedAt: Date } }
  | { kind: "api_key"; user: Account; key: { id: number; scopes: readonly string[] } };

/** Everything a service may know of the world. */
export interface Context {
  db: Database;
  config: Config;
  actor: Actor;
  now: Date;
  requestId: string;
  /** Where this service is reached, for links in mail and feeds. */
  baseUrl: string;
  client: { ip: string; userAgent: string | null };
  /** Aborts when whoever asked goes away; null when nobody waits. */
  signal: AbortSignal | null;
  /** Work that may finish after the answer has left. */
  defer(work: Promise<unknown>): void;
}

/** Lets work go on after the answer. Its failure is logged without the values that database errors carry. */
export function deferrer(execution: Pick<ExecutionContext, "waitUntil">, requestId: string): Context["defer"] {
  return (work) =>
    execution.waitUntil(
      work.catch((error) => log("error", "deferred_work_failed", { requestId, ...errorFields(error) })),
    );
}

/** The context of work that no request asked for: cron jobs and inbound mail. */
export function systemContext(config: Config, execution: Pick<ExecutionContext, "waitUntil">): Context {
  const requestId = crypto.randomUUID();
  return {
    db: openDatabase(config),
    config,
    actor: { kind: "system" },
    now: new Date(),
    requestId,
    baseUrl: config.PUBLIC_URL ?? "http://localhost:8787",
    client: { ip: "system", userAgent: null },
    signal: null,
    defer: deferrer(execution, requestId),
  };
}
