import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, inject, it } from "vitest";

/*
 * A new isolate parses the whole Worker and runs what a request needs. This keeps both small without measuring time:
 * `npm run bench` has the milliseconds.
 */

const graph = inject("uploadGraph");

/** The files, and all that they import at once. */
function startedWith(...files: string[]): string[] {
  const started = new Set(files);
  for (const file of started) {
    expect(graph, file).toHaveProperty([file]);
    for (const path of graph[file]?.imports ?? []) started.add(path);
  }
  return [...started];
}

const kibibytes = (files: string[]) => files.reduce((sum, file) => sum + (graph[file]?.bytes ?? 0), 0) / 1024;

const ENTRY = "src/index.ts";
/** What a list of tasks starts. */
const TASKS = [ENTRY, "src/features/tasks/routes.ts"];

describe("the start of the Worker", () => {
  it.each([
    ["an unknown path", [ENTRY], 700],
    ["a list of tasks", TASKS, 760],
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
    "src/features/tasks/service.ts",
    "src/db/schema/emails.ts",
  ])("runs nothing of %s for a list of tasks", (path) => {
    const used = (files: string[]) => files.filter((file) => file.startsWith(path) && graph[file]?.bytes);
    expect(used(Object.keys(graph))).not.toEqual([]);
    expect(used(startedWith(...TASKS))).toEqual([]);
  });
});

describe("the upload", () => {
  const script = readFileSync(inject("upload"));

  it("is below 1,560 KiB, compressed", () => {
    expect(gzipSync(script).length / 1024).toBeLessThan(1560);
  });

  it("has at most 375 KB of the engine, tables included", () => {
    const files = Object.keys(graph).filter((file) => file.startsWith("src/engine/"));
    expect(files).toContain("src/engine/dates/find-dates.ts");
    expect(kibibytes(files) * 1.024).toBeLessThanOrEqual(375);
  });

  // They would start with the Worker: see `alias` in wrangler.toml.
  it("imports no module of Node", () => {
    const imports = [...script.toString().matchAll(/(?:^|[;}])import[\w$*{}, ]*"([^"]+)"/gm)];
    expect(imports.map(([, name]) => name)).toEqual(["cloudflare:sockets", "cloudflare:workers"]);
  });
});
