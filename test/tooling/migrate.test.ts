import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/migrate.mjs";

describe("a local database of a migration that has changed since", () => {
  it.each([
    ["an older kind of note", "3f1c"],
    ["another content of a migration", JSON.stringify({ "migrations/0000_schema.sql": "3f1c" })],
    ["a migration that is gone", JSON.stringify({ "migrations/0000_other.sql": "3f1c" })],
  ])("is refused with what to do: %s", (_, stamp) => {
    const folder = mkdtempSync(join(tmpdir(), "state-"));
    try {
      const data = join(folder, "v3", "d1");
      mkdirSync(data, { recursive: true });
      writeFileSync(join(data, "migrations-applied"), stamp);
      const module = pathToFileURL(join(root, "scripts", "migrate.mjs")).href;
      const code = `import(${JSON.stringify(module)}).then(({ migrate }) => migrate(${JSON.stringify(folder)}))`;
      const { status, stderr } = spawnSync(process.execPath, ["-e", code], { encoding: "utf8" });
      expect(stderr).toContain(`Delete ${folder} and start again.`);
      expect(status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
