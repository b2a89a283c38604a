import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { deliverAndAnalyse } from "./deliver.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
const BODY =
  "Hi Ann,\n\nplease send me the signed contract by Friday at 5pm. Could we have a call on Monday at 10am?\n\nBob";
const received = { body: BODY, subject: "Contract", receivedAt: "2026-11-18T10:00:00Z" };

describe("the analysis of a stored mail", () => {
  it("is made on the first read, counted from when the mail arrived, and kept", async () => {
    const mail = await storeMail(api, "analysis", received);
    const first = await api.get(`/api/emails/${mail.id}/ai-analysis`);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      meeting: { title: "Contract", start: "2026-11-23T10:00:00.000Z" },
      engine: { kind: "builtin" },
    });
    expect(first.body.actionItems[0].dueAt).toBe("2026-11-20T17:00:00.000Z");
    const again = await api.get(`/api/emails/${mail.id}/ai-analysis?timeZone=Asia/Tokyo`);
    expect(again.body).toEqual(first.body);
    const { body: stored } = await api.get(`/api/emails/${mail.id}`);
    expect(stored.analysis).toEqual(first.body);
    expect(stored.version).toBe(mail.version + 1);
    const { body: list } = await api.get(`/api/emails?tag=analysis&urgency=${first.body.urgency.level}`);
    expect(list.data.map(({ id }: { id: number }) => id)).toContain(mail.id);
  });

  it("is made once by ten first reads at once", async () => {
    const mail = await storeMail(api, "analysis", received);
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.get(`/api/emails/${mail.id}/ai-analysis`)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await api.get(`/api/emails/${mail.id}`)).body.version).toBe(mail.version + 1);
  });

  it("is made anew on request, in the asked zone", async () => {
    const mail = await storeMail(api, "analysis", received);
    await api.get(`/api/emails/${mail.id}/ai-analysis`);
    const { status, body } = await api.post(`/api/emails/${mail.id}/ai-analysis?timeZone=Europe/Berlin`);
    expect(status).toBe(200);
    expect(body.meeting.start).toBe("2026-11-23T09:00:00.000Z");
    expect((await api.get(`/api/emails/${mail.id}`)).body.analysis).toEqual(body);
  });

  it("is made anew once for one Idempotency-Key", async () => {
    const mail = await storeMail(api, "analysis", received);
    const again = () =>
      api.post(`/api/emails/${mail.id}/ai-analysis`, undefined, { headers: { "idempotency-key": `again-${mail.id}` } });
    const first = await again();
    const second = await again();
    expect([second.headers.get("idempotency-replayed"), second.body]).toEqual(["true", first.body]);
    expect((await api.get(`/api/emails/${mail.id}`)).body.version).toBe(mail.version + 1);
  });

  it("of a mail that is not there is 404, and an unknown zone 422", async () => {
    expectProblem(await api.get("/api/emails/999999/ai-analysis"), 404, "not_found");
    expectProblem(await api.post("/api/emails/999999/ai-analysis"), 404, "not_found");
    const mail = await storeMail(api, "analysis", received);
    expectProblem(await api.get(`/api/emails/${mail.id}/ai-analysis?timeZone=Mars`), 422, "validation_failed");
  });

  it("of an inbound mail is made by the queue, after the delivery is over", async () => {
    await deliverAndAnalyse(
      "From: Bob <bob@example.org>\nTo: analysed@example.com\nMessage-ID: <analysed@x>\nSubject: Contract\n\nPlease send me the contract by tomorrow.\n",
      { to: "analysed@example.com" },
    );
    const { body } = await api.get("/api/emails?tag=analysed");
    expect(body.data[0].analysis).toMatchObject({
      replyNeeded: true,
      actionItems: [{ quote: { text: "Please send me the contract by tomorrow." } }],
    });
  });

  it("can be asked for by emailId without being stored", async () => {
    const mail = await storeMail(api, "analysis", received);
    const { status, body } = await api.post("/api/ai/email-intelligence", { emailId: mail.id });
    expect(status).toBe(200);
    expect(body.meeting.start).toBe("2026-11-23T10:00:00.000Z");
    expect((await api.get(`/api/emails/${mail.id}`)).body.analysis).toBeNull();
    expectProblem(await api.post("/api/ai/email-intelligence", { emailId: 999999 }), 404, "not_found");
    expectProblem(
      await api.post("/api/ai/email-intelligence", { emailId: mail.id, content: "x" }),
      422,
      "validation_failed",
    );
    expectProblem(await api.post("/api/ai/email-intelligence", {}), 422, "validation_failed");
  });
});
