import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sendDueEmails } from "../../src/features/emails/sending/scheduled.ts";
import { countRows, setClock, signedInPerson } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service, systemCtx } from "../harness.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { fakeMail, refusal } from "./fake-mail.ts";

const MAIL_FROM = "assistant@ours.example";
const HOUR = 3_600_000;
const START = Date.parse("2026-11-16T10:00:00Z");

function desk(answer?: () => unknown) {
  const { sent, EMAIL } = fakeMail(answer);
  const vars = { EMAIL, MAIL_FROM };
  const api = service(vars);
  const schedule = async (sendAt: number, fields: Record<string, unknown> = {}) =>
    (
      await api.post("/api/emails/send", {
        to: "ann@example.com",
        subject: `Later ${crypto.randomUUID()}`,
        body: "Hi",
        sendAt: new Date(sendAt).toISOString(),
        ...fields,
      })
    ).body;
  const deliveryOf = async (id: number) => (await api.get(`/api/emails/${id}`)).body.delivery;
  return { sent, vars, api, schedule, deliveryOf };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("a scheduled email", () => {
  it("waits for its time and then leaves by the queue, once, however often the message comes", async () => {
    setClock(START);
    const { sent, vars, schedule, deliveryOf } = desk();
    const { id, delivery, sendAt, receivedAt } = await schedule(START + HOUR);
    expect({ delivery, sendAt, receivedAt }).toEqual({
      delivery: "scheduled",
      sendAt: new Date(START + HOUR).toISOString(),
      receivedAt: new Date(START + HOUR).toISOString(),
    });
    await deliverQueue({ vars });
    expect([sent.length, await deliveryOf(id)]).toEqual([0, "scheduled"]);
    setClock(START + HOUR + 1000);
    const message = { kind: "email.send", id };
    await Promise.all([deliverQueue({ vars }), deliverBatch("jobs", [message, message], { vars })]);
    await deliverBatch("retries", [message], { vars });
    expect([sent.length, await deliveryOf(id)]).toEqual([1, "sent"]);
  });

  it("whose text or file is missing fails with the reason, and leaves nothing half", async () => {
    expectErrorLog("email_content_missing");
    setClock(START);
    const { sent, vars, api, schedule } = desk();
    const upload = await api.call("POST", "/api/emails/attachments?name=plan.pdf", {
      raw: "%PDF",
      headers: { "content-type": "application/octet-stream" },
    });
    const long = await schedule(START + HOUR, { body: "Long. ".repeat(1000) });
    const filed = await schedule(START + HOUR, { attachmentIds: [upload.body.id] });
    const { results } = await env.DB.prepare(
      "SELECT content_key AS text, attachments ->> '$[0].key' AS file FROM emails WHERE id IN (?, ?)",
    )
      .bind(long.id, filed.id)
      .all<{ text: string | null; file: string | null }>();
    await env.FILES.delete(results.flatMap(({ text, file }) => [text ?? [], file ?? []].flat()));
    setClock(START + HOUR + 1000);
    await deliverQueue({ vars });
    expect(sent).toHaveLength(0);
    for (const [{ id }, what] of [
      [long, `The text of email ${long.id}`],
      [filed, "The attachment plan.pdf"],
    ]) {
      const { delivery, deliveryError } = (await api.get(`/api/emails/${id}`)).body;
      expect({ delivery, deliveryError }).toEqual({
        delivery: "failed",
        deliveryError: `Nothing was sent. ${what} is missing from the file store.`,
      });
    }
    expect((await api.post(`/api/emails/${filed.id}/cancel-send`)).status).toBe(200);
  });

  it("whose message comes too early is sent at its time", async () => {
    setClock(START);
    const { sent, vars, schedule } = desk();
    const { id } = await schedule(START + HOUR);
    takeQueued();
    await deliverBatch("jobs", [{ kind: "email.send", id }], { vars });
    expect(sent).toHaveLength(0);
    expect(queued().map(({ dueAt }) => dueAt)).toEqual([START + HOUR]);
    setClock(START + HOUR);
    await deliverQueue({ vars });
    expect(sent).toHaveLength(1);
  });

  it("that is more than a day away, or whose message is lost, is found by the cron", async () => {
    setClock(START);
    const { sent, vars, schedule } = desk();
    const { id } = await schedule(START + 48 * HOUR);
    expect(queued()).toEqual([]);
    setClock(START + 48 * HOUR - 10 * 60_000);
    await sendDueEmails(systemCtx(vars));
    expect(queued().some(({ body }) => (body as { id: number }).id === id)).toBe(true);
    takeQueued();
    setClock(START + 48 * HOUR + 60_000);
    await sendDueEmails(systemCtx(vars));
    await deliverQueue({ vars });
    expect(sent).toHaveLength(1);
  });

  it("is sent by the cron itself where there is no queue", async () => {
    setClock(START);
    const { sent, vars, schedule, deliveryOf } = desk();
    const { id } = await schedule(START + HOUR);
    takeQueued();
    setClock(START + HOUR);
    await sendDueEmails(systemCtx({ ...vars, JOBS: undefined }));
    expect([sent.length, await deliveryOf(id)]).toEqual([1, "sent"]);
  });

  it("must lie in the future, and within a year", async () => {
    setClock(START);
    const { api } = desk();
    for (const sendAt of ["2026-11-16T09:59:00Z", "2028-01-01T00:00:00Z", "2026-11-16", "tomorrow"]) {
      const answer = await api.post("/api/emails/send", { to: "a@b.example", subject: "x", body: "x", sendAt });
      expectProblem(answer, 422, "validation_failed");
    }
    const day = await api.post("/api/emails/send", {
      to: "a@b.example",
      subject: "x",
      body: "x",
      sendAt: "2026-11-20",
    });
    expect(day.body.sendAt).toBe("2026-11-20T00:00:00.000Z");
  });

  it("that the email service refuses is failed, and can be taken back as a draft", async () => {
    expectErrorLog("mail_not_sent");
    setClock(START);
    const { vars, api, schedule } = desk(() => {
      throw refusal();
    });
    const { id } = await schedule(START + 1000);
    setClock(START + 2000);
    await deliverQueue({ vars });
    expect((await api.get(`/api/emails/${id}`)).body).toMatchObject({ delivery: "failed" });
    expect((await api.post(`/api/emails/${id}/cancel-send`)).body).toMatchObject({ delivery: "draft", body: "Hi" });
  });

  it("is failed, and nothing is sent, when outgoing email was turned off meanwhile", async () => {
    setClock(START);
    const { sent, schedule, api } = desk();
    const { id } = await schedule(START + 1000);
    setClock(START + 2000);
    await deliverQueue({ vars: { EMAIL: undefined, MAIL_FROM: undefined, ALLOW_PRIVATE_HOSTS: "false" } });
    const { body } = await api.get(`/api/emails/${id}`);
    expect(body).toMatchObject({ delivery: "failed" });
    expect(body.deliveryError).toContain("Nothing was sent");
    expect(sent).toHaveLength(0);
  });

  it("with an Idempotency-Key is stored once", async () => {
    setClock(START);
    const { api } = desk();
    const letter = { to: "a@b.example", subject: "Keyed", body: "x", sendAt: new Date(START + HOUR).toISOString() };
    const options = { headers: { "idempotency-key": "scheduled-once" } };
    const answers = [
      await api.post("/api/emails/send", letter, options),
      await api.post("/api/emails/send", letter, options),
    ];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await countRows("emails", "subject = 'Keyed'")).toBe(1);
  });
});

describe("taking back an email", () => {
  it("turns it into a draft with the same text, and it never leaves", async () => {
    setClock(START);
    const { sent, vars, api, schedule } = desk();
    const email = await schedule(START + HOUR, { bcc: "eve@example.com", html: "<p>Hi</p>" });
    const { status, body: draft } = await api.post(`/api/emails/${email.id}/cancel-send`);
    expect(status).toBe(200);
    expect(draft).toMatchObject({
      delivery: "draft",
      subject: email.subject,
      body: "Hi",
      html: "<p>Hi</p>",
      bcc: [{ email: "eve@example.com" }],
      sendAt: null,
    });
    expectProblem(await api.get(`/api/emails/${email.id}`), 404, "not_found");
    expectProblem(await api.post(`/api/emails/${email.id}/cancel-send`), 404, "not_found");
    setClock(START + 2 * HOUR);
    await deliverQueue({ vars });
    await sendDueEmails(systemCtx(vars));
    await deliverQueue({ vars });
    expect(sent.filter(({ subject }) => subject === email.subject)).toEqual([]);
  });

  it("is 409 once it has left, and for emails of others", async () => {
    const { api } = desk();
    const { body } = await api.post("/api/emails/send", { to: "a@b.example", subject: "Gone", body: "x" });
    expectProblem(await api.post(`/api/emails/${body.id}/cancel-send`), 409, "email_already_sent");
    const stored = await api.post("/api/emails", { from: "ann@example.com", to: "me@ours.example", subject: "In" });
    expectProblem(await api.post(`/api/emails/${stored.body.id}/cancel-send`), 409, "email_already_sent");
  });

  it("and sending it race with exactly one winner", async () => {
    for (let round = 0; round < 6; round++) {
      setClock(START);
      const { sent, vars, api, schedule } = desk();
      const { id } = await schedule(START + 1000);
      takeQueued();
      setClock(START + 2000);
      const message = { kind: "email.send", id };
      const [cancelled] = await Promise.all([
        api.post(`/api/emails/${id}/cancel-send`),
        deliverBatch("jobs", [message, message], { vars }),
        api.post(`/api/emails/${id}/cancel-send`),
      ]);
      const drafts = await countRows("email_drafts", "subject = (SELECT subject FROM emails WHERE id = ?)", id);
      const isSent = sent.length === 1;
      const exists = (await api.get(`/api/emails/${id}`)).status === 200;
      expect({ exists, drafts }).toEqual({ exists: isSent, drafts: 0 });
      if (isSent) expect(cancelled.status).toBe(409);
    }
  });

  it("keeps the signature and the quote once", async () => {
    setClock(START);
    const { sent, vars, api } = desk();
    const person = await signedInPerson("owner");
    const options = { token: person.token };
    await api.post("/api/settings/identities", { name: "Ada", signature: "Ada L.", undoSendSeconds: 20 }, options);
    const { body: mail } = await api.post("/api/emails", { from: "ann@example.com", to: "x@y.example", body: "Orig" });
    const { body: email } = await api.post(`/api/emails/${mail.id}/reply`, { body: "Yes" }, options);
    expect(email).toMatchObject({ delivery: "scheduled", sendAt: new Date(START + 20_000).toISOString() });
    const { body: draft } = await api.post(`/api/emails/${email.id}/cancel-send`, undefined, options);
    expect(draft).toMatchObject({ inReplyTo: mail.id, quote: false, signature: false });
    await api.post(`/api/emails/drafts/${draft.id}/send`, undefined, options);
    setClock(START + 30_000);
    await deliverQueue({ vars });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text.match(/Ada L\./g)).toHaveLength(1);
    expect(sent[0]?.text.match(/> Orig/g)).toHaveLength(1);
    expect(sent[0]?.headers?.["In-Reply-To"]).toBe(mail.messageId);
  });
});

describe("sending a draft with undoSeconds", () => {
  it("waits, and is the same draft again when it is taken back: text, quote, signature and files", async () => {
    setClock(START);
    const { sent, vars, api } = desk();
    const { token } = await signedInPerson("owner");
    const options = { token };
    await api.post("/api/settings/identities", { name: "Ada", signature: "Ada L." }, options);
    const { body: mail } = await api.post("/api/emails", {
      from: "ann@example.com",
      to: "x@y.example",
      subject: "Report",
      html: "<p>Orig</p>",
    });
    const upload = await api.call("POST", "/api/emails/attachments?name=plan.pdf", {
      raw: "%PDF",
      headers: { "content-type": "application/octet-stream" },
    });
    for (const origin of [{ forwardOf: mail.id, to: "bob@example.com" }, { inReplyTo: mail.id }]) {
      const files = "forwardOf" in origin ? { attachmentIds: [upload.body.id] } : {};
      const written = { ...origin, ...files, body: "Just this." };
      const { body: draft } = await api.post("/api/emails/drafts", written, options);
      const { status, body: email } = await api.post(
        `/api/emails/drafts/${draft.id}/send?undoSeconds=10`,
        undefined,
        options,
      );
      expect(status).toBe(201);
      expect(email).toMatchObject({ delivery: "scheduled", sendAt: new Date(START + 10_000).toISOString() });
      expect(email.body).toContain("Ada L.");
      expectProblem(await api.get(`/api/emails/drafts/${draft.id}`), 404, "not_found");
      const { body: again } = await api.post(`/api/emails/${email.id}/cancel-send`, undefined, options);
      const { body, quote, signature, inReplyTo, forwardOf, attachments, to, subject } = draft;
      expect(again).toMatchObject({ body, quote, signature, inReplyTo, forwardOf, attachments, to, subject });
      // The one that was taken back never leaves; the one that is sent after it does, once, with signature and quote.
      await api.post(`/api/emails/drafts/${again.id}/send?undoSeconds=10`, undefined, options);
    }
    setClock(START + 11_000);
    await deliverQueue({ vars });
    await deliverQueue({ vars });
    expect(sent).toHaveLength(2);
    for (const { text } of sent) {
      expect(text.match(/Ada L\./g)).toHaveLength(1);
      expect(text.match(/Orig/g)).toHaveLength(1);
    }
    expect(await countRows("emails", "written_as IS NOT NULL")).toBe(0);
  });

  it("is taken back with its quote when the original was deleted meanwhile, and refuses a wait that is too long", async () => {
    setClock(START);
    const { api } = desk();
    const { body: mail } = await api.post("/api/emails", { from: "ann@example.com", to: "x@y.example", body: "Orig" });
    const { body: draft } = await api.post("/api/emails/drafts", {
      inReplyTo: mail.id,
      subject: "Re: it",
      body: "Yes",
    });
    for (const wrong of ["undoSeconds=121", "undoSeconds=-1", "undoSeconds=soon", "wait=1"]) {
      expectProblem(await api.post(`/api/emails/drafts/${draft.id}/send?${wrong}`), 422, "validation_failed");
    }
    const { body: email } = await api.post(`/api/emails/drafts/${draft.id}/send?undoSeconds=10`);
    await api.delete(`/api/emails/${mail.id}`);
    const { body: again } = await api.post(`/api/emails/${email.id}/cancel-send`);
    expect(again).toMatchObject({ inReplyTo: null, quote: false });
    expect(again.body).toContain("> Orig");
  });
});

describe("a server that is killed", () => {
  it("between the claim of a scheduled email and its sending leaves one that may have left, and none sends it again", async () => {
    setClock(START);
    const { sent, vars, schedule, deliveryOf } = desk();
    const { id } = await schedule(START + 1000);
    takeQueued();
    setClock(START + 2000);
    await env.DB.prepare("UPDATE emails SET delivery = 'sending', updated_at = ? WHERE id = ?")
      .bind(START + 2000, id)
      .run();
    await deliverBatch("jobs", [{ kind: "email.send", id }], { vars });
    await sendDueEmails(systemCtx(vars));
    await deliverQueue({ vars });
    expect([sent.length, await deliveryOf(id)]).toEqual([0, "sending"]);
  });
});
