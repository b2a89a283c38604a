import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { withSourceLines } from "../../scripts/source-lines.mjs";
import { until } from "../until.ts";
import { root } from "./repository.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

let worker: RunningWorker;
const lines: string[] = [];
beforeAll(async () => {
  worker = await startWorker({}, (line) => lines.push(line));
});
afterAll(() => worker?.stop());

it("an exception in a verb of the upload leads to the file and line of src", async () => {
  // There are no tables, so the verb's query fails.
  const response = await fetch(new URL("/api/emails/boxes", worker.url));
  expect(response.status).toBe(500);
  const failure = await until(() => {
    const line = lines.find((each) => each.includes('"request_failed"')) ?? "{}";
    expect(line).toContain("stack");
    return JSON.parse(line) as { stack: string };
  });
  expect(failure.stack).toMatch(/index\.js:\d+:\d+/);
  expect(failure.stack).not.toContain("src/");
  const upload = inject("upload");
  const trace = withSourceLines(failure.stack, readFileSync(`${upload}.map`, "utf8"), dirname(upload));
  const textAt = (file: string) => {
    const line = new RegExp(`\\b${file}:(\\d+):`).exec(trace)?.[1];
    return readFileSync(join(root, file), "utf8").split("\n")[Number(line) - 1];
  };
  expect(textAt("src/features/emails/boxes.ts"), trace).toContain("await ctx.db.batch(");
  expect(textAt("src/http/router.ts"), trace).toContain("await ");
});
