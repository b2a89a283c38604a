import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { offline, wrangler } from "../../scripts/migrate.mjs";
import { root } from "./repository.ts";

/* What `npm run deploy` would upload, made by the same command as far as it goes without an account. */

const folder = mkdtempSync(join(tmpdir(), "deploy-"));
/** In the environment of whoever deploys; no part of it may end up in the script. */
const SECRET_OF_THIS_RUN = `secret-of-this-run-${crypto.randomUUID()}`;
let told: string;

/** What `wrangler deploy` says of an environment, short of uploading it. "" is the default one. */
function dryRun(environment: string, outdir: string): string {
  const args = [wrangler, "deploy", "--dry-run", "--env", environment, "--outdir", outdir];
  const env = {
    ...process.env,
    ...offline,
    NO_COLOR: "1",
    CLOUDFLARE_API_TOKEN: "",
    CI: "true",
    JWT_SECRET: SECRET_OF_THIS_RUN,
  };
  const run = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  expect(run.status, run.stdout + run.stderr).toBe(0);
  return `${run.stdout}\n${run.stderr}`;
}

beforeAll(() => {
  told = dryRun("production", join(folder, "production"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const configOf = (env?: string) =>
  readConfig({ config: join(root, "wrangler.toml"), ...(env && { env }) }, { hideWarnings: true });

/** What this machine's secrets are, and one that the deploy itself was given. */
function localValues(): string[] {
  const file = join(root, ".dev.vars");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const values = [...text.matchAll(/^\w+(?:_SECRET|_PEPPER|_KEY) *= *"?([^"\n]+)"?$/gm)].map(([, value = ""]) => value);
  return [SECRET_OF_THIS_RUN, ...values];
}

/** The modules of the Worker. */
function uploaded(): string {
  const from = join(folder, "production");
  const names = readdirSync(from).filter((name) => name.endsWith(".js"));
  return names.map((name) => readFileSync(join(from, name), "utf8")).join("\n");
}

// With a build command of its own, wrangler looks for changes in this folder and nowhere else.
it("the local Worker is bundled again when any part of it changes", () => {
  const { main = "", build } = configOf();
  expect(main).toBe(join(root, "src", "index.ts"));
  expect(build.watch_dir).toBe("src");
});

describe("the production Worker", () => {
  it.each([
    /env\.DB \(poa\)\s+D1 Database/,
    /env\.KV\s+KV Namespace/,
    /env\.FILES \(poa-files\)\s+R2 Bucket/,
    /env\.ASSETS\s+Assets/,
    /env\.HUB \(Hub\)\s+Durable Object/,
    /env\.AI\s+AI\b/,
    /env\.JOBS \(poa-jobs\)\s+Queue/,
    /env\.RETRIES \(poa-retries\)\s+Queue/,
    /env\.RATE_LIMITER_AUTH \(20 requests\/60s\)\s+Rate Limit/,
    /env\.RATE_LIMITER_EXPENSIVE \(60 requests\/60s\)\s+Rate Limit/,
    /env\.RATE_LIMITER_PUBLIC \(120 requests\/60s\)\s+Rate Limit/,
    /env\.ACCESS_MODE \("private"\)/,
    /env\.REGISTRATION \("closed"\)/,
  ])("is given %s", (binding) => {
    expect(told).toMatch(binding);
  });

  it("is given nothing of the local environment", () => {
    expect(told).not.toMatch(
      /env\.(?:EMAIL|ALLOW_PRIVATE_HOSTS|JWT_SECRET|PASSWORD_PEPPER|ENCRYPTION_KEY|SETUP_TOKEN)\b/,
    );
  });

  // Workers AI needs the network and an account, and local work has neither.
  it("has a model of its own, and the local one does not", () => {
    expect(configOf("production").ai).toEqual({ binding: "AI" });
    expect(configOf().ai).toBeUndefined();
  });

  it("brings the files of the documentation", () => {
    expect(told).toMatch(/Read \d+ files from the assets directory/);
  });

  it("runs near the database, and its jobs at the times the schedule knows", () => {
    const { placement, triggers, compatibility_date, assets } = configOf("production");
    expect(placement).toEqual({ region: expect.stringMatching(/^(?:aws|gcp):/) });
    expect(assets).toMatchObject({ run_worker_first: true });
    expect(compatibility_date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const schedule = readFileSync(join(root, "src/schedule.ts"), "utf8");
    expect(triggers.crons).toHaveLength(4);
    for (const cron of triggers.crons ?? []) {
      const names: Record<string, string> = { "* * * * *": "EVERY_MINUTE", "*/5 * * * *": "EVERY_FIVE_MINUTES" };
      expect(schedule).toContain(names[cron] ? `${names[cron]} = "${cron}"` : `"${cron}": {`);
    }
  });

  it("has a limit on the CPU time of a request, and is not deployed without its secrets", () => {
    const { limits, secrets } = configOf("production");
    expect(limits).toEqual({ cpu_ms: 30_000 });
    expect(secrets?.required?.sort()).toEqual([
      "ENCRYPTION_KEY",
      "JWT_SECRET",
      "PASSWORD_PEPPER",
      "SETUP_TOKEN",
      "VAPID_PRIVATE_KEY",
    ]);
  });

  it("reports errors as issues and traces a part of the requests", () => {
    const { observability } = configOf("production");
    expect(observability).toMatchObject({ enabled: true, issues: { enabled: true }, traces: { enabled: true } });
    expect(observability?.traces?.head_sampling_rate).toBeGreaterThan(0);
    expect(observability?.traces?.head_sampling_rate).toBeLessThan(1);
  });

  it("consumes every queue that it sends to, and no other", () => {
    const { queues } = configOf("production");
    const names = (list: readonly { queue?: string }[] = []) => list.map(({ queue }) => queue);
    expect(names(queues.consumers)).toEqual(names(queues.producers));
    expect(queues).toEqual(configOf().queues);
  });

  // A calendar feed has its token in the query string.
  it.each([undefined, "production"])("has no query strings in the platform's logs (environment %s)", (env) => {
    expect(configOf(env).observability).toMatchObject({ redact_query_string: true });
  });

  it.each([undefined, "production"])("needs no id of a resource (environment %s)", (env) => {
    const { d1_databases, kv_namespaces, r2_buckets } = configOf(env);
    expect(r2_buckets).toEqual([{ binding: "FILES", bucket_name: "poa-files" }]);
    expect(d1_databases).toEqual([{ binding: "DB", database_name: "poa", migrations_dir: "migrations" }]);
    expect(kv_namespaces).toEqual([{ binding: "KV" }]);
  });

  it("has no field that wrangler does not know, nor has the default environment", () => {
    const local = dryRun("", join(folder, "local"));
    for (const output of [told, local]) {
      expect(output).toContain("--dry-run: exiting now.");
      expect(output).not.toMatch(/unexpected fields|not a valid|experimental|deprecated/i);
    }
    expect(local).not.toContain("WARNING");
    // The one warning: outgoing email is for whoever has set it up. It has to be one that people understand.
    expect(told).toContain('"send_email" exists at the top level, but not on "env.production"');
    expect(told.match(/exists at the top level|There is a .* binding with name/g)).toHaveLength(1);
  });

  // Without the flag, a call to an address of the Worker's own zone goes to the origin behind its WAF and Access.
  it.each([undefined, "production"])("reaches its own zone only through its public side (environment %s)", (env) => {
    const { compatibility_flags } = configOf(env);
    expect(compatibility_flags).toContain("global_fetch_strictly_public");
    expect(compatibility_flags).not.toContain("global_fetch_private_origin");
  });

  // Every new isolate reads all of it before its first response; the platform's own limit is 3 MB.
  it("is below 1,560 KiB to upload, and its source map goes with it", () => {
    expect(gzipSync(uploaded()).byteLength).toBeLessThan(1560 * 1024);
    expect(configOf("production").upload_source_maps).toBe(true);
  });

  it("holds no secret of this machine and no path of it", () => {
    const script = uploaded();
    expect(script).not.toContain(root);
    expect(localValues().filter((value) => script.includes(value))).toEqual([]);
  });
});
