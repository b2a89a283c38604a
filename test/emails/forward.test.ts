import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { countRows } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { deliver } from "./deliver.ts";
import { fakeMail, refusal } from "./fake-mail.ts";
import { storeMail } from "./new-mail.ts";

const DRAFTS = "/api/emails/drafts";

function desk(answer?: () => unknown) {
  const { sent, EMAIL } = fakeMail(answer);
  return { sent, api: service({ EMAIL, MAIL_FROM: "assistant@ours.example" }) };
}

const PDF = "%PDF-1.4 \u00e4 contract";
const PNG = "\u00ffPNG picture";

/** An email with a PDF, an empty file and a picture in its HTML, as email programs write it. */
async function withFiles(api: ReturnType<typeof desk>["api"], name: string) {
  const base64 = (text: string) => btoa(text).replaceAll(/.{1,20}/g, "$&\r\n");
  const raw = `From: Ann Lee <ann@example.com>
To: hello@example.com
Subject: ${name}
Message-ID: <${name}@files>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=m

--m
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html; charset=utf-8

<p>See <img src="cid:logo%40x"> below.</p>
--r
Content-Type: image/png; name=logo.png
Content-ID: <logo@x>
Content-Disposition: inline; filename=logo.png
Content-Transfer-Encoding: base64

${base64(PNG)}
--r--
--m
Content-Type: application/pdf
Content-Disposition: attachment; filename*=UTF-8''Vertrag%20M%C3%A4rz.pdf
Content-Transfer-Encoding: base64

${base64(PDF)}
--m
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=empty.bin
Content-Transfer-Encoding: base64

--m--
`;
  expect(await deliver(raw)).toBeNull();
  return (await api.get(`/api/emails?q=subject:${name}`)).body.data[0];
}

const contents = (attachments: readonly { content: Uint8Array }[] = []) =>
  attachments.map(({ content }) => new TextDecoder("latin1").decode(content));

describe("a forward", () => {
  it("carries the original below its own text, as a thread of its own", async () => {
    const { sent, api } = desk();
    const mail = await storeMail(api, "forward", {
      messageId: "<fwd-root@x>",
      subject: "Invoice",
      cc: ["carl@example.com"],
      receivedAt: "2026-11-16T09:30:00Z",
    });
    const { body } = await api.post(`/api/emails/${mail.id}/forward`, { to: "bob@example.com", body: "For you" });
    expect(body).toMatchObject({ subject: "Fwd: Invoice", inReplyTo: null, to: [{ email: "bob@example.com" }] });
    expect(body.threadId).not.toBe(mail.threadId);
    expect(sent[0]?.headers).toBeUndefined();
    expect(sent[0]?.text).toBe(
      [
        "For you",
        "",
        "---------- Forwarded message ---------",
        "From: Ann Lee <ann@example.com>",
        "Date: Mon, Nov 16, 2026, 09:30",
        "Subject: Invoice",
        "To: hello@example.com",
        "Cc: carl@example.com",
        "",
        "Hello there.",
      ].join("\n"),
    );
  });

  it("gives the email service no type and no content id that a sender has broken a line in", async () => {
    const { sent, api } = desk();
    const { id } = await withFiles(api, "broken-types");
    const [row] = (await env.DB.prepare("SELECT attachments FROM emails WHERE id = ?").bind(id).all()).results;
    const broken = String(row?.attachments)
      .replace("application/pdf", "application/pdf\\rbcc: x@evil.example")
      .replace("logo@x", "logo@x\\r\\nBcc: x@evil.example");
    await env.DB.prepare("UPDATE emails SET attachments = ? WHERE id = ?").bind(broken, id).run();
    const { status } = await api.post(`/api/emails/${id}/forward`, { to: ["bob@example.com"] });
    expect(status).toBe(201);
    const given = sent[0]?.attachments ?? [];
    expect(given.map(({ type }) => type)).toContain("application/octet-stream");
    const { api: plain } = desk();
    expect((await plain.get(`/api/emails/${id}/attachments/2`)).headers.get("content-type")).toMatch(/^[\w.+/-]+$/);
    for (const { type, contentId = "" } of given) expect(`${type}${contentId}`).not.toMatch(/\p{Cc}/u);
  });

  it("needs a recipient, and an email to forward", async () => {
    const { api } = desk();
    const mail = await storeMail(api, "forward-none");
    expectProblem(await api.post(`/api/emails/${mail.id}/forward`, { body: "x" }), 422, "validation_failed");
    expectProblem(await api.post("/api/emails/999999/forward", { to: "bob@example.com" }), 404, "not_found");
  });

  it("carries the attachments and the pictures of the original, and has copies of its own", async () => {
    const { sent, api } = desk();
    const mail = await withFiles(api, "forward-files");
    const { status, body } = await api.post(`/api/emails/${mail.id}/forward`, { to: "bob@example.com", body: "a < b" });
    expect(status).toBe(201);
    expect(body.attachments).toMatchObject([
      { n: 1, name: "logo.png", type: "image/png", inline: true, contentId: "logo@x" },
      { n: 2, name: "Vertrag März.pdf", type: "application/pdf", size: PDF.length, inline: false },
    ]);
    expect(sent[0]?.attachments).toMatchObject([
      { filename: "logo.png", disposition: "inline", contentId: "logo@x" },
      { filename: "Vertrag März.pdf", disposition: "attachment" },
    ]);
    expect(contents(sent[0]?.attachments)).toEqual([PNG, PDF]);
    expect(sent[0]?.text).toMatch(/^a < b\n\n-{10} Forwarded message/);
    expect(sent[0]?.html).toMatch(/^a &lt; b\n<br>\n<p>-{10} Forwarded message.+<img src="cid:logo%40x">/s);
    await api.delete(`/api/emails/${mail.id}`);
    const file = await api.get(`/api/emails/${body.id}/attachments/2`);
    expect(file.status).toBe(200);
    expect(
      await countRows(
        "files_to_delete",
        `key IN (SELECT value ->> 'key' FROM emails, json_each(attachments)
      WHERE emails.id = ${body.id})`,
      ),
    ).toBe(0);
  });

  it("leaves attachments out if asked to, and pictures with the text that shows them", async () => {
    const { sent, api } = desk();
    const mail = await withFiles(api, "forward-without");
    const path = `/api/emails/${mail.id}/forward`;
    await api.post(path, { to: "bob@example.com", includeAttachments: false });
    await api.post(path, { to: "bob@example.com", body: "Only the file", quote: false });
    expect(sent[0]?.attachments).toBeUndefined();
    expect(sent[1]?.attachments?.map(({ filename }) => filename)).toEqual(["Vertrag März.pdf"]);
    expect(sent[1]?.html).toBeUndefined();
  });

  it("of an email that came by the API says nothing of files that nobody has", async () => {
    const { sent, api } = desk();
    const mail = await storeMail(api, "forward-names", {
      attachments: [{ name: "gone.pdf", type: "application/pdf", size: 10 }],
    });
    const { body } = await api.post(`/api/emails/${mail.id}/forward`, { to: "bob@example.com" });
    expect(body.attachments).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  it("refuses more attachments than an email can have, before it copies any", async () => {
    const { sent, api } = desk();
    const parts = Array.from(
      { length: 33 },
      (_, n) => `--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=${n}.csv\n\na,${n}\n`,
    );
    await deliver(
      `From: ann@example.com\nSubject: forward-many\nMessage-ID: <forward-many@x>\n` +
        `Content-Type: multipart/mixed; boundary=b\n\n${parts.join("")}--b--\n`,
    );
    const [mail] = (await api.get("/api/emails?q=subject:forward-many")).body.data;
    const before = await countRows("files_to_delete", "1");
    for (const [path, fields] of [
      [`/api/emails/${mail.id}/forward`, { to: "bob@example.com" }],
      [DRAFTS, { forwardOf: mail.id }],
    ] as const) {
      const answer = await api.post(path, fields);
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors[0]).toMatchObject({ path: "includeAttachments" });
      expect(answer.body.errors[0].message).toContain("there would be 33 attachments, and an email can have 32");
      expect((await api.post(path, { ...fields, includeAttachments: false })).status).toBe(201);
    }
    expect(sent).toHaveLength(1);
    expect(await countRows("files_to_delete", "1")).toBe(before);
  });

  it("repeated with its key leaves once, with one set of copies", async () => {
    const { sent, api } = desk();
    const mail = await withFiles(api, "forward-key");
    const options = { headers: { "idempotency-key": "forward-key" } };
    const send = () => api.post(`/api/emails/${mail.id}/forward`, { to: "bob@example.com" }, options);
    const first = await send();
    const again = await send();
    expect(again.body).toEqual(first.body);
    expect(sent).toHaveLength(1);
    expect(await countRows("emails", "subject = 'Fwd: forward-key'")).toBe(1);
    expect(await countRows("email_uploads", "1")).toBe(0);
  });

  it("that is refused is sent by the next attempt, with all files", async () => {
    expectErrorLog("mail_not_sent");
    const refusing = desk(() => {
      throw refusal();
    });
    const mail = await withFiles(refusing.api, "forward-refused");
    const options = { headers: { "idempotency-key": "forward-refused" } };
    const path = `/api/emails/${mail.id}/forward`;
    expectProblem(await refusing.api.post(path, { to: "bob@example.com" }, options), 502, "provider_error");
    const { sent, api } = desk();
    expect((await api.post(path, { to: "bob@example.com" }, options)).status).toBe(201);
    expect(contents(sent[0]?.attachments)).toEqual([PNG, PDF]);
  });

  it("whose files cannot be read is not sent, and leaves nothing behind", async () => {
    expectErrorLog("email_object_missing");
    const { sent, api } = desk();
    const mail = await withFiles(api, "forward-missing");
    const row = await env.DB.prepare("SELECT raw_key FROM emails WHERE id = ?")
      .bind(mail.id)
      .first<{ raw_key: string }>();
    await env.FILES.delete(row?.raw_key ?? "");
    const answer = await api.post(`/api/emails/${mail.id}/forward`, { to: "bob@example.com" });
    expectProblem(answer, 404, "not_found");
    expect(answer.body.detail).toContain("missing from the file store");
    expect(sent).toHaveLength(0);
    expect(await countRows("emails", "subject = 'Fwd: forward-missing'")).toBe(0);
  });

  it("that is scheduled and taken back gives its files to the draft", async () => {
    const { api } = desk();
    const mail = await withFiles(api, "forward-later");
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await api.post(`/api/emails/${mail.id}/forward`, { to: "bob@example.com", sendAt });
    const draft = (await api.post(`/api/emails/${body.id}/cancel-send`)).body;
    expect(draft.attachments).toMatchObject([{ name: "logo.png" }, { name: "Vertrag März.pdf", size: PDF.length }]);
  });
});

describe("a draft of a forward", () => {
  it("has copies of the attachments, of which the person can remove some", async () => {
    const { sent, api } = desk();
    const mail = await withFiles(api, "draft-files");
    const own = await api.call("POST", "/api/emails/attachments?name=own.txt", {
      raw: "mine",
      headers: { "content-type": "application/octet-stream" },
    });
    const options = { headers: { "idempotency-key": "draft-files" } };
    const fields = { forwardOf: mail.id, to: "bob@example.com", attachmentIds: [own.body.id] };
    const { body: draft } = await api.post(DRAFTS, fields, options);
    expect(draft.attachments).toMatchObject([{ name: "own.txt" }, { name: "logo.png" }, { name: "Vertrag März.pdf" }]);
    expect((await api.post(DRAFTS, fields, options)).body).toEqual(draft);
    expect(await countRows("email_uploads", `draft_id = ${draft.id}`)).toBe(3);
    const kept = [draft.attachments[1].id, draft.attachments[0].id];
    await api.patch(`${DRAFTS}/${draft.id}`, { attachmentIds: kept });
    await api.post(`${DRAFTS}/${draft.id}/send`);
    expect(sent[0]?.attachments?.map(({ filename }) => filename).sort()).toEqual(["logo.png", "own.txt"]);
    expect(sent[0]?.attachments?.find(({ filename }) => filename === "logo.png")).toMatchObject({
      disposition: "inline",
      contentId: "logo@x",
    });
  });

  it("has none if asked to, nor has a reply", async () => {
    const { api } = desk();
    const mail = await withFiles(api, "draft-without");
    for (const fields of [{ forwardOf: mail.id, includeAttachments: false }, { inReplyTo: mail.id }]) {
      expect((await api.post(DRAFTS, fields)).body.attachments).toEqual([]);
    }
  });
});
