import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { deliver } from "./deliver.ts";
import { fakeMail } from "./fake-mail.ts";
import { storeMail } from "./new-mail.ts";

function desk() {
  const { sent, EMAIL } = fakeMail();
  const api = service({ EMAIL, MAIL_FROM: "assistant@ours.example" });
  const upload = async (bytes: Uint8Array | string, query: string) =>
    (
      await api.call("POST", `/api/emails/attachments?${query}`, {
        raw: bytes as BodyInit,
        headers: { "content-type": "application/octet-stream" },
      })
    ).body.id as string;
  const rawOf = async (id: number) => {
    const answer = await api.get(`/api/emails/${id}/raw`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-length")).toBe(String(answer.bytes.length));
    return answer;
  };
  return { sent, api, upload, rawOf };
}

const LONG_NAME = `${"Übersicht für März und April ".repeat(6)}(final) 'v2'; "x".pdf`;
/** More than one chunk of a stream, and no multiple of a line. */
const BYTES = Uint8Array.from({ length: 200_003 }, (_, index) => (index * 31) % 256);

describe("the raw message of a sent email", () => {
  it("reads back as what was sent: people, subject, texts, threading, files and pictures", async () => {
    const { sent, api, upload, rawOf } = desk();
    const original = await storeMail(api, "raw-thread", { messageId: "<raw-root@x>", references: ["<raw-0@x>"] });
    const files = [
      await upload(BYTES, `name=${encodeURIComponent(LONG_NAME)}`),
      await upload("pixels", "name=logo.png&contentId=logo@x"),
      await upload("From: a@b.c\r\n\r\nNested", "name=mail.eml&type=message/rfc822"),
    ];
    const { status, body } = await api.post(`/api/emails/${original.id}/reply`, {
      to: ["Jürgen „Jo“ Groß <juergen@münchen.example>", "plain@example.com"],
      cc: Array.from({ length: 40 }, (_, n) => `Person Number ${n} <person-${n}@example.com>`),
      bcc: "secret@example.com",
      subject: `Grüße 👋 ${"und noch mehr Text ".repeat(8)}`,
      body: "Hallo,\n\nschöne Grüße 👋",
      html: '<p>Hallo <img src="cid:logo@x"></p>',
      attachmentIds: files,
      quote: false,
    });
    expect(status).toBe(201);
    const { bytes, text, headers } = await rawOf(body.id);
    expect(headers.get("content-type")).toBe("message/rfc822");
    expect(text).not.toContain("secret@example.com");
    expect(text.split("\r\n").every((line) => line.length <= 998)).toBe(true);
    const mail = await PostalMime.parse(bytes);
    expect(mail).toMatchObject({
      from: { name: "Personal Operations Assistant", address: "assistant@ours.example" },
      subject: body.subject,
      messageId: body.messageId,
      inReplyTo: "<raw-root@x>",
      references: "<raw-0@x> <raw-root@x>",
      date: body.receivedAt.replace(/\.\d+Z$/, ".000Z"),
    });
    expect(mail.to?.[0]).toMatchObject({ name: "Jürgen „Jo“ Groß", address: "juergen@xn--mnchen-3ya.example" });
    expect(mail.cc).toHaveLength(40);
    expect(mail.text?.trimEnd()).toBe("Hallo,\r\n\r\nschöne Grüße 👋");
    expect(mail.html?.trimEnd()).toBe('<p>Hallo <img src="cid:logo@x"></p>');
    expect(mail.headers.find(({ key }) => key === "x-raw-message")?.value).toContain("not the bytes that were sent");
    const found = mail.attachments.map(({ filename, content, contentId, disposition }) => ({
      ...{ filename, contentId, disposition },
      bytes: new Uint8Array(content as ArrayBuffer),
    }));
    expect(found).toEqual([
      {
        filename: "logo.png",
        contentId: "<logo@x>",
        disposition: "inline",
        bytes: new TextEncoder().encode("pixels"),
      },
      { filename: LONG_NAME.replaceAll(/\s+/g, " "), disposition: "attachment", bytes: BYTES },
      expect.objectContaining({ filename: "mail.eml" }),
    ]);
    expect(sent[0]?.bcc).toHaveLength(1);
  });

  it("is the same each time, and can be read in parts", async () => {
    const { api, upload, rawOf } = desk();
    const attachmentIds = [await upload(BYTES, "name=a.bin")];
    const { body } = await api.post("/api/emails/send", { to: "a@example.com", subject: "Parts", attachmentIds });
    const first = await rawOf(body.id);
    const again = await rawOf(body.id);
    expect(again.bytes).toEqual(first.bytes);
    const range = { headers: { range: "bytes=100000-150000", "if-range": first.headers.get("etag") ?? "" } };
    const part = await api.get(`/api/emails/${body.id}/raw`, range);
    expect([part.status, part.bytes]).toEqual([206, first.bytes.slice(100_000, 150_001)]);
    const known = { headers: { "if-none-match": first.headers.get("etag") ?? "" } };
    expect((await api.get(`/api/emails/${body.id}/raw`, known)).status).toBe(304);
    const head = await api.call("HEAD", `/api/emails/${body.id}/raw`);
    expect(head.headers.get("content-length")).toBe(String(first.bytes.length));
  });

  it("arrives here as the same email", async () => {
    const { api, upload, rawOf } = desk();
    const attachmentIds = [await upload(BYTES, "name=Pl%C3%A4ne.bin")];
    const { body } = await api.post("/api/emails/send", {
      to: "a@example.com",
      subject: "Round trip äöü",
      html: "<p>Grüße</p>",
      attachmentIds,
    });
    const { bytes } = await rawOf(body.id);
    await api.delete(`/api/emails/${body.id}`);
    expect(await deliver(bytes)).toBeNull();
    const [arrived] = (await api.get("/api/emails?q=%22Round+trip%22")).body.data;
    expect(arrived).toMatchObject({ messageId: body.messageId, subject: body.subject, from: body.from, to: body.to });
    expect((await api.get(`/api/emails/${arrived.id}`)).body.html.trim()).toBe(body.html);
    expect(arrived.attachments).toMatchObject([{ name: "Pläne.bin", size: BYTES.length }]);
    expect((await api.get(`/api/emails/${arrived.id}/attachments/1`)).bytes).toEqual(BYTES);
  });
});

describe("the raw message of an email that came by the API", () => {
  it("is composed from what is stored, without files of which only the names are known", async () => {
    const { api, rawOf } = desk();
    const email = await storeMail(api, "raw-api", {
      body: "Ein langer Text. ".repeat(500),
      receivedAt: "2026-03-01T08:00:00Z",
      attachments: [{ name: "gone.pdf", type: "application/pdf", size: 5 }],
    });
    const mail = await PostalMime.parse((await rawOf(email.id)).bytes);
    expect(mail).toMatchObject({
      from: { name: "Ann Lee", address: "ann@example.com" },
      to: [{ address: "hello@example.com" }],
      subject: "About raw-api",
      date: "2026-03-01T08:00:00.000Z",
      attachments: [],
    });
    expect(mail.text?.trim()).toBe(email.body.trim());
    expect(email.rawSize).toBeNull();
  });
});
