import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root, sourceFiles } from "./repository.ts";

/*
 * The rules of the house: imports point down and never in a circle, a feature reads only its own tables, and every
 * export is imported somewhere.
 */

interface Import {
  file: string;
  /** The imported file, from the root of the repository, or the name of a package. */
  target: string;
}

/** Type-only imports count: a circle of types is a circle of ideas. */
function importsOf(file: string, text: string): Import[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const specifiers = code.matchAll(/(?:^|[\s}*])(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...specifiers].map(([, name = ""]) => ({
    file,
    target: name.startsWith(".") ? posix.join(posix.dirname(file), name) : name,
  }));
}

/** What each part of the house may import, besides packages and itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  log: ["lib"],
  engine: ["lib"],
  // How the messages of one feature are understood: pure, like the engine.
  language: ["lib", "engine"],
  config: ["lib", "log"],
  db: ["lib", "log", "config", "context"],
  context: ["lib", "log", "config", "db"],
  providers: ["lib", "log", "config", "context", "engine"],
  http: ["lib", "log", "config", "context", "db"],
  service: ["lib", "log", "config", "context", "engine", "language", "db", "providers", "schemas"],
  schemas: ["lib", "http", "engine"],
  routes: ["lib", "config", "context", "http", "engine", "service", "schemas"],
  inbound: ["context", "service"],
  queue: ["lib", "log", "context", "db", "service"],
  schedule: ["log", "context", "db", "service"],
  app: ["config", "http", "routes", "service"],
  hub: [],
  // Runs in the browser and knows the service by its API only. Of lib/, it takes what needs no package.
  console: ["lib"],
  index: ["lib", "config", "context", "app", "schedule", "queue", "inbound", "hub"],
};

function partOf(path: string): string {
  if (/^src\/features\/.*\/routes\.ts$/.test(path)) return "routes";
  if (/^src\/features\/.*\/schemas\.ts$/.test(path)) return "schemas";
  if (/^src\/features\/[^/]+\/(?:language|reader)\//.test(path)) return "language";
  if (path.startsWith("src/features/")) return "service";
  return /^src\/([\w-]+)/.exec(path)?.[1] ?? path;
}

/** The layers of the console, from below. What starts it, directly in its folder, may import all of them. */
const CONSOLE_LAYERS = ["messages", "lib", "client", "ui", "shell", "screens"];

/** Whether a file of the console imports one of a layer above its own. */
function goesUp(file: string, target: string): boolean {
  // Imported for the build alone, which puts what it names into one file.
  if (target === "src/console/base.ts" || target.startsWith("src/console/styles/")) return false;
  const layer = (path: string) => {
    const [folder = ""] = path.slice("src/console/".length).split("/");
    const at = CONSOLE_LAYERS.indexOf(folder);
    return at < 0 ? CONSOLE_LAYERS.length : at;
  };
  return layer(target) > layer(file);
}

const isPackage = (target: string, ...names: string[]) =>
  names.some((name) => target === name || target.startsWith(`${name}/`));

/** Why an import breaks the order of the house, or null. */
function wrongWay({ file, target }: Import): string | null {
  const part = partOf(file);
  const say = (reason: string) => `${file} → ${target}: ${reason}`;
  if (target.startsWith("node:")) return say("the Worker runs without Node's modules");
  if (!target.startsWith("src/")) {
    if (target.includes("/") && /^(?:test|scripts|bench|docs)\//.test(target))
      return say("src imports nothing beside it");
    if (isPackage(target, "hono", "@hono/zod-openapi", "@hono/swagger-ui")) {
      return ["http", "routes", "schemas"].includes(part) ? null : say("only http/, routes and schemas know Hono");
    }
    if (isPackage(target, "drizzle-orm")) {
      return ["db", "http", "service", "context"].includes(part) ? null : say("only db/ and services write queries");
    }
    if (target === "zod" && part === "schemas") return say("schemas import z from @hono/zod-openapi");
    return null;
  }
  const other = partOf(target);
  if (part === "console" && other === "console" && goesUp(file, target)) return say("the console's layers point down");
  if (part === "routes" && other === "routes") return say("a feature may call another's service, never its routes");
  if (part === other || MAY_IMPORT[part]?.includes(other)) return null;
  return say(`${part} may not import ${other}`);
}

/** Tables that more than one feature reads. Every other schema file belongs to the feature of its name. */
const SHARED_TABLES: Record<string, readonly string[]> = {
  // Credentials and the directory of people stand in one row; an API key's holder is read with the key.
  users: ["auth", "people", "api-keys", "connections", "oauth"],
  // Grants are a person's connections; clients and codes belong to how they come about.
  oauth: ["connections"],
  // Whoever is written to is read together with their language and how they read times.
  profile: ["people"],
  // Deleting an account deletes the responses kept for its repeated requests.
  idempotency: ["auth", "personal-data"],
  // Health reads what is owed to webhooks, and changes nothing. Notifications read who has a webhook for them.
  webhooks: ["health", "notifications"],
  // What is due becomes reminders in one statement, however much it is.
  tasks: ["reminders"],
  calendar: ["reminders"],
  // The sync stores what arrives as emails, and emails are sent through mailboxes: three features in one line.
  mailboxes: ["mailbox-sync", "emails"],
  emails: ["mailbox-sync"],
  // The chat, plans and agents all leave their proposals in conversations.
  chat: ["conversations", "tools"],
};

function featureOf(path: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1];
}

function foreignTables(imports: readonly Import[]): string[] {
  return imports
    .filter(({ file, target }) => {
      const table = /^src\/db\/schema\/([\w-]+)/.exec(target)?.[1];
      const feature = featureOf(file);
      if (table === undefined || feature === undefined) return false;
      const isOwn = table === feature || table.startsWith(`${feature}-`);
      return !isOwn && !SHARED_TABLES[table]?.includes(feature);
    })
    .map(({ file, target }) => `${file} → ${target}`);
}

/** The first circle of names that lead to each other, or null. */
function circleOf(edges: readonly (readonly [from: string, to: string])[]): string[] | null {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const visit = (name: string, path: string[]): string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const to of next.get(name) ?? []) {
      const circle = visit(to, [...path, name]);
      if (circle) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of next.keys()) {
    const circle = visit(name, []);
    if (circle) return circle;
  }
  return null;
}

/** The names that a file exports. */
function exportsOf(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  );
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(","));
  const names = [
    ...[...declared].map(([, name = ""]) => name),
    ...listed.map((each) => /(\w+)\s*$/.exec(each)?.[1] ?? ""),
  ];
  return [...new Set(names)].filter((name) => name !== "");
}

/** Exports whose name occurs in no file that imports theirs. Tests and scripts count as importers. */
function unusedExports(all: ReadonlyMap<string, string>, edges: readonly Import[]): string[] {
  const importers = new Map<string, string[]>();
  for (const { file, target } of edges) importers.set(target, [...(importers.get(target) ?? []), all.get(file) ?? ""]);
  return [...all].flatMap(([file, text]) => {
    const readers = importers.get(file) ?? [];
    return exportsOf(text)
      .filter((name) => !readers.some((reader) => new RegExp(`\\b${name}\\b`).test(reader)))
      .map((name) => `${file}: ${name}`);
  });
}

/** Not checked for unused exports: entry points of the runtime, and tables, which drizzle-kit reads. */
const ENTRY_POINTS = ["src/index.ts", "src/db/schema/"];
const files = sourceFiles("src");
const read = (file: string) => [file, readFileSync(join(root, file), "utf8")] as const;
const texts = new Map(files.map(read));
const imports = files.flatMap((file) => importsOf(file, texts.get(file) ?? ""));

/** An effect runs while a component is drawn: a signal that it reads and then sets draws that component again. `peek` does not. */
const CHANGED_BY_READING = /\b(\w+)\.value (?:[-+]=|= .*\b\1\.value\b).*/g;

describe("the source", () => {
  it("imports only what lies below", () => {
    expect(imports.flatMap((each) => wrongWay(each) ?? [])).toEqual([]);
  });

  it("brings no package of the Worker into the console by way of lib/", () => {
    const used = new Set(imports.filter(({ file }) => file.startsWith("src/console/")).map(({ target }) => target));
    const reached = [...used].filter((target) => target.startsWith("src/lib/"));
    expect(reached.length).toBeGreaterThan(0);
    for (const file of reached) {
      const further = imports.filter((each) => each.file === file).map(({ target }) => target);
      reached.push(...further.filter((target) => !reached.includes(target)));
    }
    expect(reached.filter((target) => !target.startsWith("src/lib/"))).toEqual([]);
  });

  it("has no circle of imports, type-only ones included", () => {
    expect(circleOf(imports.map(({ file, target }) => [file, target]))).toBeNull();
  });

  it("has no circle of features", () => {
    const edges = imports.flatMap(({ file, target }) => {
      const [from, to] = [featureOf(file), featureOf(target)];
      return from && to ? [[from, to] as const] : [];
    });
    expect(circleOf(edges)).toBeNull();
  });

  it("reads a table only in the feature that owns it", () => {
    expect(imports.some(({ target }) => target.startsWith("src/db/schema/"))).toBe(true);
    expect(foreignTables(imports)).toEqual([]);
  });

  it("encrypts only what a rotation of ENCRYPTION_KEY finds again", () => {
    const importersOf = (path: string) => imports.filter(({ target }) => target === path).map(({ file }) => file);
    expect(importersOf("src/lib/encryption.ts")).toEqual(["src/db/sealed.ts"]);
    const rotated = imports.flatMap(({ file, target }) =>
      file === "src/features/maintenance/rotation.ts" && /: SealedStore = \{/.test(texts.get(target) ?? "")
        ? [target]
        : [],
    );
    const sealing = [...texts].filter(([file, text]) => file !== "src/db/sealed.ts" && /\bsealValue\(/.test(text));
    expect(sealing.length).toBeGreaterThan(0);
    expect(sealing.map(([file]) => file).sort()).toEqual(rotated.sort());
  });

  it("changes no signal of the console by reading it, which would draw whatever is being drawn without end", () => {
    const found = [...texts].flatMap(([file, text]) =>
      file.startsWith("src/console/") ? (text.match(CHANGED_BY_READING) ?? []).map((line) => `${file}: ${line}`) : [],
    );
    expect(found).toEqual([]);
    expect("count.value += 1").toMatch(CHANGED_BY_READING);
    expect("all.value = [...all.value, one]").toMatch(CHANGED_BY_READING);
  });

  it("exports only what another file imports", () => {
    const all = new Map([...texts, ...["test", "scripts"].flatMap(sourceFiles).map(read)]);
    const edges = [...all].flatMap(([file, text]) => importsOf(file, text));
    const isChecked = (found: string) =>
      found.startsWith("src/") && !ENTRY_POINTS.some((path) => found.startsWith(path));
    expect(unusedExports(all, edges).filter(isChecked)).toEqual([]);
  });
});

describe("these checks", () => {
  it("see every way to import", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type { B } from "../tasks/b.ts";',
      'import {\n  c,\n  d,\n} from "../../db/schema/emails.ts";',
      'import "./side-effect.ts";',
      'export * from "./e.ts";',
      'const f = await import("../ai/f.ts");',
      'import { hono } from "hono";',
      '// import { no } from "./comment.ts";',
    ].join("\n");
    expect(importsOf("src/features/emails/service.ts", text).map(({ target }) => target)).toEqual([
      "src/features/emails/a.ts",
      "src/features/tasks/b.ts",
      "src/db/schema/emails.ts",
      "src/features/emails/side-effect.ts",
      "src/features/emails/e.ts",
      "src/features/ai/f.ts",
      "hono",
    ]);
  });

  it.each([
    ["src/lib/a.ts", "src/db/client.ts"],
    ["src/lib/a.ts", "hono"],
    ["src/lib/a.ts", "drizzle-orm"],
    ["src/engine/dates/a.ts", "src/db/client.ts"],
    ["src/engine/dates/a.ts", "src/features/chat/language/a.ts"],
    ["src/features/chat/language/a.ts", "src/features/tools/turn.ts"],
    ["src/db/a.ts", "src/features/tasks/service.ts"],
    ["src/db/a.ts", "src/http/route.ts"],
    ["src/providers/mail.ts", "src/http/problem.ts"],
    ["src/http/a.ts", "src/features/tasks/service.ts"],
    ["src/http/a.ts", "src/providers/mail.ts"],
    ["src/features/tasks/service.ts", "src/http/route.ts"],
    ["src/features/tasks/service.ts", "hono/http-exception"],
    ["src/features/tasks/service.ts", "src/features/emails/routes.ts"],
    ["src/features/tasks/service.ts", "src/app.ts"],
    ["src/features/tasks/routes.ts", "src/features/emails/routes.ts"],
    ["src/features/tasks/routes.ts", "src/db/client.ts"],
    ["src/features/tasks/routes.ts", "drizzle-orm"],
    ["src/features/tasks/schemas.ts", "src/features/tasks/service.ts"],
    ["src/features/tasks/schemas.ts", "zod"],
    ["src/context.ts", "src/features/tasks/service.ts"],
    ["src/index.ts", "scripts/seed.ts"],
    ["src/app.ts", "test/harness.ts"],
    ["src/schedule.ts", "node:fs"],
    ["src/console/main.tsx", "src/db/client.ts"],
    ["src/http/console.ts", "src/console/main.tsx"],
    ["src/console/client/live.ts", "src/console/shell/app.tsx"],
    ["src/console/lib/rows.ts", "src/console/client/session.ts"],
    ["src/console/ui/dialog.tsx", "src/console/shell/asked.tsx"],
    ["src/console/shell/keys.ts", "src/console/screens/mail/mail.tsx"],
    ["src/console/shell/keys.ts", "src/console/screens.ts"],
  ])("refuse %s → %s", (file, target) => {
    expect(wrongWay({ file, target })).not.toBeNull();
  });

  it.each([
    ["src/engine/dates/a.ts", "src/lib/text.ts"],
    ["src/features/chat/language/a.ts", "src/engine/dates/b.ts"],
    ["src/features/chat/builtin/a.ts", "src/features/chat/language/b.ts"],
    ["src/db/schema/a.ts", "drizzle-orm/sqlite-core"],
    ["src/http/a.ts", "hono"],
    ["src/features/tasks/service.ts", "src/features/emails/service.ts"],
    ["src/features/tasks/service.ts", "src/providers/mail.ts"],
    ["src/features/tasks/routes.ts", "src/features/tasks/service.ts"],
    ["src/features/tasks/schemas.ts", "src/http/schemas.ts"],
    ["src/console/screens/mail/mail.tsx", "src/console/shell/screen.ts"],
    ["src/console/screens.ts", "src/console/screens/mail/mail.tsx"],
  ])("let %s → %s through", (file, target) => {
    expect(wrongWay({ file, target })).toBeNull();
  });

  it("catch a feature that reads another's table, and let it read its own and the shared ones", () => {
    const from = (file: string, ...targets: string[]) => targets.map((target) => ({ file, target }));
    expect(foreignTables(from("src/features/auth/a.ts", "src/db/schema/auth.ts", "src/db/schema/users.ts"))).toEqual(
      [],
    );
    expect(foreignTables(from("src/features/tasks/a.ts", "src/db/schema/emails.ts"))).toEqual([
      "src/features/tasks/a.ts → src/db/schema/emails.ts",
    ]);
  });

  it("catch an export that nobody imports, and see every way to export", () => {
    const library = [
      "export const used = 1;",
      "export async function unused() {}",
      "export interface Shape {}",
      'export { other as renamed, type Kind } from "./b.ts";',
    ].join("\n");
    const reader = 'import { used } from "./a.ts";\nimport type { Kind } from "./a.ts";';
    const all = new Map([["src/a.ts", library], ["src/c.ts", reader]]); // biome-ignore format: reads as a list
    expect(unusedExports(all, importsOf("src/c.ts", reader))).toEqual([
      "src/a.ts: unused",
      "src/a.ts: Shape",
      "src/a.ts: renamed",
    ]);
  });

  it("catch a circle of any length, and let two roads lead to one place", () => {
    const roads = [["a", "b"], ["a", "c"], ["b", "c"]] as const; // biome-ignore format: reads as a list
    expect(circleOf(roads)).toBeNull();
    expect(circleOf([...roads, ["c", "a"]])).toEqual(["a", "b", "c", "a"]);
  });
});

describe("the browser tests", () => {
  it("wait for a field, an attribute and the focus: what the page draws comes after what it was told", () => {
    const READ_AT_ONCE =
      /expect\(await [^;]*?(?:\.inputValue\(\)|\.getAttribute\("[^"]*"\)|\.isChecked\(\)|activeElement[^;]*?"\))\)\.to/g;
    const found = sourceFiles("test/browser").flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(READ_AT_ONCE)].map(([line]) => `${file}: ${line}`),
    );
    expect(found).toEqual([]);
  });
});
