import { expect } from "vitest";
import { service } from "../../harness.ts";
import { deliver } from "../deliver.ts";
import type { Sample } from "./build.ts";

const api = service();

/** A response whole, as bytes. */
async function bytesAt(path: string): Promise<Uint8Array> {
  const { status, bytes } = await api.get(path);
  expect(status, path).toBe(200);
  return bytes;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16)).join(" ");
}

export function expectBody(body: string, says: readonly string[]): void {
  for (const words of says) expect(body).toContain(words);
  if (says.length > 0) expect(body.trim()).not.toBe("");
}

let inbox = 0;

/** Delivers a message and reads it back: its text, its source and its files. */
export async function expectRoundTrip({ raw, says, files = [], has = {} }: Sample): Promise<void> {
  const tag = `corpus-${++inbox}`;
  expect(await deliver(raw, { to: `${tag}@example.com` })).toBeNull();
  const { body: list } = await api.get(`/api/emails?tag=${tag}`);
  expect(list.data).toHaveLength(1);
  const { id } = list.data[0];
  const { body: email } = await api.get(`/api/emails/${id}`);
  expectBody(email.body, says);
  expect(email).toMatchObject(has);
  expect(email.rawSize).toBe(raw.length);
  expect((await sha256(await bytesAt(`/api/emails/${id}/raw`))) === (await sha256(raw))).toBe(true);
  const { body: attachments } = await api.get(`/api/emails/${id}/attachments`);
  expect(attachments.data.map(({ name }: { name: string }) => name)).toEqual(files.map(({ name }) => name));
  // Of a thousand, some stand for all.
  const some = files.map((file, index) => ({ ...file, n: index + 1 })).filter(({ n }) => n <= 4 || n % 331 === 0);
  for (const { name, bytes, n } of some) {
    expect(attachments.data[n - 1].size, name).toBe(bytes.length);
    expect(await sha256(await bytesAt(`/api/emails/${id}/attachments/${n}`)), name).toBe(await sha256(bytes));
  }
}
