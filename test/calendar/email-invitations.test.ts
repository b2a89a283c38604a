import { beforeEach, describe, expect, it } from "vitest";
import { deliver } from "../emails/deliver.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { deliverQueue, takeQueued } from "../queued.ts";
import { apply, EVENTS, event, ics } from "./inviting.ts";
import { lines, ME, mailbox } from "./responding.ts";

beforeEach(emptyService);

const UTC = "DTSTART:20541117T130000Z\nDURATION:PT1H";
let numbers = 0;

/** An email with an invitation, as an email program sends it. */
function message(method: string, { uid, from, sequence = 0, start = UTC, more = "" }: Sent): string {
  numbers += 1;
  const calendar = ics(method, uid, sequence, lines(from, more, start)).replaceAll("\r\n", "\n");
  return `From: Gina <${from}>
To: ${ME}
Message-ID: <in-email-${numbers}@example.org>
Date: Mon, 16 Nov 2026 10:00:00 +0100
Subject: Invitation
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

Please come.
--b
Content-Type: text/calendar; method=${method}; charset=utf-8

${calendar}
--b--
`;
}

interface Sent {
  uid: string;
  from: string;
  sequence?: number;
  start?: string;
  more?: string;
}

const people = () => {
  numbers += 1;
  return { uid: `in-email-${numbers}`, from: `gina-${numbers}@example.org` };
};

const latest = async (subject = "Invitation") => {
  const { body } = await service().get("/api/emails?status=any&limit=50");
  return body.data.find((email: { subject: string }) => email.subject === subject).id as number;
};

async function imported(raw: string): Promise<number> {
  const mbox = `From gina@example.org Tue Mar  3 10:00:00 2020\n${raw}\n`;
  const headers = { "content-type": "application/mbox" };
  expect((await service().post("/api/emails/import", undefined, { raw: mbox, headers })).status).toBe(202);
  await deliverQueue();
  return latest();
}

async function received(raw: string, from: string): Promise<number> {
  await deliver(raw, { from, to: ME });
  takeQueued();
  return latest();
}

const path = (id: number) => `/api/emails/${id}/invitation`;

describe("an invitation in an email", () => {
  it("that was imported says what it is about, and is accepted there: added, blocked and told once", async () => {
    const { api, replies } = mailbox();
    const sent = people();
    await api.post(EVENTS, { title: "Dentist", start: "2054-11-17T13:30:00Z", durationMinutes: 30 });
    const id = await imported(message("REQUEST", sent));
    const { body } = await api.get(path(id));
    expect(body).toMatchObject({ problem: null });
    expect(body.data).toEqual([
      expect.objectContaining({
        ...{ n: 1, state: "new", title: "Board review", start: "2054-11-17T13:00:00.000Z", timeZone: "UTC" },
        ...{ organizer: { name: "Gina Ø", email: sent.from }, event: null, canRespond: true, canApply: true },
        conflicts: [expect.objectContaining({ title: "Dentist" })],
      }),
    ]);
    const answer = await api.post(path(id), { response: "accepted", comment: "Gladly", seenVersion: null });
    expect(answer.body).toMatchObject({
      ...{ status: "confirmed", busy: true, myResponse: "accepted", notified: true, notNotifiedBecause: null },
      ...{ emailId: id, outside: true, conflicts: [{ title: "Dentist" }] },
    });
    const [reply, ...others] = await replies();
    expect(others).toEqual([]);
    expect(reply).toMatchObject({ to: sent.from, subject: "Accepted: Board review", method: "REPLY" });
    const [after] = (await api.get(path(id))).body.data;
    expect(after).toMatchObject({ state: "answered", canRespond: true, canApply: false });
    expect(after.event).toMatchObject({ id: answer.body.id, myResponse: "accepted" });
    // Another answer, from the same place.
    const changed = await api.post(path(id), { response: "declined", seenVersion: after.event.version });
    expect(changed.body).toMatchObject({ id: answer.body.id, status: "cancelled", notified: true });
    expect((await replies()).map(({ subject }) => subject)).toEqual([
      "Accepted: Board review",
      "Declined: Board review",
    ]);
  });

  it("that arrived is answered in its email, also one in the text that a program has stored", async () => {
    const { api, sent } = mailbox();
    const invitation = people();
    const arrived = await received(message("REQUEST", invitation), invitation.from);
    const [first] = (await api.get(path(arrived))).body.data;
    expect(first).toMatchObject({ state: "waiting", canRespond: true, event: { awaitsAnswer: true } });
    const answer = await api.post(path(arrived), { response: "tentative" });
    expect(answer.body).toMatchObject({ id: first.event.id, status: "tentative", notified: true });
    const other = people();
    const body = `Hello\n${ics("REQUEST", other.uid, 0, lines(other.from, "", UTC))}`;
    const stored = await api.post("/api/emails", { from: other.from, to: ME, subject: "In words", body });
    expect((await api.post(path(stored.body.id), { response: "accepted" })).body).toMatchObject({ notified: true });
    expect(sent).toHaveLength(2);
  });

  it("that two devices accept at once is added and told once; two different answers leave one of them", async () => {
    const { api, sent } = mailbox();
    const id = await imported(message("REQUEST", people()));
    const accept = () => api.post(path(id), { response: "accepted" });
    const answers = await Promise.all([accept(), accept(), accept()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(sent).toHaveLength(1);
    const { version } = answers[0]?.body ?? {};
    const both = await Promise.all(
      ["declined", "tentative"].map((response) => api.post(path(id), { response, seenVersion: version })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(sent).toHaveLength(2);
  });

  it("that the organizer has changed meanwhile is not answered unseen", async () => {
    const { api, sent } = mailbox();
    const invitation = people();
    const id = await received(message("REQUEST", invitation), invitation.from);
    const [seen] = (await api.get(path(id))).body.data;
    const later = lines(invitation.from, "", "DTSTART:20541118T130000Z\nDURATION:PT1H");
    await apply(ics("REQUEST", invitation.uid, 1, later), { from: invitation.from });
    const blind = { response: "accepted", seenVersion: seen.event.version };
    expectProblem(await api.post(path(id), blind), 412, "version_conflict");
    expectProblem(await api.post(path(id), { response: "accepted" }), 409, "conflict");
    expect(sent).toEqual([]);
    const [now] = (await api.get(path(id))).body.data;
    expect(now).toMatchObject({ state: "outdated", canRespond: true, event: { start: "2054-11-18T13:00:00.000Z" } });
    const answer = await api.post(path(id), { response: "accepted", seenVersion: now.event.version });
    expect(answer.body).toMatchObject({ start: "2054-11-18T13:00:00.000Z", notified: true });
  });

  it("that was imported in order is updated and cancelled from the emails", async () => {
    const { api, sent } = mailbox();
    const invitation = people();
    const first = await imported(message("REQUEST", invitation));
    await api.post(path(first), { response: "accepted" });
    const moved = { ...invitation, sequence: 1, start: "DTSTART:20541119T130000Z\nDURATION:PT1H" };
    const update = await imported(message("REQUEST", moved));
    expect((await api.get(path(update))).body.data[0]).toMatchObject({ state: "update", canApply: true });
    const applied = await api.post(path(update), {});
    expect(applied.body).toMatchObject({ start: "2054-11-19T13:00:00.000Z", awaitsAnswer: true, notified: false });
    const cancel = await imported(message("CANCEL", { ...moved, sequence: 2 }));
    expect((await api.get(path(cancel))).body.data[0]).toMatchObject({ state: "cancellation", canRespond: false });
    expectProblem(await api.post(path(cancel), { response: "accepted" }), 409, "not_an_invitation");
    expect((await api.post(path(cancel), {})).body).toMatchObject({ status: "cancelled" });
    expect((await api.get(path(first))).body.data[0]).toMatchObject({ state: "cancelled", canRespond: false });
    expectProblem(await api.post(path(first), { response: "accepted" }), 409, "conflict");
    expect(sent).toHaveLength(1);
  });

  it("without outgoing email says that nobody was told and why", async () => {
    const api = service({ EMAIL: undefined, ALLOW_PRIVATE_HOSTS: "false" });
    const id = await imported(message("REQUEST", people()));
    const answer = await api.post(path(id), { response: "accepted" });
    expect(answer.body).toMatchObject({ notified: false, notNotifiedBecause: "outgoing email is not set up" });
  });

  it("that names somebody else, or is over, is only added", async () => {
    const { api, sent } = mailbox();
    const numbersBefore = people();
    const calendar = `${UTC}\nSUMMARY:Fair\nORGANIZER:mailto:fair@example.org`;
    const body = ics("PUBLISH", numbersBefore.uid, 0, calendar);
    const fair = await api.post("/api/emails", { from: "fair@example.org", to: ME, subject: "Fair", body });
    const [found] = (await api.get(path(fair.body.id))).body.data;
    expect(found).toMatchObject({ state: "new", canRespond: false, canApply: true });
    expect((await api.post(path(fair.body.id), {})).body).toMatchObject({ status: "confirmed", busy: true });
    expect((await api.get(path(fair.body.id))).body.data[0]).toMatchObject({ state: "listed", canApply: false });
    const old = await imported(message("REQUEST", { ...people(), start: "DTSTART:20240101T100000Z\nDURATION:PT1H" }));
    expect((await api.get(path(old))).body.data[0]).toMatchObject({ isOver: true, canRespond: false, canApply: true });
    expectProblem(await api.post(path(old), { response: "accepted" }), 409, "not_an_invitation");
    expect(sent).toEqual([]);
  });

  it("comes back when the person has deleted its event and accepts it again", async () => {
    const { api } = mailbox();
    const id = await imported(message("REQUEST", people()));
    const added = await api.post(path(id), { response: "accepted" });
    await api.delete(`${EVENTS}/${added.body.id}`);
    expect((await api.get(path(id))).body.data[0]).toMatchObject({ state: "new", event: null });
    const again = await api.post(path(id), { response: "accepted" });
    expect(again.body).toMatchObject({ id: added.body.id, status: "confirmed" });
    expect(await event(added.body.id)).toMatchObject({ status: "confirmed" });
  });

  it("cannot be read, is not there, or is a response: each says so", async () => {
    const { api } = mailbox();
    const broken = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:nonsense\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    const email = await api.post("/api/emails", { from: "a@example.org", to: ME, subject: "Broken", body: broken });
    const read = await api.get(path(email.body.id));
    expect(read.body).toMatchObject({ data: [], problem: expect.any(String) });
    expectProblem(await api.post(path(email.body.id), { response: "accepted" }), 409, "not_an_invitation");
    const plain = await api.post("/api/emails", { from: "a@example.org", to: ME, subject: "Hi", body: "Hi" });
    expect((await api.get(path(plain.body.id))).body).toEqual({ data: [], problem: null });
    expectProblem(await api.get(path(999_999)), 404, "not_found");
    const reply = ics("REPLY", "x-reply", 0, `${UTC}\nATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com`);
    const told = await api.post("/api/emails", { from: "bob@example.com", to: ME, subject: "Yes", body: reply });
    expect((await api.get(path(told.body.id))).body.data[0]).toMatchObject({ state: "response", canApply: false });
  });
});
