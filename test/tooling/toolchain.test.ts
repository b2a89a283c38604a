import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
}

const readLock = (file: string): Record<string, LockedPackage> =>
  JSON.parse(readFileSync(join(root, file), "utf8")).packages;
const packages = readLock("package-lock.json");
const lockFiles = spawnSync("git", ["ls-files", "*package-lock.json"], { cwd: root, encoding: "utf8" })
  .stdout.split("\n")
  .filter(Boolean);

function copiesOf(name: string): string[] {
  return Object.keys(packages).filter(
    (path) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`),
  );
}

describe("the lock file", () => {
  // Tests on one runtime and `wrangler dev` on another would prove little, and each takes 150 MB.
  it.each(["workerd", "wrangler", "miniflare", "vitest", "hono"])("has one copy of %s", (name) => {
    expect(copiesOf(name)).toEqual([`node_modules/${name}`]);
  });

  it("pins wrangler to the version the test plugin is made for", () => {
    const plugin = packages["node_modules/@cloudflare/vitest-pool-workers"];
    const { version } = packages["node_modules/wrangler"] ?? {};
    expect(version).toBeTruthy();
    expect(plugin?.dependencies?.wrangler).toBe(version);
    expect(packages[""]).toMatchObject({ devDependencies: { wrangler: version } });
  });

  // An address would tie every install to the registry of whoever locked it.
  it.each(lockFiles)("names no address to download from, and a hash for every package: %s", (file) => {
    const locked = Object.entries(readLock(file)).filter(([path]) => path !== "");
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
    expect(readFileSync(join(root, file), "utf8")).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});

describe("the Node for machines whose own is too old", () => {
  const platforms = Object.entries(readLock("scripts/node/package-lock.json")).filter(([path]) => path !== "");

  it("comes from the lock file, one version for every platform, without an install script", () => {
    expect(new Set(platforms.map(([, { os, cpu }]) => `${os} ${cpu}`))).toEqual(
      new Set(["darwin arm64", "darwin x64", "linux arm64", "linux x64", "win32 arm64", "win32 x64"]),
    );
    expect(new Set(platforms.map(([, { version }]) => version)).size).toBe(1);
    expect(platforms.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });

  // npm puts the programs of packages before those of the machine: every command would run with that Node.
  it("is in no package of the first install", () => {
    expect(Object.entries(packages).filter(([, { bin }]) => bin && "node" in bin)).toEqual([]);
  });
});

describe("the runner of commands", () => {
  it("starts a script with the Node that runs it, all arguments and its exit code", () => {
    const folder = mkdtempSync(join(tmpdir(), "runner-"));
    try {
      const script = join(folder, "script.ts");
      writeFileSync(
        script,
        "console.log(JSON.stringify([process.execPath, ...process.argv.slice(2)] as string[]));process.exit(3);",
      );
      const args = ["scripts/run.mjs", script, "--name", "two words", "--", "--secrets"];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual([
        process.execPath,
        "--name",
        "two words",
        "--",
        "--secrets",
      ]);
      expect(status).toBe(3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is behind every command that is a script", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const direct = Object.entries(scripts).filter(([, command]) => /\bnode scripts\/(?!run\.mjs )/.test(command));
    expect(
      direct.filter(([name, command]) => name !== "dev" && !command.startsWith("node scripts/setup.mjs &&")),
    ).toEqual([]);
    expect(Object.keys(scripts).filter((name) => name.endsWith(":run"))).toEqual([]);
  });
});
