import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { deleteFiles } from "../../src/features/files/service.ts";
import { PASSWORD, signedInPerson } from "../auth/people.ts";
import { beginClean } from "../clean-slate.ts";
import { noise } from "../emails/corpus/build.ts";
import { deliver } from "../emails/deliver.ts";
import { fakeMail } from "../emails/fake-mail.ts";
import { service, systemCtx } from "../harness.ts";
import { exportArchive, importArchive, newOwner } from "./archives.ts";

beforeEach(beginClean);

const MB = 1024 * 1024;
/** R2 gets an archive in parts of this size. */
const PART_BYTES = 8 * MB;

/** Its attachment is as it is, in bytes that no text has. */
function message(name: string, size: number, seed: number): Uint8Array {
  const head = `From: Ann <ann@example.com>\r\nSubject: ${name}\r\nMessage-ID: <${name}@large>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=${name}.bin\r\nContent-Transfer-Encoding: binary\r\n\r\n`;
  const [start, file, end] = [
    new TextEncoder().encode(head),
    noise(size, seed),
    new TextEncoder().encode("\r\n--b--\r\n"),
  ];
  const whole = new Uint8Array(start.length + file.length + end.length);
  whole.set(start);
  whole.set(file, start.length);
  whole.set(end, start.length + file.length);
  return whole;
}

const hashOf = async (bytes: Uint8Array) => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

it("raw messages and attachments are the same bytes after an export in several parts and an import", async () => {
  const owner = await signedInPerson("owner");
  const raws = [message("small", 3000, 1), message("medium", 2 * MB, 2), message("large", 8 * MB, 3)];
  for (const raw of raws) expect(await deliver(raw)).toBeNull();
  const client = service();
  const archive = await exportArchive(owner.token);
  expect(archive.length).toBeGreaterThan(PART_BYTES);

  await beginClean();
  const token = await newOwner(client);
  expect(await importArchive(client, token, archive)).toMatchObject({ state: "succeeded" });
  const { data } = (await client.get("/api/emails?limit=10", { token })).body;
  expect(data).toHaveLength(3);
  for (const { id, subject } of data) {
    const sent = raws[["small", "medium", "large"].indexOf(subject)];
    const raw = await client.get(`/api/emails/${id}/raw`, { token });
    expect([raw.bytes.length, await hashOf(raw.bytes)]).toEqual([sent?.length, await hashOf(sent ?? new Uint8Array())]);
    const file = await client.get(`/api/emails/${id}/attachments/1`, { token });
    const seed = ["small", "medium", "large"].indexOf(subject) + 1;
    expect(await hashOf(file.bytes)).toBe(await hashOf(noise(file.bytes.length, seed)));
  }
});

it("nothing of an email is left in the store when the last account goes", async () => {
  const owner = await signedInPerson("owner");
  const client = service({ EMAIL: fakeMail().EMAIL, MAIL_FROM: "assistant@ours.example" });
  const options = { token: owner.token };
  await deliver(message("mine", 5000, 4));
  await client.post("/api/emails", { from: "a@example.com", subject: "Long", body: "long ".repeat(2000) }, options);
  const [mail] = (await client.get("/api/emails?q=subject:mine", options)).body.data;
  await client.post(`/api/emails/${mail.id}/forward`, { to: "bob@example.com" }, options);
  await client.post("/api/emails/drafts", { forwardOf: mail.id }, options);
  await exportArchive(owner.token, client);
  expect((await env.FILES.list()).objects.length).toBeGreaterThan(4);
  const erased = await client.delete("/api/settings/account", {
    ...options,
    raw: JSON.stringify({ confirm: owner.email, currentPassword: PASSWORD }),
    headers: { "content-type": "application/json" },
  });
  expect(erased.status).toBe(204);
  await deleteFiles(systemCtx());
  expect((await env.FILES.list()).objects.map(({ key }) => key)).toEqual([]);
});
