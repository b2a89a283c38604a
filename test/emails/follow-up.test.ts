import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { deliver } from "./deliver.ts";
import { fakeMail } from "./fake-mail.ts";
import { storeMail } from "./new-mail.ts";

const { EMAIL } = fakeMail();
const api = service({ EMAIL, MAIL_FROM: "assistant@ours.example" });
const DAY = 86_400_000;
beforeEach(emptyService);
afterEach(() => void vi.useRealTimers());

const letter = { to: ["ann@example.com"], subject: "Offer", body: "Do you take it?", followUpDays: 3 };
const inbox = async (): Promise<{ id: number; followUpAt: string | null }[]> =>
  (await api.get("/api/emails/threads?status=inbox")).body.data;
const read = async (id: number) => (await api.get(`/api/emails/${id}`)).body;

async function send(fields: object = {}) {
  const { status, body } = await api.post("/api/emails/send", { ...letter, ...fields });
  expect(status).toBe(201);
  return body;
}

describe("a sent email that waits for a reply", () => {
  it("is not in the inbox until its days are over, and then is at its top, with the reason", async () => {
    const sent = await send();
    expect(new Date(sent.followUpAt).getTime() - new Date(sent.receivedAt).getTime()).toBe(3 * DAY);
    expect(await inbox()).toEqual([]);
    expect((await api.get("/api/emails?snoozed=true")).body.data).toHaveLength(1);
    expect((await api.get("/api/emails?direction=outbound")).body.data).toHaveLength(1);
    await storeMail(api, "other", { subject: "newer" });
    setClock(Date.now() + 3 * DAY + 1000);
    expect(await inbox()).toMatchObject([{ id: sent.id, followUpAt: sent.followUpAt }, { followUpAt: null }]);
  });

  it("stays away once somebody replies, but not for an automatic reply", async () => {
    const sent = await send();
    const head = `Message-ID: <r1@example.com>\r\nIn-Reply-To: ${sent.messageId}\r\nFrom: Ann <ann@example.com>\r\nTo: me@example.com\r\n`;
    await deliver(`${head}Auto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away.`);
    expect((await read(sent.id)).followUpAt).toBe(sent.followUpAt);
    await deliver(`${head.replace("r1", "r2")}Subject: Re: Offer\r\n\r\nYes, I take it.`);
    expect(await read(sent.id)).toMatchObject({ followUpAt: null, snoozedUntil: null, status: "archived" });
    setClock(Date.now() + 4 * DAY);
    expect((await inbox()).map(({ id }) => id)).not.toContain(sent.id);
  });

  it("can be one that was sent before, and can stop waiting", async () => {
    const sent = await send({ followUpDays: null });
    expect(sent.followUpAt).toBeNull();
    const { body } = await api.patch(`/api/emails/${sent.id}`, { followUpDays: 1 });
    expect(body).toMatchObject({ status: "inbox", snoozedUntil: body.followUpAt });
    const ended = await api.patch(`/api/emails/${sent.id}`, { followUpDays: null });
    expect(ended.body).toMatchObject({ status: "archived", snoozedUntil: null, followUpAt: null });
    const received = await storeMail(api, "in", {});
    expectProblem(await api.patch(`/api/emails/${received.id}`, { followUpDays: 1 }), 422, "validation_failed");
  });

  it("keeps its days with the draft, while it is scheduled, and when it is taken back", async () => {
    const draft = (await api.post("/api/emails/drafts", letter)).body;
    expect(draft.followUpDays).toBe(3);
    const sendAt = new Date(Date.now() + DAY).toISOString();
    await api.patch(`/api/emails/drafts/${draft.id}`, { sendAt });
    const scheduled = (await api.post(`/api/emails/drafts/${draft.id}/send`)).body;
    expect(new Date(scheduled.followUpAt).getTime()).toBe(new Date(sendAt).getTime() + 3 * DAY);
    expect(await inbox()).toEqual([]);
    const again = (await api.post(`/api/emails/${scheduled.id}/cancel-send`)).body;
    expect(again.followUpDays).toBe(3);
    expect(await inbox()).toEqual([]);
  });

  it("also waits in a muted conversation, and for a reply that was snoozed by the person", async () => {
    const sent = await send();
    await api.patch("/api/emails", { ids: [sent.id], snoozeText: "in 9 days" });
    await deliver(
      `Message-ID: <r3@example.com>\r\nIn-Reply-To: ${sent.messageId}\r\nFrom: ann@example.com\r\nTo: me@example.com\r\nSubject: Re: Offer\r\n\r\nYes.`,
    );
    const { followUpAt, snoozedUntil } = await read(sent.id);
    expect(followUpAt).toBeNull();
    expect(new Date(snoozedUntil).getTime()).toBeGreaterThan(Date.now() + 8 * DAY);
  });
});
