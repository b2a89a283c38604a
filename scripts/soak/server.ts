// One process that serves the built Worker over a database on disk. It is made to be killed.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { runnable } from "../bench/build.ts";

const [worker = "", state = "", port = "", settings = "{}"] = process.argv.slice(2);
const { vars, compatibility, log } = JSON.parse(settings);

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: Number(port),
    cf: false,
    // Lets the soak send emails and run crons.
    unsafeTriggerHandlers: true,
    telemetry: { enabled: false },
    handleStructuredLogs: ({ level, message }) => {
      if (level === "error") console.error(message);
      if (log) appendFileSync(log, `${message}\n`);
    },
    modules: runnable(readFileSync(join(worker, "index.js"), "utf8")),
    ...compatibility,
    bindings: vars,
    d1Databases: { DB: "soak" },
    kvNamespaces: { KV: "soak" },
    r2Buckets: { FILES: "soak" },
    durableObjects: { HUB: { className: "Hub", useSQLite: true } },
    queueProducers: { JOBS: "poa-jobs", RETRIES: "poa-retries" },
    queueConsumers: {
      "poa-jobs": { maxBatchSize: 20, maxBatchTimeout: 0, maxRetries: 1 },
      "poa-retries": { maxBatchSize: 20, maxBatchTimeout: 2, maxRetries: 1 },
    },
    email: { send_email: [{ name: "EMAIL" }] },
    resourcePersistencePath: state,
  }),
);
const db = await miniflare.getD1Database("DB");
const isNew = (await db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'users'").first()) === null;
if (isNew) {
  // It brings wrangler, which takes seconds to load: a server that starts again does without.
  const { migrate } = await import("../bench/stage.ts");
  await migrate(db);
}
await miniflare.ready;
console.log("ready");
