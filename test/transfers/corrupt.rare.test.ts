import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { toBytes } from "../../src/lib/encoding.ts";
import { beginClean } from "../clean-slate.ts";
import { expectProblem, service } from "../harness.ts";
import {
  type Content,
  type Entry,
  entriesOf,
  exportArchive,
  importArchive,
  newOwner,
  repack,
  seed,
  signIn,
  textOf,
  upload,
} from "./archives.ts";

const client = service();
let archive = new Uint8Array();
let token: string;

beforeEach(async () => {
  // Made once. Not before all tests: the queue delivers only within one.
  if (archive.length === 0) {
    await seed();
    archive = await exportArchive(await signIn(client));
  }
  await beginClean();
  token = await newOwner(client);
});

const bytes = (text: string): Content => new Uint8Array(toBytes(text));

/** The same archive with other entries. */
const repacked = (change: (entries: Entry[]) => Entry[]) => repack(archive, change);

/** With one line of a file replaced. */
async function withLine(name: string, index: number, edit: (line: string) => string): Promise<Content> {
  const lines = (await textOf(archive, name)).split("\n");
  lines[index] = edit(lines[index] ?? "");
  return repacked((entries) =>
    entries.map(([each, content]) => [each, each === name ? bytes(lines.join("\n")) : content]),
  );
}

const TASKS = "data/tasks/00001.ndjson";

async function expectNothingImported(): Promise<void> {
  const { results } = await env.DB.prepare(
    "SELECT (SELECT count(*) FROM emails) + (SELECT count(*) FROM tasks) + (SELECT count(*) FROM events) AS n",
  ).all();
  expect(results).toEqual([{ n: 0 }]);
}

describe("an archive that is not as it was exported", () => {
  it("is as it was exported when it is only packed again by the same program", async () => {
    const job = await importArchive(client, token, await repacked((entries) => entries));
    expect(job).toMatchObject({ state: "succeeded" });
  });

  it.each<[string, () => Promise<Content> | Content, RegExp]>([
    ["is cut off", () => archive.slice(0, archive.length - 30), /cut off/],
    ["is no archive", () => bytes("hello ".repeat(100)), /not a ZIP/],
    ["is empty", () => bytes("x"), /too short/],
    ["has no manifest", () => repacked((entries) => entries.slice(0, -1)), /no manifest\.json/],
    [
      "is of a newer version",
      () =>
        repacked((entries) =>
          entries.map(([name, content]) => [
            name,
            name === "manifest.json"
              ? bytes(new TextDecoder().decode(content).replace('"version": 1', '"version": 2'))
              : content,
          ]),
        ),
      /newer version/,
    ],
  ])("that %s is refused at once", async (_, make, message) => {
    const answer = await upload(client, token, await make());
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.detail).toMatch(message);
    expect(answer.body.detail).not.toMatch(/\.\.$/);
    await expectNothingImported();
  });

  it.each<[string, () => Promise<Content>, RegExp]>([
    [
      "has a line that is not JSON",
      () => withLine(TASKS, 2, () => "{"),
      /^data\/tasks\/00001\.ndjson, line 3, is not JSON\.$/,
    ],
    [
      "has a value of another kind",
      () => withLine(TASKS, 0, (line) => line.replace(/"status":"\w+"/, '"status":"lost"')),
      /line 1, needs one of todo, .* for status/,
    ],
    [
      "has no value where one is needed",
      () => withLine(TASKS, 0, (line) => line.replace(/"title":"(?:[^"\\]|\\.)*"/, '"title":null')),
      /line 1, needs a value for title/,
    ],
    ["has an unknown member", () => withLine(TASKS, 1, (line) => line.replace("{", '{"x":1,')), /line 2, .*"x"/],
    ["was edited", () => withLine(TASKS, 0, (line) => line.replace(/"title":"/, '"title":"! ')), /tasks has changed/],
    [
      "lacks records",
      () => repacked((entries) => entries.filter(([name]) => name !== TASKS)),
      /tasks has 0 records instead of/,
    ],
    [
      "has its files in another order",
      () =>
        repacked((entries) => [
          ...entries.filter(([name]) => name === TASKS),
          ...entries.filter(([name]) => name !== TASKS),
          ...entries.slice(-1),
        ]),
      /there twice|out of order|instead of|changed|overlaps|not complete/,
    ],
    [
      "leads out of its folder",
      () => repacked((entries) => [["../../etc/passwd", bytes("x")], ...entries]),
      /passwd is not part of an archive/,
    ],
    [
      "has an absolute path",
      () => repacked((entries) => [["/data/tasks/00001.ndjson", bytes("x")], ...entries]),
      /is not part of an archive/,
    ],
    [
      "has files that belong to nothing",
      () => repacked((entries) => [["data/emails/00001/x.eml", bytes("x")], ...entries]),
      /out of order|no record/,
    ],
    [
      "is of a kind that is not known",
      () => repacked((entries) => [["data/secrets/00001.ndjson", bytes("{}\n")], ...entries]),
      /does not know/,
    ],
    [
      "is a bomb",
      () =>
        repacked((entries) =>
          entries.map(([name, content]) => [name, name === TASKS ? new Uint8Array(40_000_000) : content]),
        ),
      /too large/,
    ],
  ])("that %s fails with a clear error, and nothing is imported", async (_, make, message) => {
    const job = await importArchive(client, token, await make());
    expect(job).toMatchObject({ state: "failed", error: expect.stringMatching(message) });
    expect(job.finishedAt).not.toBeNull();
    await expectNothingImported();
  });

  it("with a wrong checksum fails, and nothing is imported", async () => {
    const damaged = archive.slice();
    const entry = (await entriesOf(archive)).find(({ name }) => name === TASKS);
    const at = (entry?.offset ?? 0) + 30 + TASKS.length + 20;
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    const job = await importArchive(client, token, damaged);
    expect(job).toMatchObject({ state: "failed", error: `${TASKS} is damaged. Upload the archive again.` });
    await expectNothingImported();
  });

  it("with a damaged email fails at once and names it, and nothing is imported", async () => {
    const damaged = archive.slice();
    const entry = (await entriesOf(archive)).find(({ name }) => name.endsWith(".eml"));
    if (!entry) throw new Error("no email");
    const at = entry.offset + 30 + entry.name.length + Math.floor(entry.packed / 2);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    const job = await importArchive(client, token, damaged);
    expect(job).toMatchObject({ state: "failed", error: `${entry.name} is damaged. Upload the archive again.` });
    await expectNothingImported();
  });
});
