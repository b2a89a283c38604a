import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { buildConsole } from "../../scripts/console.mjs";

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

  it("is below 1,400 KiB, compressed", () => {
    expect(gzipSync(script).length / 1024).toBeLessThan(1400);
  });

  // They would start with the Worker: see `alias` in wrangler.toml.
  it("imports no module of Node", () => {
    const imports = [...script.toString().matchAll(/(?:^|[;}])import[\w$*{}, ]*"([^"]+)"/gm)];
    expect(imports.map(([, name]) => name)).toEqual(["cloudflare:workers"]);
  });
});

describe("the console", () => {
  let sizes: Map<string, number>;
  let loadedBy: (...entries: string[]) => string[];
  let screens: string[];

  beforeAll(async () => {
    const { files, metafile } = await buildConsole();
    const isCode = ([name]: [string, unknown]) => /^assets\/.+\.(?:js|css)$/.test(name);
    sizes = new Map([...files].filter(isCode).map(([name, content]) => [name, gzipSync(content).length / 1024]));
    const nameOf = (output: string) => output.slice(output.lastIndexOf("assets/"));
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
    const outputOf = (entry: string) => {
      const found = [...outputs].filter(([, { entryPoint }]) => entryPoint === `src/console/${entry}`);
      expect(found, entry).toHaveLength(1);
      return found[0]?.[0] ?? "";
    };
    loadedBy = (...entries) => [...new Set(entries.flatMap((entry) => [...withImports(outputOf(entry))]))];
    const entries = [...outputs.values()].map(({ entryPoint }) => entryPoint?.replace("src/console/", "") ?? "");
    screens = entries.filter((entry) => entry.startsWith("screens/"));
  });

  const size = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (sizes.get(name) ?? Number.NaN), 0);
  const onTop = (before: string[], names: string[]) => size(names.filter((name) => !before.includes(name)));
  /** What the document names. */
  const FIRST = ["main.tsx", "styles/style.css"];
  /** And what the frame loads as soon as nothing else is to be done. */
  const SHELL = [...FIRST, "shell/dialogs-ahead.ts"];
  const LATER = "styles/later.css";

  it("keeps every screen below 30 KB and all of it below 220 KB, compressed", () => {
    expect(size(sizes.keys())).toBeLessThan(220);
    const first = loadedBy(...FIRST);
    expect(screens.length).toBeGreaterThan(15);
    expect(screens.filter((screen) => onTop(first, loadedBy(screen)) > 30)).toEqual([]);
  });

  it.each([
    ["/app/sign-in", "screens/sign-in/sign-in.tsx"],
    ["/app", "screens/today/today.tsx"],
  ])("loads at most 70 KB of script and style at first: %s", (_, screen) => {
    const theme = [...sizes.keys()].filter((name) => name.startsWith("assets/theme-"));
    expect(theme).toHaveLength(1);
    const total = size([...theme, ...loadedBy(...FIRST, screen)]);
    expect(total).toBeGreaterThan(20);
    expect(total).toBeLessThan(70);
  });

  /** All that a screen loads: its code in one or more parts, and the styles of those that nobody sees first. */
  const GROUPS = ["you", "access", "account", "service", "sorting"];
  it.each([
    ["Today", ["screens/today/today.tsx"]],
    ["Mail", ["screens/mail/mail.tsx"]],
    ["Tasks", ["screens/tasks/tasks.tsx"]],
    ["Chat", ["screens/chat/chat.tsx"]],
    ["Calendar", [LATER, "screens/calendar/calendar.tsx"]],
    ["Bookings", [LATER, "screens/bookings/bookings.tsx"]],
    ["Streams", [LATER, "screens/streams/streams.tsx"]],
    ...GROUPS.map((group) => [
      `Settings: ${group}`,
      [LATER, "screens/settings/settings.tsx", `screens/settings/groups/${group}.ts`],
    ]),
  ] as [string, string[]][])("loads at most 30 KB on top of the shell, compressed: %s", (_, entries) => {
    const own = onTop(loadedBy(...SHELL), loadedBy(...entries));
    expect(own).toBeGreaterThan(0);
    expect(own).toBeLessThanOrEqual(30);
  });
});
