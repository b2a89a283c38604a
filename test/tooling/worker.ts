import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { inject } from "vitest";
import { root } from "./repository.ts";

export interface RunningWorker {
  url: URL;
  /** Makes its tables. */
  migrate(): Promise<void>;
  stop(): Promise<void>;
}

/** The whole service, bundled and in the real runtime, behind a real socket on this machine. */
export async function startWorker(bindings: Record<string, string> = {}): Promise<RunningWorker> {
  const settings = readFileSync(join(root, "wrangler.toml"), "utf8");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      // The request log has its own tests.
      handleStructuredLogs: () => {},
      modules: inject("workerModules").map(({ name, text }) => ({ type: "ESModule", path: name, contents: text })),
      compatibilityDate: /compatibility_date = "(.+)"/.exec(settings)?.[1],
      compatibilityFlags: JSON.parse(/compatibility_flags = (\[.+\])/.exec(settings)?.[1] ?? "[]"),
      bindings,
      d1Databases: ["DB"],
      durableObjects: { HUB: { className: "Hub", useSQLite: true } },
      kvNamespaces: ["KV"],
      r2Buckets: ["FILES"],
    }),
  );
  return {
    url: await miniflare.ready,
    async migrate() {
      const database = await miniflare.getD1Database("DB");
      const migrations = await readD1Migrations(join(root, "migrations"));
      const statements = migrations.flatMap(({ queries }) => queries.map((query) => database.prepare(query)));
      await database.batch(statements);
    },
    stop: () => miniflare.dispose(),
  };
}
