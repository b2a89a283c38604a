import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

/* What the docs say about this repository. Their commands are run by test/browser/docs-commands.browser.ts. */

const PAGES = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
const read = (page: string) => readFileSync(join(root, page), "utf8");

describe("the docs", () => {
  it("name only npm commands that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((page) => [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name));
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  });

  it("link only to files that exist", () => {
    const broken = PAGES.flatMap((page) => {
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
      const folder = page.includes("/") ? "docs" : "";
      return links.filter((target) => !existsSync(join(root, folder, target))).map((target) => `${page}: ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it("show the figures of the saved benchmark", () => {
    expect(read("docs/performance.md")).toContain(read("bench/results/report.txt").trim());
  });

  it("keep the README within 12 KB", () => {
    expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12 * 1024);
  });
});
