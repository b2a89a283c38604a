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
import { fromBytes } from "../../src/lib/encoding.ts";
import type { ZipEntry } from "../../src/lib/zip/format.ts";
import { type ArchiveSource, readEnd, readEntry, readRecords } from "../../src/lib/zip/read.ts";
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
