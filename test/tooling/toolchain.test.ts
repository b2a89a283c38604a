import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

interface LockedPackage {
  version?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
}

const text = readFileSync(join(root, "package-lock.json"), "utf8");
const packages: Record<string, LockedPackage> = JSON.parse(text).packages;

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
  it("names no address to download from", () => {
    expect(Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(text).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});
