import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { docsOf, PROBLEM_CODES } from "../../src/lib/service-problems.ts";
import { root, sourceFiles } from "./repository.ts";

/* What the docs say about this repository. Their commands are run by test/browser/docs-commands.browser.ts. */

const PAGES = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const read = (page: string) => readFileSync(join(root, page), "utf8");

describe("the docs", () => {
  it("name only npm commands that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((page) => [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name));
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  });

  it("name only endpoints that exist, as do the texts of the service", () => {
    const files = sourceFiles("src").map(read);
    const declared = files.flatMap((text) => [...text.matchAll(/(?:route|endpoint)\(\s*"(\w+)",\s*"([^"]+)"/g)]);
    const endpoints = declared.map(
      ([, method = "", path = ""]) => new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    );
    const named = [...PAGES, "SECURITY.md"].map(read).concat(files).join("\n");
    const calls = named.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/api\/[\w/{}<>.-]*[\w}>]/g);
    const missing = [...calls].filter(([call]) => !endpoints.some((endpoint) => endpoint.test(call)));
    expect(missing.map(([call]) => call)).toEqual([]);
  });

  it("name only source files that exist", () => {
    const files = ["src", "test", "scripts"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => `/${folder}/${name.replaceAll("\\", "/")}`,
      ),
    );
    const missing = [...PAGES, "SECURITY.md"].flatMap((page) =>
      [...read(page).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|sql))`/g)]
        .filter(([, path]) => !files.some((file) => file.endsWith(`/${path}`)))
        .map(([, path]) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
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

  it("have a section for every problem that the service can report", () => {
    const operations = read("docs/operations.md");
    const sections = new Map(
      operations.split(/^#{2,3} /m).map((section) => [section.split("\n")[0] ?? "", section] as const),
    );
    for (const code of PROBLEM_CODES) {
      expect(docsOf(code)).toBe(`docs/operations.md#${code}`);
      // What it means, and what to do.
      expect(sections.get(code), code).toMatch(/\n\n[^\n]+[\s\S]*\n\nDo: [^\n]+/);
    }
    const known: readonly string[] = PROBLEM_CODES;
    expect([...sections.keys()].filter((title) => /^[a-z]+_[a-z_]+$/.test(title) && !known.includes(title))).toEqual(
      [],
    );
  });

  it("keep the README within 12 KB", () => {
    expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12 * 1024);
  });
});
