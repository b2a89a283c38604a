import { beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import { emptyService, expectErrorLog, expectProblem, service, takeLogs } from "../harness.ts";
import { apply, EVENTS, event, ics } from "./inviting.ts";
import { invited, lines, ME, mailbox, START } from "./responding.ts";

// Strangers may add only so many events a day.
beforeEach(emptyService);

describe("a response to an invitation", () => {
  it("that accepts it blocks the time and answers the organizer with an iTIP REPLY", async () => {
    const { api, replies } = mailbox();
    const { id, from, uid } = await invited();
    const answer = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted", comment: "See you; there" });
    expect(answer.body).toMatchObject({
      status: "confirmed",
      busy: true,
      awaitsAnswer: false,
      myResponse: "accepted",
      notified: true,
      attendees: [{ email: ME, response: "accepted" }, { response: "needs_action" }],
    });
    const [reply, ...others] = await replies();
    expect(others).toEqual([]);
    expect(reply).toMatchObject({
      to: from,
      subject: "Accepted: Board review",
      text: "Accepted: Board review, Tuesday 17 November 2054, 10:00–11:00 (Europe/Berlin)\n\nSee you; there",
      method: "REPLY",
    });
    expect(reply?.raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(reply?.raw).toMatch(/^Content-Type: text\/calendar; charset=utf-8; method=REPLY/m);
    expect(reply?.lines).toEqual(
      expect.arrayContaining([
        "METHOD:REPLY",
        `UID:${uid}`,
        "SEQUENCE:4",
        expect.stringMatching(/^DTSTAMP:\d{8}T\d{6}Z$/),
        "DTSTART:20541117T090000Z",
        `ORGANIZER;CN=Gina Ø:mailto:${from}`,
        `ATTENDEE;CN=Ada;PARTSTAT=ACCEPTED;SENT-BY="mailto:assistant@example.com":mailto:${ME}`,
        "COMMENT:See you\\; there",
      ]),
    );
    expect(reply?.lines.filter((line) => line.startsWith("ATTENDEE"))).toHaveLength(1);
  });

  it("makes the organizer known once it accepts, and not before", async () => {
    const { api } = mailbox();
    const { id, from } = await invited();
    await api.post(`${EVENTS}/${id}/respond`, { response: "declined" });
    const again = await apply(ics("REQUEST", `${from}-2`, 0, lines(from)), { from });
    expect(await event(again.results[0]?.eventId)).toMatchObject({ busy: false });
    await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    const known = await apply(ics("REQUEST", `${from}-3`, 0, lines(from)), { from });
    expect(await event(known.results[0]?.eventId)).toMatchObject({
      ...{ status: "tentative", busy: true, awaitsAnswer: true, myResponse: "needs_action" },
    });
  });

  it("does not make a calendar service known that sends for many organizers", async () => {
    const { api } = mailbox();
    const from = "noreply@calendars.example";
    const { results } = await apply(ics("REQUEST", "behalf-1", 0, lines("gina@example.net")), { from });
    await api.post(`${EVENTS}/${results[0]?.eventId}/respond`, { response: "accepted" });
    const other = await apply(ics("REQUEST", "behalf-2", 0, lines("eve@example.net")), { from });
    expect(await event(other.results[0]?.eventId)).toMatchObject({ busy: false, awaitsAnswer: true });
  });

  it("by an API key is stored and sent, and makes nobody known", async () => {
    const { api, sent } = mailbox();
    const ctx = await contextFor((await signedInPerson("owner")).token);
    const { key } = await createApiKey(ctx, {
      name: "Robot",
      scopes: ["calendar:read", "calendar:write"],
      expiresAt: null,
    });
    const { id, from } = await invited();
    const closed = service({ ...api.env, ACCESS_MODE: "private" });
    const answer = await closed.post(`${EVENTS}/${id}/respond`, { response: "accepted" }, { token: key });
    expect(answer.body).toMatchObject({ status: "confirmed", notified: true });
    expect(sent).toHaveLength(1);
    const next = await apply(ics("REQUEST", `${from}-2`, 0, lines(from)), { from });
    expect(await event(next.results[0]?.eventId)).toMatchObject({ busy: false });
  });

  it("can change, and each change is sent once", async () => {
    const { api, replies } = mailbox();
    const { id } = await invited();
    const respond = (response: string) => api.post(`${EVENTS}/${id}/respond`, { response });
    expect((await respond("declined")).body).toMatchObject({
      status: "cancelled",
      busy: false,
      myResponse: "declined",
    });
    expect((await respond("declined")).body).toMatchObject({ notified: true });
    expect((await respond("tentative")).body).toMatchObject({ status: "tentative", busy: true, awaitsAnswer: false });
    expect((await respond("accepted")).body).toMatchObject({ status: "confirmed", busy: true });
    const stated = (await replies()).map(({ subject }) => subject);
    expect(stated).toEqual(["Declined: Board review", "Tentatively accepted: Board review", "Accepted: Board review"]);
  });

  it("is sent once if two requests give it at the same time", async () => {
    const { api, sent } = mailbox();
    const { id } = await invited();
    const respond = (key: string) =>
      api.post(`${EVENTS}/${id}/respond`, { response: "accepted" }, { headers: { "idempotency-key": key } });
    const answers = await Promise.all([respond("a"), respond("b"), respond("c"), respond("a")]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
    expect(sent).toHaveLength(1);
    expect((await respond("a")).body).toMatchObject({ notified: true, status: "confirmed" });
    expect(sent).toHaveLength(1);
  });

  it("stays if the email is not accepted, says so, and is sent by the next try", async () => {
    let isBroken = true;
    const { api, sent } = mailbox(() => {
      if (isBroken) throw new Error("the mail service is down");
      return { messageId: "<x@mail.test>" };
    });
    const { id } = await invited();
    expectErrorLog("mail_not_sent");
    const first = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    expect(first.body).toMatchObject({ status: "confirmed", notified: false });
    isBroken = false;
    const second = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    expect(second.body).toMatchObject({ status: "confirmed", notified: true, version: first.body.version + 1 });
    expect(sent).toHaveLength(1);
    takeLogs();
  });

  it("that was cut off before its email left is sent by a later try", async () => {
    const { api, sent } = mailbox();
    const { id } = await invited();
    await api.post(`${EVENTS}/${id}/respond`, { response: "accepted", notify: false });
    const cutOff = async (minutes: number) => {
      const told = { response: "accepted", comment: null, state: "sending", at: Date.now() - minutes * 60_000 };
      await api.env.DB.prepare("UPDATE events SET invitation = json_set(invitation, '$.told', json(?)) WHERE id = ?")
        .bind(JSON.stringify(told), id)
        .run();
      await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    };
    await cutOff(0);
    expect(sent).toHaveLength(0);
    await cutOff(3);
    expect(sent).toHaveLength(1);
  });

  it("without outgoing email is stored and says that nobody was told; asked to tell, it is refused", async () => {
    const api = service({ EMAIL: undefined, ALLOW_PRIVATE_HOSTS: "false" });
    const { id } = await invited();
    const refused = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted", notify: true });
    expectProblem(refused, 501, "mail_not_configured");
    expect(await event(id)).toMatchObject({ awaitsAnswer: true, version: 1 });
    const stored = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    expect(stored.body).toMatchObject({ status: "confirmed", notified: false });
    const { api: later, sent } = mailbox();
    expect((await later.post(`${EVENTS}/${id}/respond`, { response: "accepted" })).body.notified).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it("with notify false tells nobody", async () => {
    const { api, sent } = mailbox();
    const { id } = await invited();
    const answer = await api.post(`${EVENTS}/${id}/respond`, { response: "declined", notify: false });
    expect(answer.body).toMatchObject({ status: "cancelled", notified: false });
    expect(sent).toEqual([]);
  });

  it("keeps a transparent invitation free", async () => {
    const { api } = mailbox();
    const { id } = await invited("TRANSP:TRANSPARENT");
    const answer = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    expect(answer.body).toMatchObject({ status: "confirmed", busy: false });
  });

  it("is refused for events that are no invitations, or that the organizer cancelled", async () => {
    const { api } = mailbox();
    const { body } = await api.post(EVENTS, { title: "Mine", start: "2054-11-18T10:00:00Z", attendees: [ME] });
    const booked = await api.post(EVENTS, { title: "B", start: "2054-11-18T12:00:00Z", bookingId: "respond-bk" });
    for (const { id } of [body, booked.body]) {
      expectProblem(await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" }), 409, "not_an_invitation");
    }
    const { id, from, uid } = await invited();
    await apply(ics("CANCEL", uid, 5, lines(from)), { from });
    expect(await event(id)).toMatchObject({ status: "cancelled", awaitsAnswer: false });
    expectProblem(await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" }), 409, "invalid_transition");
    expectProblem(await api.post(`${EVENTS}/999999/respond`, { response: "accepted" }), 404, "not_found");
    expectProblem(await api.post(`${EVENTS}/${id}/respond`, { response: "maybe" }), 422, "validation_failed");
  });

  it("is not sent for somebody else: it must name an attendee", async () => {
    const { api, sent } = mailbox();
    const from = "lists@example.org";
    const text = `${START}\nSUMMARY:List\nORGANIZER:mailto:${from}\nATTENDEE:mailto:list@example.org`;
    const { results } = await apply(ics("REQUEST", "not-named", 0, text), { from });
    const id = results[0]?.eventId;
    const asked = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted", notify: true });
    expectProblem(asked, 409, "organizer_unreachable");
    const stored = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    expect(stored.body).toMatchObject({ status: "confirmed", notified: false });
    expect(sent).toEqual([]);
  });

  it("never goes to the address of an email that failed authentication", async () => {
    const { api, sent } = mailbox();
    const email = await api.post("/api/emails", { from: "forged@example.org", subject: "x", body: "x" });
    await api.env.DB.prepare("UPDATE emails SET authentication = ? WHERE id = ?")
      .bind(JSON.stringify({ spf: "none", dkim: "none", dmarc: "fail" }), email.body.id)
      .run();
    const { results } = await apply(ics("REQUEST", "forged", 0, lines("forged@example.org")), {
      from: "forged@example.org",
      emailId: email.body.id,
    });
    const path = `${EVENTS}/${results[0]?.eventId}/respond`;
    expectProblem(await api.post(path, { response: "declined", notify: true }), 409, "organizer_unreachable");
    expect((await api.post(path, { response: "declined" })).body).toMatchObject({ notified: false });
    expect(sent).toEqual([]);
  });

  it("by changing the status counts as one, of which nobody is told", async () => {
    const { api, sent } = mailbox();
    const { id, from } = await invited();
    const { body } = await api.patch(`${EVENTS}/${id}`, { status: "confirmed" });
    expect(body).toMatchObject({ busy: true, awaitsAnswer: false, myResponse: "accepted" });
    expect(body.attendees[0]).toMatchObject({ email: ME, response: "accepted" });
    const known = await apply(ics("REQUEST", `${from}-2`, 0, lines(from)), { from });
    expect(await event(known.results[0]?.eventId)).toMatchObject({ busy: true });
    const other = await invited();
    const cancelled = await api.patch(`${EVENTS}/${other.id}`, { status: "cancelled" });
    expect(cancelled.body).toMatchObject({ busy: false, awaitsAnswer: false, myResponse: "declined" });
    expect(sent).toEqual([]);
  });
});
