import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./repository.ts";

/** A file and what it imports. The first list must be refused by the linter, the second let through. */
type Probe = readonly [file: string, imports: string];

const REFUSED: readonly Probe[] = [
  ["src/lib/a.ts", "../db/client.ts"],
  ["src/lib/b.ts", "../config.ts"],
  ["src/lib/c.ts", "hono"],
  ["src/lib/d.ts", "drizzle-orm"],
  ["src/lib/engine/e.ts", "../../db/client.ts"],
  ["src/lib/engine/mail/f.ts", "../../../db/client.ts"],
  ["src/db/a.ts", "../features/tasks/service.ts"],
  ["src/db/schema/b.ts", "../../features/tasks/service.ts"],
  ["src/db/c.ts", "../http/route.ts"],
  ["src/db/d.ts", "hono"],
  ["src/db/e.ts", "../app.ts"],
  ["src/providers/llm/a.ts", "../../features/ai/service.ts"],
  ["src/providers/mail.ts", "../http/problem.ts"],
  ["src/http/a.ts", "../features/tasks/service.ts"],
  ["src/http/b.ts", "../providers/mail.ts"],
  ["src/http/c.ts", "../app.ts"],
  ["src/features/tasks/service.ts", "../../http/route.ts"],
  ["src/features/tasks/a.ts", "hono"],
  ["src/features/tasks/b.ts", "hono/http-exception"],
  ["src/features/tasks/c.ts", "@hono/zod-openapi"],
  ["src/features/tasks/d.ts", "./routes.ts"],
  ["src/features/tasks/e.ts", "../emails/routes.ts"],
  ["src/features/tasks/f.ts", "../../app.ts"],
  ["src/features/tasks/g.ts", "../../schedule.ts"],
  ["src/features/settings/profile/service.ts", "../../../http/route.ts"],
  ["src/features/tasks/routes.ts", "../emails/routes.ts"],
  ["src/features/emails/routes.ts", "../../db/client.ts"],
  ["src/features/ai/routes.ts", "../../providers/llm/client.ts"],
  ["src/features/calendar/routes.ts", "drizzle-orm"],
  ["src/features/stream/routes.ts", "../../app.ts"],
  ["src/features/tasks/schemas.ts", "./service.ts"],
  ["src/features/emails/schemas.ts", "../../db/schema/emails.ts"],
  ["src/features/ai/schemas.ts", "zod"],
  ["src/context.ts", "./features/tasks/service.ts"],
  ["src/config.ts", "./http/route.ts"],
  ["src/log.ts", "./providers/mail.ts"],
  ["src/lib/area.ts", "../areas/load.ts"],
  ["src/db/area.ts", "../areas/mail.ts"],
  ["src/providers/llm/area.ts", "../../areas/ai.ts"],
  ["src/http/area.ts", "../areas/serve.ts"],
  ["src/features/tasks/area.ts", "../../areas/mail.ts"],
  ["src/features/settings/security/area.ts", "../../../areas/settings.ts"],
  ["src/features/billing/routes.ts", "../../areas/settings.ts"],
  ["src/features/billing/schemas.ts", "../../areas/settings.ts"],

  ["src/index.ts", "../scripts/seed.ts"],
  ["src/app.ts", "../test/harness.ts"],
  ["src/schedule.ts", "node:fs"],
  ["src/lib/gap.ts", "node:fs"],
  ["src/db/gap.ts", "../../test/harness.ts"],
  ["src/http/gap.ts", "../../scripts/seed.ts"],
  ["src/features/tasks/gap.ts", "node:crypto"],
  ["src/features/settings/profile/routes.ts", "../../tasks/routes.ts"],
];

const ALLOWED: readonly Probe[] = [
  ["src/lib/x.ts", "./errors.ts"],
  ["src/lib/y.ts", "@noble/hashes/sha2.js"],
  ["src/lib/engine/mail/z.ts", "../../text.ts"],
  ["src/db/x.ts", "../lib/time.ts"],
  ["src/db/schema/y.ts", "drizzle-orm/sqlite-core"],
  ["src/providers/x.ts", "../lib/errors.ts"],
  ["src/http/x.ts", "hono"],
  ["src/http/y.ts", "../db/schema/idempotency.ts"],
  ["src/features/tasks/x.ts", "../../db/schema/tasks.ts"],
  ["src/features/tasks/y.ts", "../emails/service.ts"],
  ["src/features/tasks/z.ts", "../../providers/mail.ts"],
  ["src/features/tasks/w.ts", "./schemas.ts"],
  ["src/features/health/routes.ts", "./service.ts"],
  ["src/features/workflow/routes.ts", "../tasks/service.ts"],
  ["src/features/webhooks/routes.ts", "../../http/route.ts"],
  ["src/features/settings/routes.ts", "./profile/routes.ts"],
  ["src/features/health/schemas.ts", "../../http/schemas.ts"],
  ["src/features/workflow/schemas.ts", "@hono/zod-openapi"],
];

/** The ways one module can name another; each is as good as the first. */
const FORMS: readonly ((from: string) => string)[] = [
  (from) => `import { a } from "${from}";\nexport const b = a;\n`,
  (from) => `import type { A } from "${from}";\nexport type B = A;\n`,
  (from) => `import "${from}";\n`,
  (from) => `export * from "${from}";\n`,
  (from) => `export const load = () => import("${from}");\n`,
];

const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");

interface Report {
  diagnostics: { category: string; location: { path: string } }[];
}

/** Runs the linter with our configuration over the probes; returns `<form> <file>` of each import it refused. */
function lint(folder: string, probes: readonly Probe[]): string[] {
  return FORMS.flatMap((form, index) => {
    // Each form in a tree of its own, since the rules go by the path from the root.
    const tree = join(folder, String(index));
    for (const [file, imports] of probes) {
      mkdirSync(join(tree, dirname(file)), { recursive: true });
      writeFileSync(join(tree, file), form(imports));
    }
    copyFileSync(join(root, "biome.json"), join(tree, "biome.json"));
    const args = [biome, "lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "src"];
    const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
    const { diagnostics }: Report = JSON.parse(stdout);
    return diagnostics
      .filter(({ category }) => category === "lint/style/noRestrictedImports")
      .map(({ location }) => `${index} ${location.path}`);
  });
}

describe("the linter", () => {
  let folder: string;
  let refused: string[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "layers-"));
    refused = lint(folder, [...REFUSED, ...ALLOWED]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const refusedForms = (file: string) => refused.filter((entry) => entry.endsWith(` ${file}`));
  const everyForm = (file: string) => FORMS.map((_, index) => `${index} ${file}`);

  it.each(REFUSED)("refuses that %s imports %s, however it is written", (file) => {
    expect(refusedForms(file)).toEqual(everyForm(file));
  });

  it.each(ALLOWED)("lets %s import %s", (file) => {
    expect(refusedForms(file)).toEqual([]);
  });
});
