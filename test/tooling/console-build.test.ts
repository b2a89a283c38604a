import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { buildConsole } from "../../scripts/console.mjs";
import { root, sourceFiles } from "./repository.ts";

/* What a browser loads of the console, and when. */

describe("the console", () => {
  let sizes: Map<string, number>;
  let loadedBy: (...entries: string[]) => string[];
  let loadersOf: (screen: string) => string[];
  let screens: string[];
  let built: Map<string, Buffer>;

  beforeAll(async () => {
    const { files, manifest } = await buildConsole();
    built = files;
    const isCode = ([name]: [string, unknown]) => /^assets\/.+\.(?:js|css)$/.test(name);
    sizes = new Map([...files].filter(isCode).map(([name, content]) => [name, gzipSync(content).length / 1024]));
    /** A file and what it imports at once. */
    const withImports = (key: string, seen = new Set<string>()): Set<string> => {
      const { file = "", css = [], imports = [] } = manifest[key] ?? {};
      if (seen.has(file)) return seen;
      for (const name of [file, ...css]) seen.add(name);
      for (const each of imports) withImports(each, seen);
      return seen;
    };
    const keyOf = (entry: string) => {
      const found = Object.keys(manifest).filter((key) => key === entry || key.endsWith(`/${entry}`));
      expect(found, entry).toHaveLength(1);
      return found[0] ?? "";
    };
    loadedBy = (...entries) => [...new Set(entries.flatMap((entry) => [...withImports(keyOf(entry))]))];
    const keys = Object.keys(manifest);
    loadersOf = (screen) => keys.filter((key) => manifest[key]?.dynamicImports?.includes(screen));
    screens = keys.filter((key) => key.startsWith("screens/"));
  });

  const size = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (sizes.get(name) ?? Number.NaN), 0);
  const onTop = (before: string[], names: string[]) => size(names.filter((name) => !before.includes(name)));
  /** What the document names. */
  const FIRST = ["index.html"];
  /** And what the frame loads as soon as nothing else is to be done. */
  const SHELL = [...FIRST, "dialogs-ahead.ts"];
  const LATER = "styles/later.css";

  it("keeps every screen below 36 KB and all of it below 290 KB, compressed", () => {
    expect(size(sizes.keys())).toBeLessThan(290);
    const first = loadedBy(...FIRST);
    expect(screens.length).toBeGreaterThan(15);
    // On top of whatever loads it: a dialog of a screen comes after the screen.
    const own = (screen: string) =>
      Math.max(...loadersOf(screen).map((loader) => onTop([...first, ...loadedBy(loader)], loadedBy(screen))));
    // The composer has a limit of its own, below.
    const composer = "screens/mail/compose/dock.tsx";
    expect(screens.filter((screen) => screen !== composer && !(own(screen) < 36))).toEqual([]);
  });

  it.each([
    ["/app/sign-in", "screens/sign-in/sign-in.tsx"],
    ["/app", "screens/today/today.tsx"],
  ])("loads at most 72 KB of script and style at first: %s", (_, screen) => {
    const theme = [...sizes.keys()].filter((name) => name.startsWith("assets/theme-"));
    expect(theme).toHaveLength(1);
    const total = size([...theme, ...loadedBy(...FIRST, screen)]);
    expect(total).toBeGreaterThan(20);
    expect(total).toBeLessThan(72);
  });

  /** All that a screen loads: its code in one or more parts, and the styles of those that nobody sees first. */
  const GROUPS = ["you", "access", "account", "service", "sorting"];
  it.each([
    ["Today", ["screens/today/today.tsx"]],
    ["Mail", ["screens/mail/mail.tsx"]],
    ["Tasks", ["screens/tasks/tasks.tsx"]],
    ["Chat", ["screens/chat/chat.tsx"]],
    ["Calendar", [LATER, "screens/calendar/calendar.tsx"]],
    ["Contacts", [LATER, "screens/contacts/contacts.tsx"]],
    ["Bookings", [LATER, "screens/bookings/bookings.tsx"]],
    ["Streams", [LATER, "screens/streams/streams.tsx"]],
    ...GROUPS.map((group) => [
      `Settings: ${group}`,
      [LATER, "screens/settings/settings.tsx", `screens/settings/groups/${group}.ts`],
    ]),
  ] as [string, string[]][])("loads at most 33 KB on top of the shell, compressed: %s", (_, entries) => {
    const own = onTop(loadedBy(...SHELL), loadedBy(...entries));
    expect(own).toBeGreaterThan(0);
    expect(own).toBeLessThanOrEqual(33);
  });

  it("loads at most 45 KB of the composer on demand, compressed, and none of it before", () => {
    const composer = loadedBy("screens/mail/compose/dock.tsx");
    const before = loadedBy(...SHELL, LATER, "screens/mail/mail.tsx");
    expect(onTop(before, composer)).toBeGreaterThan(20);
    expect(onTop(loadedBy(...SHELL, LATER), composer)).toBeLessThanOrEqual(45);
    const text = (name: string) => String(built.get(name));
    expect(before.filter((name) => text(name).includes("squire"))).toEqual([]);
  });

  it("names every file in the service worker, and in the document only what is there", () => {
    const text = (name: string) => String(built.get(name));
    const code = [...sizes.keys()].map((name) => `/app/${name}`);
    expect(code.filter((path) => !text("sw.js").includes(path))).toEqual([]);
    const named = [...text("index.html").matchAll(/(?:src|href)="\/app\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !built.has(name))).toEqual([]);
    const preloaded = [...text("index.html").matchAll(/rel="modulepreload"[^>]*href="\/app\/([^"]+)"/g)];
    const scripts = loadedBy(...FIRST).filter((name) => name.endsWith(".js") && !/\/index-/.test(name));
    expect(preloaded.map(([, name]) => name).sort()).toEqual(scripts.sort());
    // In the head and no module: it runs before anything is drawn.
    expect(text("index.html")).toMatch(/<script src="\/app\/assets\/theme-\w+\.js"><\/script>[\s\S]*<\/head>/);
    expect([...built].filter(([, content]) => content.includes(root)).map(([name]) => name)).toEqual([]);
  });

  it("carries the licence of every package in it", () => {
    const text = String(built.get("licenses.txt"));
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const source = sourceFiles("src/console")
      .map((file) => readFileSync(join(root, file), "utf8"))
      .join("\n");
    const used = Object.keys(dependencies).filter((name) => new RegExp(`from "${name}["/]`).test(source));
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((name) => !text.includes(`## ${name} - `))).toEqual([]);
    expect(text).toContain("Permission is hereby granted");
  });
});
