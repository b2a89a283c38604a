import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, inject, it } from "vitest";
import { STRIPE_RESOURCES } from "../../scripts/build.mjs";
import { buildConsole } from "../../scripts/console.mjs";
import { root } from "./repository.ts";

/*
 * A new isolate parses the whole Worker and runs what a request needs. This keeps both small without measuring time:
 * `npm run bench` has the milliseconds.
 */

const graph = inject("workerGraph");

/** The module made of a file, and all that starts with it. */
function startedWith(...files: string[]): string[] {
  const started = new Set<string>();
  const queue = Object.keys(graph).filter((name) => files.includes(graph[name]?.inputs.at(-1) ?? ""));
  expect(queue).toHaveLength(files.length);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (started.has(name)) continue;
    started.add(name);
    queue.push(...(graph[name]?.imports ?? []));
  }
  return [...started];
}

const kibibytes = (names: string[]) => names.reduce((sum, name) => sum + (graph[name]?.bytes ?? 0), 0) / 1024;
const filesOf = (names: string[]) => names.flatMap((name) => graph[name]?.inputs ?? []);

const ENTRY = "src/index.ts";
/** What a list of tasks starts. */
const TASKS = [ENTRY, "src/features/tasks/routes.ts"];

describe("the start of the Worker", () => {
  it.each([
    ["an unknown path", [ENTRY], 350],
    ["a list of tasks", TASKS, 440],
  ])("runs little code for %s", (_, files, limit) => {
    expect(kibibytes(startedWith(...files))).toBeLessThanOrEqual(limit);
  });

  // Models, payments, calendars, files of emails, hashing of passwords, codes, dates in words.
  it.each([
    "node_modules/ai/",
    "node_modules/@ai-sdk/",
    "node_modules/workers-ai-provider/",
    "node_modules/stripe/",
    "node_modules/ical.js/",
    "node_modules/postal-mime/",
    "node_modules/bcryptjs/",
    "node_modules/otplib/",
    "node_modules/uqr/",
    "src/engine/",
    "src/http/openapi.ts",
  ])("runs nothing of %s for a list of tasks", (path) => {
    expect(filesOf(Object.keys(graph)).filter((file) => file.startsWith(path))).not.toEqual([]);
    expect(filesOf(startedWith(...TASKS)).filter((file) => file.startsWith(path))).toEqual([]);
  });
});

describe("the Worker as a whole", () => {
  // Every new isolate parses all of it, 35 ms for each MB.
  it("is at most 3,000 KiB to parse", () => {
    expect(kibibytes(Object.keys(graph))).toBeLessThanOrEqual(3000);
  });

  it("has no other language of zod than English", () => {
    const languages = filesOf(Object.keys(graph)).filter((file) => file.includes("zod/v4/locales/"));
    expect(languages).toEqual(["node_modules/zod/v4/locales/en.js"]);
  });

  it("keeps of Stripe what is called, and no more", () => {
    const source = readFileSync(join(root, "src/providers/billing/stripe.ts"), "utf8");
    const calls = [...source.matchAll(/\bstripe\.((?:\w+\.)+)\w+\(/g)].map(([, path = ""]) => path.slice(0, -1));
    const called = calls.map((path) =>
      path.replaceAll(".", "/").replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    );
    expect([...new Set(called)].sort()).toEqual(STRIPE_RESOURCES);
  });
});

describe("the console", () => {
  it("keeps every screen below 30 KB and all of it below 220 KB, compressed", async () => {
    const { files, metafile } = await buildConsole();
    const sizes = new Map<string, number>();
    for (const [name, content] of files) {
      if (/^assets\/.+\.(?:js|css)$/.test(name)) sizes.set(name, gzipSync(content).length / 1024);
    }
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(220);
    const nameOf = (output: string) => output.slice(output.indexOf("assets/"));
    const outputs = new Map(Object.entries(metafile.outputs).map(([output, made]) => [nameOf(output), made] as const));
    /** A file and what it imports at once. */
    const withImports = (name: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(name)) return seen;
      seen.add(name);
      for (const { path, kind } of outputs.get(name)?.imports ?? []) {
        if (kind === "import-statement") withImports(nameOf(path), seen);
      }
      return seen;
    };
    const entryOf = (ending: string) =>
      [...outputs].filter(([, { entryPoint }]) => entryPoint?.endsWith(ending)).map(([name]) => name);
    const first = new Set(entryOf("main.tsx").flatMap((name) => [...withImports(name)]));
    const screens = [...outputs].filter(([, { entryPoint }]) => entryPoint?.includes("/screens/"));
    expect(screens.length).toBeGreaterThan(25);
    const large = screens.filter(([name]) => {
      const more = [...withImports(name)].filter((each) => !first.has(each));
      return more.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0) > 30;
    });
    expect(large.map(([, { entryPoint }]) => entryPoint)).toEqual([]);
  });
});
