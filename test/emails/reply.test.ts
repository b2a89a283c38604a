import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { settleCutOffEmails } from "../../src/features/emails/delivery.ts";
import { expectErrorLog, expectProblem, service, systemCtx, takeLogs } from "../harness.ts";
import { watchDatabase } from "../measured.ts";
import { fakeMail } from "./fake-mail.ts";
import { storeMail } from "./new-mail.ts";

/** A database whose batches fail while the condition holds. */
function failingWhen(isDue: () => boolean): D1Database {
  return watchDatabase(env.DB, {
    statement: (statement, method, args: unknown[]) => Reflect.apply(Reflect.get(statement, method), statement, args),
    batch: (statements, send) => (isDue() ? Promise.reject(new Error("the database is away")) : send(statements)),
  });
}

/** How far each email of a thread got, oldest first. */
async function deliveries(id: number): Promise<(string | null)[]> {
  const { body } = await service().get(`/api/emails/${id}/thread`);
  return body.data.map(({ delivery }: { delivery: string | null }) => delivery);
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
        text: expect.stringMatching(
          /^Here it is\.\n\nOn \w{3}, .+, Ann Lee <ann@example\.com> wrote:\n> Hello there\.$/,
        ),
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
      body: expect.stringMatching(/^Here it is\.\n\nOn /),
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
      quote: false,
      cc: ["dora@example.com", "bob@example.com"],
    });
    const cc = sent[0]?.cc;
    expect(cc?.map(({ email }) => email)).toEqual(["dora@example.com", "bob@example.com", "carl@example.com"]);
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

  it("that left is stored even if the database fails right after it, and is not sent again under its key", async () => {
    expectErrorLog("sent_email_not_marked");
    expectErrorLog("request_failed");
    const { sent, EMAIL } = fakeMail();
    const vars = { EMAIL, MAIL_FROM: "me@example.com" };
    const mail = await storeMail(service(vars), "reply-cut-off");
    const DB = failingWhen(() => sent.length > 0);
    const reply = (db = env.DB) =>
      service({ ...vars, DB: db }).post(
        `/api/emails/${mail.id}/reply`,
        { body: "Yes" },
        { headers: { "idempotency-key": "reply-lost" } },
      );
    expectProblem(await reply(DB), 500, "internal");
    expectProblem(await reply(), 409, "idempotency_in_flight");
    await env.DB.prepare("UPDATE idempotency_keys SET claimed_at = 0 WHERE key = 'reply-lost'").run();
    expectProblem(await reply(), 409, "idempotency_unfinished");
    expect(sent).toHaveLength(1);
    expect(await deliveries(mail.id)).toEqual([null, "sending"]);
    takeLogs();
  });

  it("that left is answered with success even if it cannot be marked, so that nobody sends it again", async () => {
    expectErrorLog("sent_email_not_marked");
    const { sent, EMAIL } = fakeMail();
    const vars = { EMAIL, MAIL_FROM: "me@example.com" };
    const mail = await storeMail(service(vars), "reply-unmarked");
    const DB = failingWhen(() => sent.length > 0);
    const { status, body } = await service({ ...vars, DB }).post(`/api/emails/${mail.id}/reply`, {
      body: "Yes",
      quote: false,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ delivery: "sending", body: "Yes", threadId: mail.threadId });
    takeLogs();
  });

  it("is stored as sending before it is sent", async () => {
    const seen: unknown[] = [];
    const { EMAIL } = fakeMail(async () => {
      seen.push(await deliveries(mail.id));
      return { messageId: "<seen@mail.test>" };
    });
    const mail = await storeMail(service(), "reply-first");
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const { body } = await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" });
    expect(seen).toEqual([[null, "sending"]]);
    expect(body).toMatchObject({ delivery: "sent", deliveryError: null, messageId: "<seen@mail.test>", version: 2 });
  });

  it("whose sending was cut off is settled by the cron as one that may have left, and is never sent by it", async () => {
    const { sent, EMAIL } = fakeMail();
    const vars = { EMAIL, MAIL_FROM: "me@example.com" };
    const api = service(vars);
    const mail = await storeMail(api, "reply-settled");
    const { body } = await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" });
    await env.DB.prepare("UPDATE emails SET delivery = 'sending' WHERE id = ?").bind(body.id).run();
    const at = async (minutes: number) => {
      const ctx = { ...systemCtx(vars), now: new Date(Date.now() + minutes * 60_000) };
      await settleCutOffEmails(ctx);
      return (await api.get(`/api/emails/${body.id}`)).body;
    };
    expect(await at(5)).toMatchObject({ delivery: "sending", deliveryError: null });
    expect(await at(11)).toMatchObject({
      delivery: "failed",
      deliveryError: expect.stringMatching(/^It is not known whether this email left/),
    });
    expect(sent).toHaveLength(1);
  });

  it("that the mail service refused stays visible as failed, and may be tried again under its key", async () => {
    expectErrorLog("mail_not_sent");
    let isOpen = false;
    const { sent, EMAIL } = fakeMail(() => {
      if (!isOpen) throw new Error("destination not allowed");
      return { messageId: "<at-last@mail.test>" };
    });
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply-refused");
    const reply = () =>
      api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, { headers: { "idempotency-key": "reply-refused" } });
    const refused = await reply();
    expectProblem(refused, 502, "provider_error");
    const { data } = (await api.get(`/api/emails/${mail.id}/thread`)).body;
    expect(refused.body.detail).toContain(`email ${data[1].id}`);
    expect(data[1]).toMatchObject({ delivery: "failed", deliveryError: expect.stringContaining("Nothing was sent") });
    isOpen = true;
    expect((await reply()).body).toMatchObject({ delivery: "sent", messageId: "<at-last@mail.test>" });
    expect(sent).toHaveLength(2);
    takeLogs();
  });

  it("that got no response from the mail service is not sent again under its key: it may have left", async () => {
    expectErrorLog("mail_not_sent");
    const lost = [
      new Error("Network connection lost."),
      new DOMException("The operation timed out", "TimeoutError"),
      Object.assign(new Error("try later"), { code: "E_INTERNAL_SERVER_ERROR" }),
      new TypeError("x is not a function"),
      new Error("Something nobody has seen yet"),
    ];
    for (const [index, error] of lost.entries()) {
      const { sent, EMAIL } = fakeMail(() => {
        throw error;
      });
      const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
      const mail = await storeMail(api, "reply-timeout");
      const headers = { "idempotency-key": `reply-timeout-${index}` };
      const reply = () => api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, { headers });
      expectProblem(await reply(), 504, "provider_timeout");
      expectProblem(await reply(), 409, "idempotency_unfinished");
      expect(sent).toHaveLength(1);
      expect(await deliveries(mail.id)).toEqual([null, "failed"]);
    }
    takeLogs();
  });

  it("that the mail service took without telling its id is sent, once", async () => {
    for (const [index, answer] of [undefined, null, {}, { messageId: "" }, { messageId: 7 }].entries()) {
      const { sent, EMAIL } = fakeMail(() => answer);
      const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
      const mail = await storeMail(api, "reply-without-id");
      const headers = { "idempotency-key": `reply-without-id-${index}` };
      const reply = () => api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, { headers });
      expect((await reply()).body).toMatchObject({ delivery: "sent", messageId: expect.stringMatching(/^<.+>$/) });
      expect((await reply()).status).toBe(201);
      expect(sent).toHaveLength(1);
    }
  });

  it("with an Idempotency-Key is sent once by identical requests at once", async () => {
    const { sent, EMAIL } = fakeMail();
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply-parallel");
    const headers = { "idempotency-key": "reply-parallel" };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, { headers })),
    );
    expect(sent).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe("idempotency_in_flight");
    expect(await deliveries(mail.id)).toEqual([null, "sent"]);
  });

  it("is in one thread with an answer that arrives before it is marked", async () => {
    const { EMAIL } = fakeMail(async () => {
      await storeMail(service(), "reply-overtaken", { messageId: "<answer@x>", inReplyTo: "<overtaken@mail.test>" });
      return { messageId: "<overtaken@mail.test>" };
    });
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply-overtaken");
    const { body } = await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" });
    expect(body).toMatchObject({ messageId: "<overtaken@mail.test>", threadCount: 3 });
    expect((await api.get(`/api/emails/${mail.id}/thread`)).body.data).toHaveLength(3);
    const later = await storeMail(api, "reply-overtaken", { inReplyTo: "<overtaken@mail.test>" });
    expect(later.threadId).toBe(body.threadId);
  });

  it("whose own copy arrives before it is marked stays beside the copy", async () => {
    const { EMAIL } = fakeMail(async () => {
      await storeMail(service(), "reply-copied", { messageId: "<copied@mail.test>" });
      return { messageId: "<copied@mail.test>" };
    });
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "reply-copied");
    const { status, body } = await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" });
    expect([status, body.delivery]).toEqual([201, "sent"]);
    expect(body.messageId).not.toBe("<copied@mail.test>");
  });

  it("to all leaves out the inbox that the email was delivered to", async () => {
    const { sent, EMAIL } = fakeMail();
    const api = service({ EMAIL, MAIL_FROM: "me@example.com" });
    const mail = await storeMail(api, "support", { to: ["Support@example.com", "bob@example.com"] });
    await api.post(`/api/emails/${mail.id}/reply`, { body: "All", replyAll: true });
    expect(sent[0]?.cc).toMatchObject([{ email: "bob@example.com" }]);
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
