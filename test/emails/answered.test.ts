import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sendDueEmails, sendScheduled } from "../../src/features/emails/sending/scheduled.ts";
import { setClock, signedInPerson } from "../auth/people.ts";
import { emptyService, expectErrorLog, service, systemCtx } from "../harness.ts";
import { takeQueued } from "../queued.ts";
import { deliver } from "./deliver.ts";
import { fakeMail, refusal } from "./fake-mail.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
const { EMAIL } = fakeMail();
const mailing = service({ EMAIL, MAIL_FROM: "me@example.com" });

beforeEach(async () => {
  await emptyService();
  return () => vi.useRealTimers();
});

const QUESTION = "Hi Ada,\n\ncould you please tell me by Friday whether you can come? I need your answer.";

async function question(id: string, fields: Record<string, unknown> = {}) {
  const mail = await storeMail(api, "ask", { messageId: `<${id}@x>`, subject: id, body: QUESTION, ...fields });
  await api.get(`/api/emails/${mail.id}/ai-analysis`);
  return mail;
}

async function waiting(): Promise<string[]> {
  const { body } = await api.get("/api/emails?replyNeeded=true");
  return body.data.map(({ subject }: { subject: string }) => subject);
}

const neededOf = async (id: number) => (await api.get(`/api/emails/${id}`)).body.replyNeeded;

async function totals() {
  const row = await env.DB.prepare("SELECT reply_needed FROM email_totals").first<{ reply_needed: number }>();
  return row?.reply_needed;
}

describe("an email that waits for an answer", () => {
  it("waits no longer once a reply has left, and one that came later still does", async () => {
    const first = await question("first");
    expect([await waiting(), await totals()]).toEqual([["first"], 1]);
    await mailing.post(`/api/emails/${first.id}/reply`, { body: "Yes, I will come." });
    expect([await waiting(), await totals()]).toEqual([[], 0]);
    expect(await neededOf(first.id)).toBe(false);
    await question("second", { inReplyTo: "<first@x>" });
    expect(await waiting()).toEqual(["second"]);
  });

  it("waits no longer once a draft was sent", async () => {
    const asked = await question("draft");
    const draft = await mailing.post("/api/emails/drafts", { inReplyTo: asked.id, body: "Yes." });
    expect(await waiting()).toEqual(["draft"]);
    const sent = await mailing.post(`/api/emails/drafts/${draft.body.id}/send`, {});
    expect(sent.body.delivery).toBe("sent");
    expect(await waiting()).toEqual([]);
  });

  it("waits until a scheduled answer has left, which answers nothing that came after it was written", async () => {
    const asked = await question("scheduled");
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { body: answer } = await mailing.post(`/api/emails/${asked.id}/reply`, { body: "Yes.", sendAt });
    takeQueued();
    expect(answer.delivery).toBe("scheduled");
    setClock(Date.now() + 60_000);
    await question("later", { inReplyTo: "<scheduled@x>" });
    expect(await waiting()).toEqual(["later", "scheduled"]);
    setClock(Date.now() + 2 * 3_600_000);
    await sendDueEmails(systemCtx({ EMAIL, MAIL_FROM: "me@example.com" }));
    takeQueued();
    await sendScheduled(systemCtx({ EMAIL, MAIL_FROM: "me@example.com" }), { id: answer.id });
    expect(await waiting()).toEqual(["later"]);
  });

  it("still waits after an answer that the email service refused", async () => {
    expectErrorLog("mail_not_sent");
    const asked = await question("refused");
    const { EMAIL: refusing } = fakeMail(() => {
      throw refusal();
    });
    const failing = service({ EMAIL: refusing, MAIL_FROM: "me@example.com" });
    expect((await failing.post(`/api/emails/${asked.id}/reply`, { body: "Yes." })).status).toBe(502);
    expect(await waiting()).toEqual(["refused"]);
  });

  it("is answered by a stored copy of the person's own message, also one that was there before the analysis", async () => {
    await question("copied");
    await storeMail(api, "ask", { direction: "outbound", inReplyTo: "<copied@x>", body: "Yes." });
    expect(await waiting()).toEqual([]);
    const hour = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await storeMail(api, "ask", { direction: "outbound", inReplyTo: "<old@x>", body: "Yes.", receivedAt: hour(1) });
    await question("old", { receivedAt: hour(2) });
    expect(await waiting()).toEqual([]);
    await question("newer", { inReplyTo: "<old@x>" });
    expect(await waiting()).toEqual(["newer"]);
  });

  it("is answered by a copy that arrives from an address of the person, but not by one that is forged", async () => {
    const { email } = await signedInPerson("owner");
    await question("carbon", { receivedAt: new Date(Date.now() - 60_000).toISOString() });
    const copy = (results: string, id: string) =>
      deliver(
        `Received: from x by cloudflare-email.net (cloudflare) id 1
Authentication-Results: mx.cloudflare.net; ${results} header.from=${email.split("@")[1]}
From: <${email}>
To: ann@example.com
Message-ID: <${id}@x>
In-Reply-To: <carbon@x>
Subject: Re: carbon

Yes, I will come.
`,
        { from: email, vars: { ALLOW_PRIVATE_HOSTS: "false" } },
      );
    await copy("dmarc=fail", "forged");
    expect(await waiting()).toEqual(["carbon"]);
    await copy("dmarc=pass", "real");
    expect(await waiting()).toEqual([]);
  });

  it("is settled by the person's word, one or many, which a new analysis keeps", async () => {
    const one = await question("one");
    const two = await question("two");
    const said = await api.patch(`/api/emails/${one.id}`, { replyNeeded: false });
    expect(said.body).toMatchObject({ replyNeeded: false, analysis: { replyNeeded: true } });
    await api.post(`/api/emails/${one.id}/ai-analysis`, {});
    expect(await waiting()).toEqual(["two"]);
    await api.patch("/api/emails", { ids: [one.id, two.id], replyNeeded: false });
    expect([await waiting(), await totals()]).toEqual([[], 0]);
    await api.patch("/api/emails", { ids: [one.id, two.id], replyNeeded: true });
    expect(await waiting()).toEqual(["two", "one"]);
  });

  it("stays settled when the answer came before the first analysis", async () => {
    await signedInPerson("owner");
    await deliver(`From: Ann <ann@example.com>\nMessage-ID: <early@x>\nSubject: early\n\n${QUESTION}\n`);
    await storeMail(api, "ask", { direction: "outbound", inReplyTo: "<early@x>", body: "Yes." });
    const { body } = await api.get("/api/emails?q=early&direction=inbound");
    const { body: analysis } = await api.get(`/api/emails/${body.data[0].id}/ai-analysis`);
    expect(analysis.replyNeeded).toBe(true);
    expect(await waiting()).toEqual([]);
    takeQueued();
  });
});
