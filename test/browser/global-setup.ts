import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { migrate } from "../../scripts/migrate.mjs";
import { setUp } from "../../scripts/setup.mjs";
import { writeUpload } from "../../scripts/upload.mjs";
import { root } from "../tooling/repository.ts";
import { copyOf, newDataFolder, seed } from "../tooling/running-service.ts";
import { executablePath } from "./chromium.ts";

/** What every service of the run starts with, made once: the console, the Worker, an empty database and a seeded one. */
export default async function setup(project: TestProject): Promise<() => void> {
  if (!executablePath) sayLoudly();
  await setUp({ secrets: true });
  const empty = newDataFolder();
  migrate(empty);
  const seeded = copyOf(empty);
  seed(seeded);
  project.provide("data", { empty, seeded });
  const upload = newDataFolder();
  writeUpload(upload);
  project.provide("upload", join(upload, "index.js"));
  project.provide("worker", workerOptions());
  return () => {
    for (const folder of [empty, seeded, upload]) rmSync(folder, { recursive: true, force: true });
  };
}

/** What wrangler.toml binds to the Worker, as the local runtime takes it. */
function workerOptions() {
  // It would tell which file has the secrets.
  process.env.WRANGLER_LOG = "warn";
  try {
    return unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
  } finally {
    delete process.env.WRANGLER_LOG;
  }
}

function sayLoudly(): void {
  const line = "!".repeat(78);
  console.error(
    `\n${line}\n!! THE BROWSER TESTS DID NOT RUN: no Chromium was found on this machine.\n` +
      "!! Get one with `apt-get install chromium`, or set CHROMIUM_PATH to its file.\n" +
      `${line}\n`,
  );
}
