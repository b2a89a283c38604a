import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { root } from "./repository.ts";

/* `npm run deploy` as an operator runs it, against a wrangler that keeps an account in a file. */

interface Account {
  databases: string[];
  namespaces: string[];
  buckets: string[];
  /** null: the Worker does not exist yet. */
  secrets: Record<string, string> | null;
  accounts: number;
  migrated: boolean;
  failing: { at: string; afterwards?: boolean }[];
  calls: string[];
  deployed?: { kv_namespaces: object[]; placement: object };
  migratedBefore?: boolean;
}

const OWN = ["ENCRYPTION_KEY", "JWT_SECRET", "PASSWORD_PEPPER", "SETUP_TOKEN", "VAPID_PRIVATE_KEY"];
const fresh: Account = {
  databases: ["other"],
  namespaces: ["other"],
  buckets: ["other"],
  secrets: null,
  accounts: 0,
  migrated: false,
  failing: [],
  calls: [],
};

const { rawConfig } = readRawConfig({ config: join(root, "wrangler.toml") });

let folder: string;
const accountFile = () => join(folder, "node_modules", "wrangler", "bin", "account.json");
const account = (): Account => JSON.parse(readFileSync(accountFile(), "utf8"));
const change = (values: Partial<Account>) => writeFileSync(accountFile(), JSON.stringify({ ...account(), ...values }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deploy-script-"));
  const packageFolder = join(folder, "node_modules", "wrangler");
  mkdirSync(join(packageFolder, "bin"), { recursive: true });
  mkdirSync(join(folder, "scripts"));
  for (const name of ["deploy.mjs", "migrate.mjs", "node-path.mjs"])
    copyFileSync(join(root, "scripts", name), join(folder, "scripts", name));
  copyFileSync(join(root, "test", "tooling", "fake-wrangler.mjs"), join(packageFolder, "bin", "wrangler.js"));
  // Loading the real package would take a second in each run: it reads the configuration here instead.
  writeFileSync(join(packageFolder, "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
  configure(rawConfig);
  writeFileSync(accountFile(), JSON.stringify(fresh));
});
function configure(config: object) {
  const text = `export const experimental_readRawConfig = () => (${JSON.stringify({ rawConfig: config })});\n`;
  writeFileSync(join(folder, "node_modules", "wrangler", "index.js"), text);
}
afterEach(() => rmSync(folder, { recursive: true }));

function deploy(...flags: string[]) {
  change({ calls: [] });
  const run = spawnSync(process.execPath, [join(folder, "scripts", "deploy.mjs"), ...flags], { encoding: "utf8" });
  return { status: run.status, told: run.stdout + run.stderr, ...account() };
}

const creating = (calls: string[]) => calls.filter((call) => /create|bulk/.test(call));
const values = () => Object.entries(account().secrets ?? {});
const shownTokens = (told: string) =>
  [...told.matchAll(/SETUP_TOKEN, shown only now: (\S+)/g)].map(([, token]) => token);

describe("npm run deploy", () => {
  it("makes everything on a fresh account, with the migrations before the code", () => {
    const { status, told, calls, databases, namespaces, buckets, secrets, deployed, migratedBefore } = deploy();
    expect(status, told).toBe(0);
    expect(databases).toEqual(["other", "poa"]);
    expect(namespaces).toEqual(["other", "poa"]);
    expect(buckets).toEqual(["other", "poa-files"]);
    expect(calls).toContain("r2 bucket create poa-files --location weur --env production");
    expect(calls).toContain("d1 create poa --location weur --env production");
    expect(migratedBefore).toBe(true);
    expect(Object.keys(secrets ?? {}).sort()).toEqual(OWN);
    expect(new Set(Object.values(secrets ?? {})).size).toBe(OWN.length);
    for (const [, value] of values()) expect(value).toMatch(/^[\w-]{43}$/);
    expect(deployed?.kv_namespaces).toEqual([{ binding: "KV", id: "id of poa" }]);
    expect(deployed?.placement).toEqual({ region: "aws:eu-central-1" });
    expect(existsSync(join(folder, ".wrangler.deploy.json"))).toBe(false);
  });

  it("shows the setup token once, no other secret, and none in arguments", () => {
    const { told, calls } = deploy();
    expect(shownTokens(told)).toEqual([account().secrets?.SETUP_TOKEN]);
    for (const [name, value] of values()) {
      expect(told.split(value).length - 1, name).toBe(name === "SETUP_TOKEN" ? 1 : 0);
      expect(calls.join("\n")).not.toContain(value);
    }
    expect(shownTokens(deploy().told)).toEqual([]);
  });

  it("creates nothing the second time and changes no secret", () => {
    const { secrets } = deploy();
    const second = deploy();
    expect(second.status, second.told).toBe(0);
    expect(creating(second.calls)).toEqual([]);
    expect(second.calls).toContain("d1 migrations apply DB --remote --env production");
    expect(second.secrets).toEqual(secrets);
    expect(second.deployed?.kv_namespaces).toEqual([{ binding: "KV", id: "id of poa" }]);
  });

  it.each([
    ["d1 create", true],
    ["r2 bucket info", false],
    ["r2 bucket create", true],
    ["kv namespace create", true],
    ["secret list", false],
    ["secret bulk", false],
    ["secret bulk", true],
    ["deploy", false],
  ])("repairs a run that failed at %s (its work done: %s)", (at, afterwards) => {
    change({ failing: [{ at, afterwards }] });
    const first = deploy();
    expect(first.status).toBe(1);
    if (at !== "deploy") expect(first.calls.join("\n")).not.toMatch(/^deploy/m);
    const secrets = first.secrets;
    change({ failing: [] });
    const second = deploy();
    expect(second.status, second.told).toBe(0);
    expect(second.databases).toEqual(["other", "poa"]);
    expect(second.namespaces).toEqual(["other", "poa"]);
    expect(second.buckets).toEqual(["other", "poa-files"]);
    expect(second.secrets).toMatchObject(secrets ?? {});
    expect(Object.keys(second.secrets ?? {}).sort()).toEqual(OWN);
    // The token that was shown last is the one that counts.
    expect(shownTokens(first.told + second.told).at(-1)).toBe(second.secrets?.SETUP_TOKEN);
  });

  it("makes only the secrets that are missing", () => {
    change({
      secrets: { JWT_SECRET: "a", PASSWORD_PEPPER: "b", ENCRYPTION_KEY: "c", OPENAI_API_KEY: "d" },
      accounts: 1,
    });
    const { status, told, secrets } = deploy();
    expect(status, told).toBe(0);
    expect(secrets).toMatchObject({ JWT_SECRET: "a", PASSWORD_PEPPER: "b", ENCRYPTION_KEY: "c", OPENAI_API_KEY: "d" });
    expect(shownTokens(told)).toEqual([secrets?.SETUP_TOKEN]);
  });

  it("makes no new pepper and no new key for a database with accounts", () => {
    change({ databases: ["poa"], accounts: 1, secrets: { JWT_SECRET: "a", PASSWORD_PEPPER: "b" } });
    const { status, told, calls, secrets } = deploy();
    expect(status).toBe(1);
    expect(told).toContain("npx wrangler secret put ENCRYPTION_KEY --env production");
    expect(told).not.toContain("put PASSWORD_PEPPER");
    expect(secrets).toEqual({ JWT_SECRET: "a", PASSWORD_PEPPER: "b" });
    expect(calls.join("\n")).not.toMatch(/^deploy/m);
  });

  it("creates the database where the Worker runs, and asks when it does not know the region", () => {
    const inRegion = (region: string) => {
      const production = { ...rawConfig.env?.production, placement: { region } };
      configure({ ...rawConfig, env: { production } });
    };
    inRegion("aws:nowhere-1");
    const refused = deploy();
    expect(refused.status).toBe(1);
    expect(refused.told).toMatch(/one of: aws:eu-central-1, .*It is now aws:nowhere-1/);
    expect(refused.databases).toEqual(["other"]);
    inRegion("aws:ap-southeast-2");
    expect(deploy().calls).toContain("d1 create poa --location oc --env production");
    expect(account().deployed?.placement).toEqual({ region: "aws:ap-southeast-2" });
  });

  it.each([undefined, { binding: "MODELS" }])("creates nothing if Workers AI is bound as %j", (ai) => {
    configure({ ...rawConfig, env: { production: { ...rawConfig.env?.production, ai } } });
    const { status, told, calls } = deploy();
    expect([status, calls]).toEqual([1, []]);
    expect(told).toContain('[env.production.ai] with binding = "AI"');
  });

  it("says how to log in, and takes no arguments", () => {
    change({ failing: [{ at: "d1 list" }] });
    expect(deploy().told).toMatch(/code: 10000.*npx wrangler login/s);
    const refused = deploy("--dry-run");
    expect([refused.status, refused.calls]).toEqual([1, []]);
  });

  it("knows every region that wrangler.toml offers", () => {
    const text = readFileSync(join(root, "wrangler.toml"), "utf8");
    const offered = [...text.matchAll(/\b(?:aws|gcp):[\w-]+/g)].map(([region]) => region);
    const known = [...readFileSync(join(root, "scripts/deploy.mjs"), "utf8").matchAll(/\["((?:aws|gcp):[\w-]+)"/g)];
    expect([...new Set(offered)].sort()).toEqual(known.map(([, region]) => region).sort());
  });
});
