import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";

import type { Bundles } from "./build.ts";
import { Client } from "./client.ts";
import { median } from "./compare.ts";
import { compatibility } from "./stage.ts";

// The package has no types; it exports the path of its executable.
const { default: workerd }: { default: string } = createRequire(import.meta.url)("workerd");

export interface BootTime {
  oursMs: number;
  emptyMs: number;
  ratio: number;
}

/**
 * From the start of the runtime's process to the first answer, by turns. The runtime is started without
 * Miniflare, whose own start takes longer than a Worker's and would bring every ratio close to one.
 */
export async function measureBoot(bundles: Bundles, folder: string, times: number): Promise<BootTime> {
  const configs = {
    ours: await writeConfig(folder, "ours", bundles.ours),
    empty: await writeConfig(folder, "empty", bundles.empty),
  };
  const took: Record<keyof typeof configs, number[]> = { ours: [], empty: [] };
  for (let round = 0; round < times; round++) {
    took.ours.push(await boot(configs.ours, 422));
    took.empty.push(await boot(configs.empty, 404));
  }
  const [oursMs, emptyMs] = [median(took.ours), median(took.empty)];
  return { oursMs, emptyMs, ratio: oursMs / emptyMs };
}

async function writeConfig(folder: string, name: string, script: string): Promise<string> {
  await writeFile(join(folder, `boot-${name}.js`), script);
  const config = join(folder, `boot-${name}.capnp`);
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = (
    modules = [(name = "worker.js", esModule = embed "boot-${name}.js")],
    compatibilityDate = "${compatibility.compatibilityDate}",
    compatibilityFlags = ${JSON.stringify(compatibility.compatibilityFlags)},
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
`,
  );
  return config;
}

/** Inside an area, so that reading one counts, and wrong, so that no binding is needed. */
const PATH = "/api/tasks?limit=0";

async function boot(config: string, status: number): Promise<number> {
  const started = performance.now();
  const child = spawn(workerd, ["serve", "--control-fd=3", config], { stdio: ["ignore", "ignore", "inherit", "pipe"] });
  try {
    const client = new Client(new URL(`http://127.0.0.1:${await listeningPort(child)}`), 1);
    await client.expect({ path: PATH }, status);
    client.close();
    return performance.now() - started;
  } finally {
    child.kill("SIGKILL");
  }
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const events = child.stdio[3] as Readable;
    let text = "";
    events.on("data", (chunk) => {
      text += chunk;
      const port = /"port":(\d+)/.exec(text)?.[1];
      if (port) resolve(Number(port));
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`The runtime ended with ${code} before it listened.`)));
  });
}
