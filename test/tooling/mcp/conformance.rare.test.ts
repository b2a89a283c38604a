import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../repository.ts";

/* The official conformance suite against the service's protocol layer, in the real runtime. */

const SUITE = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
/** The suite needs a newer Node than the service's tools do. */
const NODE = join(root, "node_modules/node/bin/node");
const baseline = (revision: string) => join(root, `test/tooling/mcp/baseline-${revision}.yml`);

let server: Miniflare;
let url: URL;
const folder = mkdtempSync(join(tmpdir(), "conformance-"));

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(root, "test/tooling/mcp/fixture-worker.ts")],
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["workerd", "worker"],
    external: ["cloudflare:*"],
  });
  const contents = outputFiles[0]?.text ?? "";
  server = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      modules: [{ type: "ESModule", path: "worker.js", contents }],
      compatibilityDate: "2026-01-01",
    }),
  );
  url = await server.ready;
});

afterAll(async () => {
  await server?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function run(revision: string): Promise<{ code: number | null; output: string }> {
  const args = [
    "server",
    "--url",
    `${url.origin}/mcp`,
    "--requirements",
    revision,
    "--expected-failures",
    baseline(revision),
  ];
  const child = spawn(NODE, [SUITE, ...args], { cwd: folder });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      output += part;
    });
  }
  return new Promise((resolve) => child.once("exit", (code) => resolve({ code, output })));
}

describe("the official conformance suite", () => {
  it.each(["2026-07-28", "2025-11-25"])(
    "passes what %s requires, but for the baseline",
    async (revision) => {
      const { code, output } = await run(revision);
      expect(code, output.slice(output.indexOf("=== SUMMARY")).slice(0, 6000)).toBe(0);
      expect(output).toMatch(/Total: \d{2,} passed/);
    },
    120_000,
  );
});
