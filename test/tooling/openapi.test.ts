import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningWorker, startWorker } from "./worker.ts";

let worker: RunningWorker;
let text: string;

beforeAll(async () => {
  worker = await startWorker();
  text = await (await fetch(new URL("/api-docs", worker.url))).text();
});
afterAll(() => worker?.stop());

/** The same document with a mistake in it, to see that a validator looks. */
const broken = () => text.replaceAll('"responses":', '"answers":');

describe("the OpenAPI document", () => {
  it("is valid for @apidevtools/swagger-parser, which refuses a broken one", async () => {
    await expect(SwaggerParser.validate(JSON.parse(text))).resolves.toMatchObject({ openapi: "3.0.3" });
    await expect(SwaggerParser.validate(JSON.parse(broken()))).rejects.toThrow();
  });

  it("is valid for @seriousme/openapi-schema-validator, which refuses a broken one", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect((await new Validator().validate(JSON.parse(broken()))).valid).toBe(false);
  });

  it("gives types by openapi-typescript that compile and mean something", async () => {
    const generated = astToString(await openapiTS(text));
    expect(mistakesIn({ "schema.ts": generated, "client.ts": CLIENT })).toEqual([]);
  });
});

/** What a user of the generated types writes; the directives fail where a type is looser than it says. */
const CLIENT = `
import type { operations, paths } from "./schema";

type Health = paths["/api/health"]["get"]["responses"][200]["content"]["application/json"];
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
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const program = ts.createProgram(
      Object.keys(files).map((name) => join(folder, name)),
      {
        strict: true,
        noEmit: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ["lib.es2022.d.ts"],
        types: [],
      },
    );
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
