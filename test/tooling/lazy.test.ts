import { readFileSync } from "node:fs";
import { join } from "node:path";
import bcrypt from "bcryptjs";
import { describe, expect, inject, it } from "vitest";
import { fasterBcrypt } from "../../scripts/faster-bcrypt.mjs";
import { STRIPE_RESOURCES, ZOD_MEMBERS } from "../../scripts/libraries.mjs";
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
    ["an unknown path", [ENTRY], 325],
    ["a list of tasks", TASKS, 380],
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
    expect(filesOf(Object.keys(graph)).filter((file) => file.startsWith(path))).not.toEqual([]);
    expect(filesOf(startedWith(...TASKS)).filter((file) => file.startsWith(path))).toEqual([]);
  });
});

describe("the Worker as a whole", () => {
  // Every new isolate compiles all of it: some 25 ms for each MB.
  it("is at most 3,200 KiB to compile, in three files", () => {
    const modules = inject("workerModules");
    expect(modules.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1024).toBeLessThanOrEqual(3200);
    expect(modules.map(({ name }) => name).sort()).toEqual(["early.js", "index.js", "late.js"]);
  });

  // One other character doubles the memory of a file, and the time to read it.
  it("is in ASCII", () => {
    const others = inject("workerModules").flatMap(({ name, text }) =>
      [...text.matchAll(/.{0,30}[\u0080-\uffff]/g)].map(([found]) => `${name}: ${found}`),
    );
    expect(others).toEqual([]);
  });

  // Only the start of a module: its functions, which are most of it, run later.
  it("runs nothing of a module that is loaded on demand before it is", () => {
    const late = inject("workerModules").find(({ name }) => name === "late.js")?.text ?? "";
    const outside = late.split("\n").filter((line) => /^(?:import\*|var __made)/.test(line));
    expect(outside.length).toBeGreaterThan(200);
    for (const line of outside.slice(1)) expect(line).toMatch(/^var __made(\d+);export function __start\1\(\)\{/);
  });

  // `scripts/lazy-modules.mjs` passes on values, not variables.
  it("has no module that changes a variable after exporting it", () => {
    const changed = filesOf(Object.keys(graph)).flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const lists = [...text.matchAll(/^export\s*\{([^}]*)\}(?!\s*from)/gm)].flatMap(([, list = ""]) =>
        list.split(","),
      );
      const listed = lists.map((each) => each.trim().split(" as ")[0] ?? "").filter((name) => /^\w+$/.test(name));
      const declared = [...text.matchAll(/^\s*export\s+(?:let|var)\s+(\w+)/gm)].map(([, name = ""]) => name);
      const names = [...declared, ...listed.filter((name) => new RegExp(`^(?:let|var)\\s+${name}\\b`, "m").test(text))];
      const settings = (name: string) =>
        [...text.matchAll(new RegExp(`(?<![\\w$.])${name}\\s*(?:=(?![=>])|[-+*/|&?]+=|\\+\\+|--)`, "g"))].length;
      return names.filter((name) => settings(name) > 1).map((name) => `${file}: ${name}`);
    });
    expect(changed).toEqual([]);
  });

  it("has no other language of zod than English", () => {
    const languages = filesOf(Object.keys(graph)).filter((file) => file.includes("zod/v4/locales/"));
    expect(languages).toEqual(["node_modules/zod/v4/locales/en.js"]);
  });

  // A member that was left out would be missing when it is first called.
  it("keeps of zod what is used, and no more", () => {
    const used = new Set<string>();
    for (const file of filesOf(Object.keys(graph))) {
      if (file.startsWith("node_modules/zod/") || !/\.m?[jt]s$/.test(file)) continue;
      const text = readFileSync(join(root, file), "utf8");
      const imports = [...text.matchAll(/import (\* as [\w$]+|\{[^}]*\}) from "(?:zod(?:\/v4)?|@hono\/zod-openapi)"/g)];
      const names = imports.flatMap(([, list = ""]) => list.replaceAll(/[{}]/g, "").split(","));
      for (const name of names.map((each) => each.trim())) {
        const local = /^(?:\*|z) as ([\w$]+)$/.exec(name)?.[1] ?? (name === "z" ? name : undefined);
        if (!local) used.add(name.split(" as ")[0] ?? "");
        else
          for (const [, member = ""] of text.matchAll(new RegExp(`(?<![\\w$.])${local}\\d?\\.(\\w+)`, "g")))
            used.add(member);
      }
    }
    const source = readFileSync(join(root, "node_modules/zod/v4/classic/schemas.js"), "utf8");
    const isSchema = (name: string) =>
      new RegExp(`^export (?:const|function) ${name}\\b|^export \\{ _${name} as ${name} \\}`, "m").test(source);
    expect([...used].filter(isSchema).sort()).toEqual([...ZOD_MEMBERS.schemas].sort());
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

describe("bcryptjs in the Worker", () => {
  it("makes the same hashes as the library", async () => {
    const text = readFileSync(join(root, "node_modules/bcryptjs/index.js"), "utf8");
    const { default: faster } = await import(`data:text/javascript,${encodeURIComponent(fasterBcrypt(text))}`);
    for (const length of [0, 1, 7, 44, 71, 72, 100]) {
      const password = Buffer.from(crypto.getRandomValues(new Uint8Array(length)))
        .toString("base64")
        .slice(0, length);
      const hash = bcrypt.hashSync(password, 4);
      expect(faster.hashSync(password, hash.slice(0, 29))).toBe(hash);
      expect(faster.compareSync(password, hash)).toBe(true);
      expect(faster.compareSync(`x${password}`, hash)).toBe(false);
    }
  });

  it("is not taken from a library that has changed", () => {
    expect(() => fasterBcrypt("export default {}")).toThrow("no longer has the loops");
  });
});
