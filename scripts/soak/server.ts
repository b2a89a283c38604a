// One process that serves the built Worker over a database on disk. It is made to be killed.
import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { compatibility, migrate } from "../bench/stage.ts";

const [bundle = "", state = "", port = "", vars = "{}"] = process.argv.slice(2);

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: Number(port),
    cf: false,
    telemetry: { enabled: false },
    handleStructuredLogs: ({ level, message }) => {
      if (level === "error") console.error(message);
    },
    modules: true,
    script: readFileSync(bundle, "utf8"),
    ...compatibility,
    bindings: JSON.parse(vars),
    d1Databases: { DB: "soak" },
    kvNamespaces: { KV: "soak" },
    durableObjects: { HUB: { className: "Hub", useSQLite: true } },
    email: { send_email: [{ name: "EMAIL" }] },
    resourcePersistencePath: state,
  }),
);
const db = await miniflare.getD1Database("DB");
const isNew = (await db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'users'").first()) === null;
if (isNew) await migrate(db);
await miniflare.ready;
console.log("ready");
