import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { expectErrorLog, expectProblem, service, takeLogs } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { storeMail } from "./new-mail.ts";

/** Stands in for the platform's mail binding: keeps what it is given, or fails. */
function fakeMail(
  answer: () => { messageId: string } = () => ({ messageId: `<sent-${crypto.randomUUID()}@mail.test>` }),
) {
  const sent: Record<string, unknown>[] = [];
  const send = async (message: Record<string, unknown>) => {
    sent.push(message);
    return answer();
  };
  return { sent, EMAIL: { send } as unknown as Env["EMAIL"] };
}

describe("a reply", () => {
  it("is sent with threading headers and stored under the id it left with", async () => {
    const { sent, EMAIL } = fakeMail(() => ({ messageId: "<out-1@mail.test>" }));
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const root = await storeMail(api, "reply", { messageId: "<in-1@x>", subject: "Contract" });
    const second = await storeMail(api, "reply", {
      messageId: "<in-2@x>",
      inReplyTo: "<in-1@x>",
      references: ["<in-1@x>"],
      subject: "Re: Contract",
      replyTo: "Desk <desk@example.com>",
    });
    const { status, body } = await api.post(`/api/emails/${second.id}/reply`, { body: "Here it is." });
    expect(status).toBe(201);
    expect(sent).toEqual([
      {
        from: { name: "Personal Operations Assistant", email: "me@example.com" },
        to: [{ name: "Desk", email: "desk@example.com" }],
        subject: "Re: Contract",
        text: "Here it is.",
        headers: { "In-Reply-To": "<in-2@x>", References: "<in-1@x> <in-2@x>" },
      },
    ]);
    expect(body).toMatchObject({
      messageId: "<out-1@mail.test>",
      threadId: root.threadId,
      threadCount: 3,
      inReplyTo: "<in-2@x>",
      direction: "outbound",
      from: { email: "me@example.com" },
      to: [{ name: "Desk", email: "desk@example.com" }],
      body: "Here it is.",
      tags: ["reply"],
      status: "archived",
      isRead: true,
    });
  });

  it("to all goes to everyone else once, and never to ourselves", async () => {
    const { sent, EMAIL } = fakeMail();
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply", {
      to: ["Me@example.com", "Bob <bob@example.com>"],
      cc: ["carl@example.com", "ann@example.com"],
    });
    await api.post(`/api/emails/${mail.id}/reply`, {
      body: "All",
      html: "<p>All</p>",
      replyAll: true,
      cc: ["dora@example.com", "bob@example.com"],
    });
    const cc = sent[0]?.cc as { email: string }[];
    expect(cc.map(({ email }) => email)).toEqual(["dora@example.com", "bob@example.com", "carl@example.com"]);
    expect(sent[0]).toMatchObject({
      subject: "Re: About reply",
      html: "<p>All</p>",
      to: [{ email: "ann@example.com" }],
    });
  });

  it("to our own mail goes on to whom it was sent", async () => {
    const { sent, EMAIL } = fakeMail();
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply", {
      direction: "outbound",
      from: "me@example.com",
      to: "bob@example.com",
    });
    await api.post(`/api/emails/${mail.id}/reply`, { body: "And another thing" });
    expect(sent[0]).toMatchObject({ to: [{ email: "bob@example.com" }] });
  });

  it("puts no line break of a subject or name into a header", async () => {
    const { sent, EMAIL } = fakeMail();
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply", {
      from: { name: "Ann\r\nBcc: eve@example.com", email: "ann@example.com" },
      subject: "Hello\r\nBcc: eve@example.com",
    });
    await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" });
    expect(sent[0]).toMatchObject({
      to: [{ name: "Ann Bcc: eve@example.com" }],
      subject: "Re: Hello Bcc: eve@example.com",
    });
  });

  it("with an Idempotency-Key is sent once", async () => {
    const { sent, EMAIL } = fakeMail();
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply");
    const options = { headers: { "idempotency-key": "reply-once" } };
    const first = await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, options);
    const again = await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, options);
    expect(again.body).toEqual(first.body);
    expect(sent).toHaveLength(1);
    const other = await api.post(`/api/emails/${mail.id}/reply`, { body: "No" }, options);
    expectProblem(other, 422, "idempotency_mismatch");
  });

  it("that left and could not be stored is not sent again under its key", async () => {
    expectErrorLog("request_failed");
    const { sent, EMAIL } = fakeMail();
    const vars = { EMAIL, MAIL_FROM: "me@example.com" };
    const mail = await storeMail(service(vars), "reply");
    const reply = (db = env.DB) =>
      service({ ...vars, DB: db }).post(
        `/api/emails/${mail.id}/reply`,
        { body: "Yes" },
        { headers: { "idempotency-key": "reply-lost" } },
      );
    const isSent = () => (sent.length > 0 ? Promise.reject(new Error("the database is away")) : Promise.resolve());
    // The claim of the key, the note that the mail may leave, and the mail itself.
    expectProblem(await reply(interruptBatch(env.DB, 3, isSent)), 500, "internal");
    expectProblem(await reply(), 409, "idempotency_unfinished");
    expect(sent).toHaveLength(1);
    takeLogs();
  });

  it("that the mail service refused may be tried again under its key", async () => {
    expectErrorLog("mail_not_sent");
    let isOpen = false;
    const { sent, EMAIL } = fakeMail(() => {
      if (!isOpen) throw new Error("destination not allowed");
      return { messageId: "<at-last@mail.test>" };
    });
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply");
    const reply = () =>
      api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, { headers: { "idempotency-key": "reply-refused" } });
    expectProblem(await reply(), 502, "provider_error");
    isOpen = true;
    expect((await reply()).status).toBe(201);
    expect(sent).toHaveLength(2);
    takeLogs();
  });

  it("is not stored when the mail service refuses it", async () => {
    expectErrorLog("mail_not_sent");
    const { EMAIL } = fakeMail(() => {
      throw new Error("destination not allowed");
    });
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "refused");
    expectProblem(await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }), 502, "provider_error");
    expect((await api.get(`/api/emails/${mail.id}/thread`)).body.data).toHaveLength(1);
    expect(takeLogs().join("\n")).toContain("mail_not_sent");
  });

  it("is 501 where mail is not set up, and 422 without words", async () => {
    const api = service({ EMAIL: undefined, ALLOW_PRIVATE_HOSTS: "false" });
    const mail = await storeMail(api, "reply");
    expectProblem(await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }), 501, "mail_not_configured");
    expectProblem(await service().post(`/api/emails/${mail.id}/reply`, { body: "  " }), 422, "validation_failed");
  });

  it("goes through the local simulation in development", async () => {
    const api = service();
    const mail = await storeMail(api, "reply");
    const { status, body } = await api.post(`/api/emails/${mail.id}/reply`, { body: "Hello" });
    expect(status).toBe(201);
    expect(body.messageId).toMatch(/@/);
  });
});
