import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { fakeMail } from "./fake-mail.ts";

/* HTML that leaves shows something and does nothing else, whoever wrote it and by whatever endpoint it is sent. */

const { EMAIL } = fakeMail();
const api = service({ EMAIL, MAIL_FROM: "assistant@ours.example" });
const HOSTILE =
  '<p onclick="steal()">Hello <b>Bob</b> <a href="javascript:steal()">bad</a> <a href="https://example.com">good</a></p>' +
  '<script>steal()</script><iframe src="https://evil.example"></iframe><img src="cid:logo" alt="Logo">' +
  '<form action="https://evil.example"><input name="a"></form>';

function expectHarmless(html: string | null): void {
  expect(html).toContain("<b>Bob</b>");
  expect(html).toContain('href="https://example.com"');
  expect(html).toContain('<img src="cid:logo" alt="Logo">');
  expect(html).not.toMatch(/onclick|javascript:|<script|steal|<iframe|<form|<input/i);
}

describe("HTML that is sent", () => {
  it("is cleaned by the rule that emails are shown by", async () => {
    const sent = await api.post("/api/emails/send", { to: "bob@example.com", subject: "Hi", html: HOSTILE });
    expect(sent.status).toBe(201);
    expectHarmless((await api.get(`/api/emails/${sent.body.id}`)).body.html);
  });

  it("is cleaned in a draft, too, when that is sent, and its text stays the writer's", async () => {
    const draft = await api.post("/api/emails/drafts", {
      to: "bob@example.com",
      subject: "Hi",
      body: "Hello Bob",
      html: HOSTILE,
    });
    const sent = await api.post(`/api/emails/drafts/${draft.body.id}/send`);
    const { body } = await api.get(`/api/emails/${sent.body.id}`);
    expectHarmless(body.html);
    expect(body.body).toContain("Hello Bob");
  });

  it("shows a file of a draft again, and to nobody after it is gone", async () => {
    const path = "/api/emails/attachments?name=logo.png&type=image/png&contentId=logo";
    const headers = { "content-type": "application/octet-stream" };
    const upload = await api.call("POST", path, { raw: "picture", headers });
    const draft = await api.post("/api/emails/drafts", { html: HOSTILE, attachmentIds: [upload.body.id] });
    const found = await api.get(`/api/emails/attachments/${upload.body.id}`);
    expect(found.status).toBe(200);
    expect(found.text).toBe("picture");
    expect(found.headers.get("content-type")).toBe("image/png");
    expect(found.headers.get("content-security-policy")).toContain("sandbox");
    await api.patch(`/api/emails/drafts/${draft.body.id}`, { attachmentIds: [] });
    expect((await api.get(`/api/emails/attachments/${upload.body.id}`)).status).toBe(404);
    expect(
      await env.DB.prepare("SELECT count(*) AS n FROM email_uploads WHERE id = ?").bind(upload.body.id).first("n"),
    ).toBe(0);
  });
});
