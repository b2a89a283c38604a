import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";

import type { Bundles } from "./build.ts";
import { Client } from "./client.ts";
import { median } from "./compare.ts";
import { cpuTimeOf } from "./runtime-cpu.ts";
import { compatibility } from "./stage.ts";

// The package has no types; it exports the path of its executable.
const { default: workerd }: { default: string } = createRequire(import.meta.url)("workerd");

export interface BootTime {
  /** As deployed: the features that the path leads to. */
  oursMs: number;
  /** Every feature loaded before the first response: what a Worker without loading on demand would take. */
  allFeaturesMs: number;
  emptyMs: number;
  /** CPU time of the runtime's process up to the first response, beyond Hono alone. Null where it cannot be read. */
  oursCpuMs: number | null;
  allFeaturesCpuMs: number | null;
}

/** One start: its time and its CPU time. */
interface Boot {
  ms: number;
  cpuMs: number | null;
}

/** Part of a feature, so that loading it counts, and invalid, so that no binding is needed. */
const PATH = "/api/tasks?limit=0";
/** The same path with an encoded letter, for which the Worker loads every feature. */
const ALL_FEATURES_PATH = "/api/%74asks?limit=0";

/**
 * From the start of the runtime's process to the first response, by turns. The runtime is started without
 * Miniflare, whose own start takes longer than a Worker's and would bring every ratio close to one.
 */
export async function measureBoot(bundles: Bundles, folder: string, times: number): Promise<BootTime> {
  const ours = await writeConfig(folder, "ours", bundles.ours);
  const empty = await writeConfig(folder, "empty", bundles.empty);
  const took: Record<"ours" | "allFeatures" | "empty", Boot[]> = { ours: [], allFeatures: [], empty: [] };
  for (let round = 0; round < times; round++) {
    took.ours.push(await boot(ours, PATH, 422));
    took.allFeatures.push(await boot(ours, ALL_FEATURES_PATH, 422));
    took.empty.push(await boot(empty, PATH, 404));
  }
  const time = (boots: readonly Boot[]) => median(boots.map(({ ms }) => ms));
  const cpu = (boots: readonly Boot[]) => median(boots.map(({ cpuMs }) => cpuMs ?? Number.NaN));
  const beyond = (boots: readonly Boot[]) => {
    const ms = cpu(boots) - cpu(took.empty);
    return Number.isNaN(ms) ? null : ms;
  };
  return {
    oursMs: time(took.ours),
    allFeaturesMs: time(took.allFeatures),
    emptyMs: time(took.empty),
    oursCpuMs: beyond(took.ours),
    allFeaturesCpuMs: beyond(took.allFeatures),
  };
}

async function writeConfig(folder: string, name: string, script: string): Promise<string> {
  const home = join(folder, `boot-${name}`);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "index.js"), script);
  const config = join(home, "boot.capnp");
  await writeFile(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = (
    modules = [(name = "index.js", esModule = embed "index.js")],
    compatibilityDate = "${compatibility.compatibilityDate}",
    compatibilityFlags = ${JSON.stringify(compatibility.compatibilityFlags)},
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
`,
  );
  return config;
}

async function boot(config: string, path: string, status: number): Promise<Boot> {
  const started = performance.now();
  const child = spawn(workerd, ["serve", "--experimental", "--control-fd=3", config], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  try {
    const client = new Client(new URL(`http://127.0.0.1:${await listeningPort(child)}`), 1);
    await client.expect({ path }, status);
    client.close();
    return { ms: performance.now() - started, cpuMs: await cpuTimeOf(child.pid) };
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
