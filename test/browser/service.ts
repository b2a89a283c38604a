import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";
import { inject } from "vitest";
import { copyOf, type RunningService as DevelopmentService, freePort, start } from "../tooling/running-service.ts";

export type { RunningService as DevelopmentService } from "../tooling/running-service.ts";

export interface RunningService {
  origin: string;
  stop(): Promise<void>;
}

type Vars = Record<string, string>;
/** Of the local runtime, such as who answers what the Worker sends out. */
type Options = Pick<V4WorkerOptions, "outboundService" | "serviceBindings">;

const ownSecrets = (): Vars =>
  Object.fromEntries(
    ["JWT_SECRET", "PASSWORD_PEPPER", "ENCRYPTION_KEY"].map((name) => [name, randomBytes(32).toString("base64url")]),
  );

/** A service with no data and secrets of its own. */
export function startService(vars: Vars = {}, options: Options = {}): Promise<RunningService> {
  return serve(inject("data").empty, { ...ownSecrets(), ...vars }, options);
}

/** A service with the data of `npm run seed`, whose passwords need the secrets of this machine. */
export function startSeededService(): Promise<RunningService> {
  return serve(inject("data").seeded, {});
}

/** A service as `npm run dev` starts it, which can be killed and tells what it prints. Its start costs four times as much. */
export function startForDevelopment(vars: Vars = {}): Promise<DevelopmentService> {
  const extra = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  return start(inject("data").empty, { secrets: "own", extra });
}

/** Runs the Worker with what wrangler.toml binds to it, in the runtime of `wrangler dev`, on a copy of the data. */
async function serve(from: string, vars: Vars, options: Options = {}): Promise<RunningService> {
  const { workerOptions } = inject("worker");
  const data = copyOf(from);
  const port = await freePort();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "localhost",
      port,
      cf: false,
      // Lets tests send emails and run crons, at /cdn-cgi/local.
      unsafeTriggerHandlers: true,
      telemetry: { enabled: false },
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      resourcePersistencePath: join(data, "v3"),
      ...workerOptions,
      modules: [{ type: "ESModule", path: "index.js", contents: readFileSync(inject("upload"), "utf8") }],
      bindings: Object.assign({}, workerOptions.bindings, vars),
      ...options,
    }),
  );
  await miniflare.ready;
  const stop = async () => {
    await miniflare.dispose();
    rmSync(data, { recursive: true, force: true });
  };
  return { origin: `http://localhost:${port}`, stop };
}
