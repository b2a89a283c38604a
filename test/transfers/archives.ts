import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { type Area, randomOf } from "../../scripts/seed/area.ts";
import { automation } from "../../scripts/seed/automation.ts";
import { calendar } from "../../scripts/seed/calendar.ts";
import { captions } from "../../scripts/seed/captions.ts";
import { chat } from "../../scripts/seed/chat.ts";
import { mail } from "../../scripts/seed/mail.ts";
import { people } from "../../scripts/seed/people.ts";
import { sorting } from "../../scripts/seed/sorting.ts";
import { stream } from "../../scripts/seed/stream.ts";
import { tasks } from "../../scripts/seed/tasks.ts";
import { tokens } from "../../scripts/seed/tokens.ts";
import { writing } from "../../scripts/seed/writing.ts";
import { chainDigest } from "../../src/features/personal-data/archive/format.ts";
import { fromBytes, joinBytes, toBytes } from "../../src/lib/encoding.ts";
import type { ZipEntry } from "../../src/lib/zip/format.ts";
import { type ArchiveSource, readEnd, readEntry, readRecords } from "../../src/lib/zip/read.ts";
import { centralRecord, endRecords, localHeader, packEntry } from "../../src/lib/zip/write.ts";
import { PASSWORD } from "../auth/people.ts";
import { type Client, service } from "../harness.ts";
import { deliverQueue } from "../queued.ts";

export const EXPORTS = "/api/settings/data/exports";
export const IMPORT = "/api/settings/data/import";

const AREAS: Record<string, Area> = {
  people,
  mail,
  sorting,
  writing,
  calendar,
  tasks,
  chat,
  tokens,
  automation,
  stream,
  captions,
};
export const SEED_OWNER = "ada@example.com";

/** What `npm run seed` writes. */
export async function seed(): Promise<void> {
  const now = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const { DB: db, KV: kv, FILES: files, ...vars } = env;
  for (const [name, area] of Object.entries(AREAS)) {
    await area({ db, kv, files, vars: { ...vars }, random: randomOf(name), now });
  }
}

/** What an import changes on purpose is not there: hostile.rare.test.ts is about that. */
export async function seedQuietly(): Promise<void> {
  await seed();
  const statements = [
    "DELETE FROM emails WHERE delivery = 'scheduled'",
    "UPDATE captions SET status = 'pending' WHERE status = 'approved'",
    "UPDATE chat_proposals SET status = 'dismissed', settled_at = created_at WHERE status = 'open'",
    "UPDATE chat_actions SET undo = NULL",
    "UPDATE chat_conversations SET question = NULL, state = NULL",
  ];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

export async function signIn(client: Client, email = SEED_OWNER): Promise<string> {
  const { body } = await client.post("/api/auth/login", { email, password: PASSWORD });
  return body.token;
}

/** The owner of a service that has nothing else yet. */
export async function newOwner(client: Client, email = "new-owner@example.org"): Promise<string> {
  const given = { email, password: PASSWORD, name: "New Owner" };
  const { body, status } = await client.post("/api/auth/register", given);
  expect(status).toBe(201);
  return body.token;
}

/** Exports everything of the person, and returns the archive. */
export async function exportArchive(token: string, client = service()): Promise<Uint8Array<ArrayBuffer>> {
  const { body: job, status } = await client.post(EXPORTS, undefined, { token });
  expect(status).toBe(202);
  await deliverQueue({ vars: varsOf(client) });
  const { body: done } = await client.get(`${EXPORTS}/${job.id}`, { token });
  expect(done).toMatchObject({ state: "succeeded", error: null });
  return download(job.id);
}

/** As bytes: the harness reads texts. */
export async function download(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const row = await env.DB.prepare("SELECT file_key FROM transfers WHERE id = ?")
    .bind(id)
    .first<{ file_key: string }>();
  const object = await env.FILES.get(row?.file_key ?? "");
  return new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer());
}

export function varsOf({ env: { OWNER_EMAIL, ACCESS_MODE } }: Client) {
  return { ...(OWNER_EMAIL && { OWNER_EMAIL }), ...(ACCESS_MODE && { ACCESS_MODE }) };
}

export function upload(client: Client, token: string, archive: Uint8Array<ArrayBuffer>) {
  return client.post(IMPORT, undefined, { token, raw: archive, headers: { "content-type": "application/zip" } });
}

/** Imports an archive to the end, whatever that is. */
export async function importArchive(client: Client, token: string, archive: Uint8Array<ArrayBuffer>) {
  const { body: job, status } = await upload(client, token, archive);
  expect({ status, job }).toMatchObject({ status: 202 });
  await deliverQueue();
  return (await client.get(`${IMPORT}/${job.id}`, { token })).body;
}

export function sourceOf(bytes: Uint8Array<ArrayBuffer>): ArchiveSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.slice(offset, offset + length),
    stream: async (offset, length) => new Blob([bytes.slice(offset, offset + length)]).stream(),
  };
}

export async function entriesOf(bytes: Uint8Array<ArrayBuffer>): Promise<ZipEntry[]> {
  const { offset, size, entries } = await readEnd(sourceOf(bytes));
  const found = readRecords(bytes.slice(offset, offset + size)).entries;
  expect(found).toHaveLength(entries);
  return found;
}

export async function textOf(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
  const entry = (await entriesOf(bytes)).find((each) => each.name === name);
  if (!entry) throw new Error(`${name} is not in the archive`);
  return fromBytes(await readEntry(sourceOf(bytes), entry, 1e9));
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of any kind
type Json = any;

/** The records of an archive by section. */
export async function recordsOf(bytes: Uint8Array<ArrayBuffer>): Promise<Record<string, Json[]>> {
  const records: Record<string, Json[]> = {};
  for (const { name } of await entriesOf(bytes)) {
    const section = /^data\/(\w+)\/\d+\.ndjson$/.exec(name)?.[1];
    if (!section) continue;
    const lines = (await textOf(bytes, name)).trim().split("\n");
    records[section] = [...(records[section] ?? []), ...lines.map((line) => JSON.parse(line))];
  }
  return records;
}

export type Content = Uint8Array<ArrayBuffer>;
export type Entry = [name: string, content: Content];

/** The same archive with other entries. */
export async function repack(
  archive: Content,
  change: (entries: Entry[]) => Entry[] | Promise<Entry[]>,
): Promise<Content> {
  const entries: Entry[] = [];
  for (const entry of await entriesOf(archive)) {
    entries.push([entry.name, await readEntry(sourceOf(archive), entry, 1e9)]);
  }
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of await change(entries)) {
    const { entry, packed } = await packEntry(name, content);
    const header = localHeader(entry, new Date());
    directory.push(centralRecord({ ...entry, offset }, new Date()));
    parts.push(header, packed);
    offset += header.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  return joinBytes([...parts, ...directory, endRecords({ entries: directory.length, offset, size })]);
}

/** One section of an archive alone, and a manifest that agrees. */
export function onlySection(archive: Content, section: string): Promise<Content> {
  return repack(archive, (entries) => {
    const kept = entries.filter(([name]) => name.startsWith(`data/${section}/`));
    const manifest = JSON.parse(fromBytes(entries.at(-1)?.[1] ?? new Uint8Array()));
    const none = { records: 0, files: 0, parts: 0, digest: "" };
    const sections = manifest.sections.map((each: Json) => (each.name === section ? each : { ...each, ...none }));
    return [...kept, ["manifest.json", new Uint8Array(toBytes(JSON.stringify({ ...manifest, sections })))]];
  });
}

/** The same archive with other records in a section, and a manifest that agrees with them: as somebody makes it by hand. */
export function withRecords(
  archive: Content,
  section: string,
  change: (rows: Json[]) => Json[],
  lastId?: number,
): Promise<Content> {
  return repack(archive, async (entries) => {
    const name = `data/${section}/00001.ndjson`;
    const content = entries.find(([each]) => each === name)?.[1];
    if (!content) throw new Error(`${name} is not in the archive`);
    const rows = change(
      fromBytes(content)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    const text = rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("");
    const edited = entries.map(([each, old]): Entry => [each, each === name ? new Uint8Array(toBytes(text)) : old]);
    const last = edited.at(-1);
    const manifest = JSON.parse(fromBytes(last?.[1] ?? new Uint8Array()));
    const summary = manifest.sections.find((each: Json) => each.name === section);
    Object.assign(summary, { records: rows.length, digest: await chainDigest("", text), ...(lastId && { lastId }) });
    return [...edited.slice(0, -1), ["manifest.json", new Uint8Array(toBytes(JSON.stringify(manifest)))]];
  });
}
