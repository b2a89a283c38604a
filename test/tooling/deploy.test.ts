import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { nodePath, offline, wrangler } from "../../scripts/migrate.mjs";
import { root } from "./repository.ts";

/* What `npm run deploy` would upload, made by the same command as far as it goes without an account. */

const folder = mkdtempSync(join(tmpdir(), "deploy-"));
/** In the environment of whoever deploys; no part of it may end up in the script. */
const SECRET_OF_THIS_RUN = `secret-of-this-run-${crypto.randomUUID()}`;
let told: string;

beforeAll(() => {
  const args = [wrangler, "deploy", "--dry-run", "--env", "production", "--outdir", folder];
  const env = {
    ...process.env,
    ...offline,
    NO_COLOR: "1",
    CLOUDFLARE_API_TOKEN: "",
    CI: "true",
    JWT_SECRET: SECRET_OF_THIS_RUN,
  };
  const run = spawnSync(nodePath(), args, { cwd: root, env, encoding: "utf8" });
  told = `${run.stdout}\n${run.stderr}`;
  expect(run.status, told).toBe(0);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** What this machine's secrets are, and one that the deploy itself was given. */
function localValues(): string[] {
  const file = join(root, ".dev.vars");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const values = [...text.matchAll(/^\w+(?:_SECRET|_PEPPER|_KEY) *= *"?([^"\n]+)"?$/gm)].map(([, value = ""]) => value);
  return [SECRET_OF_THIS_RUN, ...values];
}

/** The modules of the Worker. */
function uploaded(): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  return names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

describe("the production Worker", () => {
  it.each([
    /env\.DB \(poa\)\s+D1 Database/,
    /env\.KV \(.+\)\s+KV Namespace/,
    /env\.ASSETS\s+Assets/,
    /env\.HUB \(Hub\)\s+Durable Object/,
    /env\.RATE_LIMITER_AUTH \(20 requests\/60s\)\s+Rate Limit/,
    /env\.RATE_LIMITER_EXPENSIVE \(60 requests\/60s\)\s+Rate Limit/,
    /env\.RATE_LIMITER_PUBLIC \(120 requests\/60s\)\s+Rate Limit/,
    /env\.ACCESS_MODE \("private"\)/,
    /env\.REGISTRATION \("closed"\)/,
  ])("is given %s", (binding) => {
    expect(told).toMatch(binding);
  });

  it("is given nothing of the local environment", () => {
    expect(told).not.toMatch(/env\.(?:EMAIL|ALLOW_PRIVATE_HOSTS|JWT_SECRET|PASSWORD_PEPPER|ENCRYPTION_KEY)\b/);
  });

  it("brings the files of the documentation", () => {
    expect(told).toMatch(/Read \d+ files from the assets directory/);
  });

  it("runs near the database, and its jobs at the times the schedule knows", () => {
    const { placement, triggers, compatibility_date, assets } = readConfig({
      config: join(root, "wrangler.toml"),
      env: "production",
    });
    expect(placement).toMatchObject({ mode: "smart" });
    expect(assets).toMatchObject({ run_worker_first: true });
    expect(compatibility_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const schedule = readFileSync(join(root, "src/schedule.ts"), "utf8");
    expect(triggers.crons).toHaveLength(2);
    for (const cron of triggers.crons ?? []) expect(schedule).toContain(`"${cron}": {`);
  });

  it("has a limit on the CPU time of a request, and is not deployed without its secrets", () => {
    const { limits, secrets } = readConfig({ config: join(root, "wrangler.toml"), env: "production" });
    expect(limits).toEqual({ cpu_ms: 30_000 });
    expect(secrets?.required?.sort()).toEqual(["ENCRYPTION_KEY", "JWT_SECRET", "PASSWORD_PEPPER"]);
  });

  // Without the flag, a call to an address of the Worker's own zone goes to the origin behind its WAF and Access.
  it.each([undefined, "production"])("reaches its own zone only through its public side (environment %s)", (env) => {
    const { compatibility_flags } = readConfig({ config: join(root, "wrangler.toml"), ...(env && { env }) });
    expect(compatibility_flags).toContain("global_fetch_strictly_public");
    expect(compatibility_flags).not.toContain("global_fetch_private_origin");
  });

  // Every new isolate reads all of it before its first response; the platform's own limit is 3 MB.
  it("is at most 750 KiB to upload", () => {
    expect(gzipSync(uploaded()).byteLength).toBeLessThanOrEqual(750 * 1024);
  });

  it("holds no secret of this machine and no path of it", () => {
    const script = uploaded();
    expect(script).not.toContain(root);
    expect(localValues().filter((value) => script.includes(value))).toEqual([]);
  });
});
