import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { install } from "../../../scripts/setup.mjs";
import { root } from "../repository.ts";
import { startWorker } from "../worker.ts";

/*
 * The official conformance suite against the service's protocol layer, and the official inspector against the build, in
 * the real runtime. Both are installed here, once: they are as many packages as all others together.
 */

const TOOLS = join(root, "test/tooling/mcp/official");
const SUITE = join(TOOLS, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const INSPECTOR = join(TOOLS, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const baseline = (revision: string) => join(root, `test/tooling/mcp/baseline-${revision}.yml`);

const folder = mkdtempSync(join(tmpdir(), "conformance-"));

beforeAll(() => void install(TOOLS));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(tool: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [tool, ...args], { cwd: folder });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      output += part;
    });
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

describe("the official conformance suite", () => {
  let server: Miniflare;
  let url: URL;

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
  afterAll(() => server?.dispose());

  it.each(["2026-07-28", "2025-11-25"])("passes what %s requires, but for the baseline", async (revision) => {
    const expected = ["--requirements", revision, "--expected-failures", baseline(revision)];
    const { code, output } = await run(SUITE, ["server", "--url", `${url.origin}/mcp`, ...expected]);
    expect(code, output.slice(output.indexOf("=== SUMMARY")).slice(0, 6000)).toBe(0);
    expect(output).toMatch(/Total: \d{2,} passed/);
  });
});

describe("the official inspector", () => {
  it.each(["modern", "legacy"])("lists the tools strictly in the %s era", async (era) => {
    const secret = () => randomBytes(32).toString("base64url");
    const secrets = { JWT_SECRET: secret(), PASSWORD_PEPPER: secret(), ENCRYPTION_KEY: secret() };
    const worker = await startWorker({ ...secrets, ALLOW_PRIVATE_HOSTS: "true" });
    try {
      await worker.migrate();
      const post = async (path: string, body: object, token?: string) => {
        const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
        const response = await fetch(new URL(path, worker.url), {
          method: "POST",
          headers,
          body: JSON.stringify(body),
        });
        return (await response.json()) as { token?: string; key?: string };
      };
      const password = "correct horse battery staple";
      const { token } = await post("/api/auth/register", { email: "ada@example.com", password, name: "Ada" });
      const scopes = ["emails:read", "emails:write", "tasks:read", "tasks:write", "calendar:read", "calendar:write"];
      const settings = { name: "Inspector", scopes, currentPassword: password };
      const { key } = await post("/api/settings/security/api-keys", settings, token);
      expect(key).toMatch(/^poa_/);
      const server = ["--cli", `${worker.url.origin}/mcp`, "--transport", "http", "--protocol-era", era];
      const request = ["--method", "tools/list", "--strict", "--format", "json", "-q"];
      const { code, output } = await run(INSPECTOR, [
        ...server,
        ...request,
        "--header",
        `Authorization: Bearer ${key}`,
      ]);
      expect(code, output).toBe(0);
      expect(output).toContain('"propose_reply"');
    } finally {
      await worker.stop();
    }
  });
});
