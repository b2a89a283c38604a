import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/client.ts";

export type Role = "owner" | "member";

/** Who asks. Resolved from the credential by the route's guard, never from the body. */
export type Actor =
  | { kind: "anonymous" }
  | { kind: "system" }
  | { kind: "session"; userId: number; role: Role; sessionId: string }
  | { kind: "api_key"; userId: number; role: Role; keyId: number; scopes: readonly string[] };

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
  /** Work that may finish after the answer has left. */
  defer(work: Promise<unknown>): void;
}

/** The context of work that no request asked for: cron jobs and inbound mail. */
export function systemContext(config: Config, execution: Pick<ExecutionContext, "waitUntil">): Context {
  return {
    db: openDatabase(config.bindings.DB),
    config,
    actor: { kind: "system" },
    now: new Date(),
    requestId: crypto.randomUUID(),
    baseUrl: config.PUBLIC_URL ?? "http://localhost:8787",
    client: { ip: "system", userAgent: null },
    defer: (work) => execution.waitUntil(work),
  };
}
