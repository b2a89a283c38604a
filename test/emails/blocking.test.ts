import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyService, expectProblem, service } from "../harness.ts";
import { deliverQueue, queued } from "../queued.ts";
import { newWebhook, removeWebhooks } from "../webhooks/receiver.ts";
import { deliver } from "./deliver.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
const PATH = "/api/emails/blocked-senders";

beforeEach(async () => {
  await emptyService();
  await env.DB.prepare("DELETE FROM blocked_senders").run();
  await removeWebhooks();
});

async function arrive(from: string, body = "Please send the contract by Friday.") {
  const id = crypto.randomUUID();
  await deliver(`From: ${from}\nMessage-ID: <${id}>\nSubject: Hi\n\n${body}\n`, { from });
  const row = await env.DB.prepare("SELECT id FROM emails WHERE message_key = ?").bind(id).first();
  return (await api.get(`/api/emails/${row?.id}`)).body;
}

describe("a blocked sender", () => {
  it("is an address or a domain, once, and can be unblocked", async () => {
    const first = await api.post(PATH, { sender: " Spam@Example.com " });
    expect(first).toMatchObject({ status: 201, body: { sender: "spam@example.com", kind: "address" } });
    expect(await api.post(PATH, { sender: "spam@example.com" })).toMatchObject({ status: 200, body: first.body });
    const domain = await api.post(PATH, { sender: "@bad.example" });
    expect(domain).toMatchObject({ status: 201, body: { sender: "bad.example", kind: "domain" } });
    const list = await api.get(`${PATH}?limit=1`);
    expect(list.body.data).toEqual([domain.body]);
    expect((await api.get(`${PATH}?limit=1&cursor=${list.body.nextCursor}`)).body.data).toEqual([first.body]);
    const half = await api.post(PATH, { sender: "half@example.com", unverifiedOnly: true });
    expect(half).toMatchObject({ status: 201, body: { unverifiedOnly: true } });
    expect((await api.delete(`${PATH}/${first.body.id}`)).status).toBe(204);
    expectProblem(await api.delete(`${PATH}/${first.body.id}`), 404, "not_found");
    for (const sender of ["", "x", "a@", "a b@example.com", "*.example.com", "com"]) {
      expectProblem(await api.post(PATH, { sender }), 422, "validation_failed");
    }
  });

  it("reaches only the trash: no task, no analysis, no webhook, nothing lost", async () => {
    const webhook = await newWebhook([]);
    await api.post(PATH, { sender: "spam@example.com" });
    await api.post(PATH, { sender: "bad.example" });
    for (const from of ["spam@example.com", "SPAM@example.com", "x@bad.example", "y@mail.bad.example"]) {
      const email = await arrive(from);
      expect(email, from).toMatchObject({
        status: "trash",
        isRead: true,
        body: "Please send the contract by Friday.",
        appliedRules: [{ id: null, name: "Blocked sender" }],
      });
    }
    expect(queued().filter(({ body }) => (body as { kind: string }).kind === "email.analysis")).toEqual([]);
    await deliverQueue();
    expect(await webhook.events()).toEqual([]);
    expect((await api.get("/api/tasks")).body.data).toEqual([]);
    for (const from of ["other@example.com", "x@notbad.example"]) expect((await arrive(from)).status).toBe("inbox");
  });

  it("changes no event by an invitation", async () => {
    await api.post(PATH, { sender: "spam@example.com" });
    const ics = [
      "BEGIN:VCALENDAR",
      "METHOD:REQUEST",
      "BEGIN:VEVENT",
      "UID:blocked-1",
      "SUMMARY:Buy now",
      "DTSTART:20261201T100000Z",
      "DTEND:20261201T110000Z",
      "ORGANIZER:mailto:spam@example.com",
      "ATTENDEE:mailto:hello@example.com",
      "END:VEVENT",
      "END:VCALENDAR",
    ].join("\n");
    const raw = `From: spam@example.com\nMessage-ID: <inv-blocked>\nSubject: Buy\nMIME-Version: 1.0\nContent-Type: text/calendar; method=REQUEST\n\n${ics}\n`;
    await deliver(raw, { from: "spam@example.com" });
    expect((await api.get("/api/calendar/events")).body.data).toEqual([]);
  });

  it("is taken from an email, which goes to the trash", async () => {
    const mail = await storeMail(api, "block-mail", { from: "Spam <Spam@mail.bad.example>" });
    const answer = await api.post(`/api/emails/${mail.id}/block-sender`, {});
    expect(answer).toMatchObject({ status: 201, body: { sender: "spam@mail.bad.example", kind: "address" } });
    expect((await api.get(`/api/emails/${mail.id}`)).body).toMatchObject({ status: "trash", isRead: true, version: 2 });
    const again = await api.post(`/api/emails/${mail.id}/block-sender`, { scope: "domain" });
    expect(again.body).toMatchObject({ sender: "mail.bad.example", kind: "domain" });
    expect((await api.post(`/api/emails/${mail.id}/block-sender`, {})).status).toBe(200);
    expect((await api.get(`/api/emails/${mail.id}`)).body.version).toBe(2);
    expectProblem(await api.post("/api/emails/999999/block-sender", {}), 404, "not_found");
    const own = await storeMail(api, "block-own", { direction: "outbound" });
    expectProblem(await api.post(`/api/emails/${own.id}/block-sender`, {}), 409, "conflict");
  });
});
