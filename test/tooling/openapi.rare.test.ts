import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv from "ajv-draft-04";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./repository.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

let worker: RunningWorker;
let text: string;

beforeAll(async () => {
  worker = await startWorker();
  text = await (await fetch(new URL("/api-docs", worker.url))).text();
});
afterAll(() => worker?.stop());

/** A document with a mistake in it, to see that a validator looks. */
const BROKEN = JSON.stringify({
  openapi: "3.0.3",
  info: { title: "Broken", version: "1" },
  paths: { "/a": { get: { operationId: "a", answers: { 200: { description: "Well" } } } } },
});

/** The ids of events and emails are numbers, so no request fits both paths. */
const ALLOWED = [
  /^no-ambiguous-paths: .*`\/api\/calendar\/events\/by-bookingsvc\/\{bookingId\}` and `\/api\/calendar\/events\/\{id\}\/(?:respond|restore)`/,
  /^no-ambiguous-paths: .*`\/api\/emails\/(?:rules|drafts|import|searches|snippets|attachments)\/\{id\}` and `\/api\/emails\/\{id\}\/[a-z-]+`/,
  /^no-ambiguous-paths: .*`\/api\/emails\/\{id\}\/[a-z-]+` and `\/api\/emails\/(?:rules|drafts|import|searches|snippets|attachments)\/\{id\}`/,
  /^no-ambiguous-paths: .*`\/api\/tasks\/(?:lists\/\{id\}|\{id\}\/skip)` and `\/api\/tasks\/(?:lists\/\{id\}|\{id\}\/skip)`/,
];

describe("the OpenAPI document", () => {
  it("is valid for @seriousme/openapi-schema-validator, which refuses a broken one", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect((await new Validator().validate(JSON.parse(BROKEN))).valid).toBe(false);
  });

  it("has no problem by the recommended rules of Redocly, which finds one in a broken one", async () => {
    const config = await createConfig({ extends: ["recommended"], rules: { "operation-4xx-response": "off" } });
    const problems = async (source: string) =>
      (await lintFromString({ source, config }))
        .map(({ ruleId, message }) => `${ruleId}: ${message}`)
        .filter((problem) => !ALLOWED.some((allowed) => allowed.test(problem)));
    expect(await problems(text)).toEqual([]);
    expect(await problems(BROKEN)).toContainEqual(expect.stringMatching(/^struct: .*`responses`/));
  });

  // OpenAPI 3.0 is made of JSON Schema draft 4; `nullable` beside `type` is the one addition that matters here.
  it("takes null for every property that it calls nullable", () => {
    const { schemas } = JSON.parse(text).components;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ components: { schemas } }, "api");
    const nullables = nullablesIn(schemas, "/components/schemas");
    expect(nullables.length).toBeGreaterThan(100);
    const refusing = nullables.filter((pointer) => !ajv.getSchema(`api#${pointer}`)?.(null));
    expect(refusing).toEqual([]);
    expect(ajv.getSchema("api#/components/schemas/Task")?.(null)).toBe(false);
  });

  it("has a place in the console for every operation, or a reason why not, as docs/console.md says", () => {
    const { places, reasons } = consoleTable();
    const named = [...places, ...reasons].flatMap(([, operations]) => operations);
    const paths = operationPaths();
    expect([...paths.keys()].filter((id) => !named.includes(id))).toEqual([]);
    expect(named.filter((id, index) => !paths.has(id) || named.indexOf(id) !== index)).toEqual([]);
    // A place is one only if the console calls the operation. A screen that is still to come has no folder yet.
    const source = consoleSource();
    const built = places.filter(([place]) => existsSync(join(root, "src/console", folderOf(place))));
    const uncalled = built.flatMap(([place, operations]) =>
      operations.filter((id) => !isCalled(source, paths.get(id) ?? "")).map((id) => `${place}: ${id}`),
    );
    expect(built.length).toBeGreaterThan(20);
    expect(uncalled).toEqual([]);
    expect(isCalled(source, "/api/nothing/{id}")).toBe(false);
  });

  it("gives types by openapi-typescript that compile and mean something", async () => {
    const generated = astToString(await openapiTS(text));
    expect(mistakesIn({ "schema.ts": generated, "client.ts": CLIENT })).toEqual([]);
  });
});

type Row = readonly [name: string, operations: string[]];

/** The two tables at the end of docs/console.md. */
function consoleTable(): { places: Row[]; reasons: Row[] } {
  const [, section = ""] = readFileSync(join(root, "docs/console.md"), "utf8").split("## Operations and screens");
  const [, places = "", reasons = ""] = section.split(/^\|---\|---\|$/m);
  const rows = (table: string): Row[] =>
    [...table.matchAll(/^\| (.+) \| ((?:`\w+` ?)+)\|$/gm)].map(([, name = "", operations = ""]) => [
      name,
      [...operations.matchAll(/`(\w+)`/g)].map(([, id = ""]) => id),
    ]);
  return { places: rows(places), reasons: rows(reasons) };
}

function operationPaths(): Map<string, string> {
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId?: string }>> };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ operationId }) => (operationId ? [[operationId, path] as const] : [])),
    ),
  );
}

/** The folder that a place names: `Mail (\`mail\`)`. */
function folderOf(place: string): string {
  const name = /`([\w/-]+)`/.exec(place)?.[1] ?? "";
  return name === "client" ? name : `screens/${name}`;
}

/** The code of the console, with all parameters of paths written alike. */
function consoleSource(): string {
  const names = readdirSync(join(root, "src/console"), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, "src/console", name), "utf8"))
    .join("\n")
    .replaceAll(/\$\{[^{}\n]*\}|\{\w+\}/g, "{}");
}

function isCalled(source: string, path: string): boolean {
  const escaped = path.replaceAll(/\{\w+\}/g, "{}").replaceAll(/[.{}]/g, "\\$&");
  return new RegExp(`["'\`]${escaped}(?![\\w/-])`).test(source);
}

/** The JSON pointers of all properties that may be null, directly or by one of their forms. */
function nullablesIn(part: object, pointer: string): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null || name.startsWith("example")) return [];
    const here = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const isNullable = value.nullable === true || value.anyOf?.some((form: { nullable?: boolean }) => form.nullable);
    return [...(isNullable ? [here] : []), ...nullablesIn(value, here)];
  });
}

/** What a user of the generated types writes; the directives fail where a type is looser than it says. */
const CLIENT = `
import type { operations, paths } from "./schema";

type Health = paths["/api/health/details"]["get"]["responses"][200]["content"]["application/json"];
type Problem = operations["register"]["responses"][422]["content"]["application/problem+json"];
type Registration = operations["register"]["requestBody"]["content"]["application/json"];

export const status: Health["status"] = "ok";
export const databaseIsWell = (health: Health): boolean => health.checks.database.ok;
export const codeOf = (problem: Problem): string => problem.code;
export const somebody: Registration = { email: "ada@example.com", password: "correct horse", name: "Ada" };

// @ts-expect-error not one of the states
export const wrongStatus: Health["status"] = "sick";
// @ts-expect-error a member is missing
export const nobody: Registration = { email: "ada@example.com" };
// @ts-expect-error there is no such path
export type Nothing = paths["/api/nothing"];
`;

function mistakesIn(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "openapi-types-"));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022"],
    types: [],
  };
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    const compiler = join(root, "node_modules/typescript-native/bin/tsc");
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
    const lines = `${stdout}${stderr}`.split("\n").filter(Boolean);
    return status === 0 ? lines : [`the compiler ended with ${status}`, ...lines];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
