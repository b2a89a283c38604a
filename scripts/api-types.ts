// Writes the types of the console's API client, .console/api.d.ts, from the OpenAPI document that the Worker returns.
// Does nothing when the Worker's sources have not changed.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import openapiTS, { astToString } from "openapi-typescript";
import { writeUpload } from "./upload.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const file = join(root, ".console", "api.d.ts");

const state = stateOfWorker();
if (!existsSync(file) || !readFileSync(file, "utf8").startsWith(state)) {
  const types = astToString(await openapiTS(await readDocument(), { defaultNonNullable: false }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${state}\n${types}`);
}

/** The document needs no database: the Worker is started without one. */
async function readDocument(): Promise<string> {
  const settings = readFileSync(join(root, "wrangler.toml"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "api-types-"));
  const { script } = writeUpload(folder);
  rmSync(folder, { recursive: true });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      handleStructuredLogs: () => {},
      modules: [{ type: "ESModule", path: "index.js", contents: script }],
      compatibilityDate: /compatibility_date = "(.+)"/.exec(settings)?.[1],
      compatibilityFlags: JSON.parse(/compatibility_flags = (\[.+\])/.exec(settings)?.[1] ?? "[]"),
      d1Databases: ["DB"],
      durableObjects: { HUB: { className: "Hub", useSQLite: true } },
    }),
  );
  try {
    const response = await fetch(new URL("/api-docs", await miniflare.ready));
    if (!response.ok) throw new Error(`/api-docs returned ${response.status}`);
    return wholeRecords(await response.text());
  } finally {
    await miniflare.dispose();
  }
}

/** The console has a session, which reads everything: it never gets what a program gets without the read scope. */
function wholeRecords(document: string): string {
  return JSON.stringify(JSON.parse(document, (_, value) => (value?.["x-receipt"] ? value.anyOf[0] : value)));
}

function stateOfWorker(): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !name.startsWith("console/"));
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(root, "src", name)));
  return `// ${hash.digest("hex")}`;
}
