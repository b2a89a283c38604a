import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root, sourceFiles } from "./repository.ts";

/*
 * What the linter cannot say, because it sees one file at a time: whose tables a feature reads, and
 * whether features call each other in a circle.
 */

/** Tables that belong to no feature but to the service itself; any feature may use them. */
const SHARED_TABLES = ["idempotency"];

interface Import {
  file: string;
  /** The imported file, from the root of the repository. */
  target: string;
}

function importsOf(file: string, text: string): Import[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)"/g);
  return [...specifiers].map(([, path = ""]) => ({ file, target: posix.join(posix.dirname(file), path) }));
}

function featureOf(path: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1];
}

/** Imports of a table file that is not the feature's own: features/tasks owns db/schema/tasks.ts and tasks-*.ts. */
function foreignTables(imports: readonly Import[]): string[] {
  return imports
    .filter(({ file, target }) => {
      const table = /^src\/db\/schema\/([\w-]+)/.exec(target)?.[1];
      const feature = featureOf(file);
      const isOwn = table === feature || table?.startsWith(`${feature}-`);
      return table !== undefined && !isOwn && !SHARED_TABLES.includes(table);
    })
    .map(({ file, target }) => `${file} → ${target}`);
}

/** The first circle of features that call each other, or null. */
function circleOf(imports: readonly Import[]): string[] | null {
  const calls = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [featureOf(file), featureOf(target)];
    if (from && to && from !== to) calls.set(from, (calls.get(from) ?? new Set()).add(to));
  }
  const done = new Set<string>();
  const visit = (feature: string, path: string[]): string[] | null => {
    if (path.includes(feature)) return [...path.slice(path.indexOf(feature)), feature];
    if (done.has(feature)) return null;
    for (const next of calls.get(feature) ?? []) {
      const circle = visit(next, [...path, feature]);
      if (circle) return circle;
    }
    done.add(feature);
    return null;
  };
  for (const feature of calls.keys()) {
    const circle = visit(feature, []);
    if (circle) return circle;
  }
  return null;
}

const files = sourceFiles("src/features");
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")));

describe("the features", () => {
  it("read only their own tables", () => {
    expect(imports.some(({ target }) => target.startsWith("src/db/schema/"))).toBe(true);
    expect(foreignTables(imports)).toEqual([]);
  });

  it("do not call each other in a circle", () => {
    expect(circleOf(imports)).toBeNull();
  });
});

describe("these checks", () => {
  const from = (file: string, ...targets: string[]) => targets.map((target) => ({ file, target }));

  it("see every way to import", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type { B } from "../tasks/b.ts";',
      'import {\n  c,\n  d,\n} from "../../db/schema/emails.ts";',
      'import "./side-effect.ts";',
      'export * from "./e.ts";',
      'const f = await import("../ai/f.ts");',
      'import { hono } from "hono";',
    ].join("\n");
    expect(importsOf("src/features/emails/service.ts", text).map(({ target }) => target)).toEqual([
      "src/features/emails/a.ts",
      "src/features/tasks/b.ts",
      "src/db/schema/emails.ts",
      "src/features/emails/side-effect.ts",
      "src/features/emails/e.ts",
      "src/features/ai/f.ts",
    ]);
  });

  it("catch a feature that reads another's table, and let it read its own and the shared ones", () => {
    const service = "src/features/tasks/service.ts";
    const own = from(service, "src/db/schema/tasks.ts", "src/db/schema/idempotency.ts", "src/db/client.ts");
    expect(foreignTables(own)).toEqual([]);
    expect(foreignTables(from(service, "src/db/schema/emails.ts"))).toEqual([
      "src/features/tasks/service.ts → src/db/schema/emails.ts",
    ]);
  });

  it("catch a circle of any length, and let two roads lead to one feature", () => {
    const tasks = from("src/features/tasks/a.ts", "src/features/emails/a.ts", "src/features/ai/a.ts");
    const emails = from("src/features/emails/a.ts", "src/features/ai/a.ts");
    expect(circleOf([...tasks, ...emails])).toBeNull();
    const back = from("src/features/ai/b.ts", "src/features/tasks/b.ts");
    expect(circleOf([...tasks, ...emails, ...back])).toEqual(["tasks", "emails", "ai", "tasks"]);
  });
});
