import { beforeAll, describe, expect, it } from "vitest";
import { expectProblem } from "../harness.ts";
import { api, apply, call, EVENTS, event, ics, writeTo } from "./inviting.ts";

// What strangers send is in strangers.test.ts.
beforeAll(() => writeTo("grace@example.com"));

describe("an invitation", () => {
  it("becomes an event, is updated by a later one, and an older one changes nothing", async () => {
    const created = await apply(ics("REQUEST", "uid-basic", 1, call("20520701T090000", "LOCATION:Room 1")), {
      emailId: 7_000_000,
    });
    expect(created).toMatchObject({ method: "REQUEST", results: [{ action: "created" }] });
    const id = created.results[0]?.eventId;
    expect(await event(id)).toMatchObject({
      title: "Call, weekly",
      start: "2052-07-01T07:00:00.000Z",
      end: "2052-07-01T07:45:00.000Z",
      timeZone: "Europe/Berlin",
      location: "Room 1",
      source: "email",
      emailId: 7_000_000,
      icalUid: "uid-basic",
      sequence: 1,
      organizer: { name: "Grace Hopper", email: "grace@example.com" },
      attendees: [
        { name: "Lovelace, Ada", email: "ada@example.com", response: "needs_action" },
        { name: null, email: "bob@example.com", response: "accepted" },
      ],
    });
    await api.patch(`${EVENTS}/${id}`, { tags: ["mine"], notes: "my own" });
    const again = await apply(ics("REQUEST", "uid-basic", 1, call("20520701T090000", "LOCATION:Room 1")));
    expect(again.results).toEqual([{ action: "unchanged", eventId: id }]);
    const updated = await apply(ics("REQUEST", "uid-basic", 3, call("20520701T100000")));
    expect(updated.results).toEqual([{ action: "updated", eventId: id }]);
    expect(await event(id)).toMatchObject({
      start: "2052-07-01T08:00:00.000Z",
      location: null,
      tags: ["mine"],
      notes: "my own",
      sequence: 3,
    });
    const older = await apply(ics("REQUEST", "uid-basic", 2, call("20520701T150000")));
    expect(older.results).toEqual([{ action: "outdated", eventId: id }]);
    expect(await event(id)).toMatchObject({ start: "2052-07-01T08:00:00.000Z" });
  });

  it("is made once when the same mail is taken in twice at once", async () => {
    const text = ics("REQUEST", "uid-twice", 0, call("20520702T090000"));
    const answers = await Promise.all([apply(text), apply(text), apply(text)]);
    expect(answers.map(({ results }) => results[0]?.action).sort()).toEqual(["created", "unchanged", "unchanged"]);
  });

  it("is cancelled, and revived only by a later request", async () => {
    const { results } = await apply(ics("REQUEST", "uid-cancel", 0, call("20520703T090000")));
    const id = results[0]?.eventId;
    const cancelled = await apply(ics("CANCEL", "uid-cancel", 1, call("20520703T090000", "COMMENT:No longer needed")));
    expect(cancelled.results).toEqual([{ action: "cancelled", eventId: id }]);
    expect(await event(id)).toMatchObject({ status: "cancelled", cancelReason: "No longer needed" });
    expect((await apply(ics("CANCEL", "uid-cancel", 0, call("20520703T090000")))).results[0]?.action).toBe("outdated");
    expect((await apply(ics("REQUEST", "uid-cancel", 0, call("20520703T090000")))).results[0]?.action).toBe("outdated");
    await apply(ics("REQUEST", "uid-cancel", 2, call("20520703T090000")));
    expect(await event(id)).toMatchObject({ status: "confirmed", cancelReason: null });
    expect((await apply(ics("CANCEL", "uid-nobody", 0, call("20520703T090000")))).results[0]).toMatchObject({
      action: "ignored",
      eventId: null,
    });
  });

  it("that was deleted here stays deleted until the organizer changes it", async () => {
    const { results } = await apply(ics("REQUEST", "uid-deleted", 0, call("20520704T090000")));
    await api.delete(`${EVENTS}/${results[0]?.eventId}`);
    expect((await apply(ics("REQUEST", "uid-deleted", 0, call("20520704T090000")))).results[0]?.action).toBe(
      "outdated",
    );
    expectProblem(await api.get(`${EVENTS}/${results[0]?.eventId}`), 404, "not_found");
    expect((await apply(ics("REQUEST", "uid-deleted", 1, call("20520704T100000")))).results[0]?.action).toBe("updated");
    expect(await event(results[0]?.eventId)).toMatchObject({ start: "2052-07-04T08:00:00.000Z" });
  });

  it("takes the answers of those who are invited, for themselves", async () => {
    const { results } = await apply(ics("REQUEST", "uid-reply", 1, call("20520705T090000")));
    const id = results[0]?.eventId;
    const answer = (email: string, partstat: string, sequence = 1) =>
      ics("REPLY", "uid-reply", sequence, `DTSTART:20520705T070000Z\nATTENDEE;PARTSTAT=${partstat}:mailto:${email}`);
    expect((await apply(answer("ada@example.com", "DECLINED"), { from: "Ada@Example.com" })).results).toEqual([
      { action: "answered", eventId: id },
    ]);
    expect((await event(id)).attendees[0]).toMatchObject({ email: "ada@example.com", response: "declined" });
    expect((await apply(answer("bob@example.com", "DECLINED"), { from: "ada@example.com" })).results[0]?.action).toBe(
      "ignored",
    );
    expect((await apply(answer("eve@example.com", "ACCEPTED"), { from: "eve@example.com" })).results[0]?.action).toBe(
      "ignored",
    );
    expect(
      (await apply(answer("ada@example.com", "ACCEPTED", 0), { from: "ada@example.com" })).results[0]?.action,
    ).toBe("outdated");
    expect((await event(id)).attendees.map(({ response }: { response: string }) => response)).toEqual([
      "declined",
      "accepted",
    ]);
  });

  it("is changed only by the one who called it, and never one the booking provider keeps", async () => {
    const { results } = await apply(ics("REQUEST", "uid-owner", 0, call("20520706T090000")));
    const foreign = ics("CANCEL", "uid-owner", 9, call("20520706T090000")).replace(
      "Grace@example.com",
      "eve@example.com",
    );
    expect((await apply(foreign, { from: "eve@example.com" })).results[0]).toMatchObject({
      action: "ignored",
      eventId: results[0]?.eventId,
    });
    const nameless = ics("CANCEL", "uid-owner", 9, "DTSTART:20520706T070000Z");
    expect((await apply(nameless, { from: "eve@example.com" })).results[0]?.action).toBe("ignored");
    const booked = await api.post(EVENTS, { title: "Booked", start: "2052-07-06T12:00:00Z", bookingId: "ics-booked" });
    const request = ics("REQUEST", booked.body.icalUid, 9, call("20520706T090000"));
    expect((await apply(request)).results[0]).toMatchObject({ action: "ignored", eventId: booked.body.id });
  });

  it("is changed only by a mail of its organizer, whatever organizer the file names", async () => {
    const { results } = await apply(ics("REQUEST", "uid-sender", 0, call("20520707T090000")), {
      from: "GRACE@example.com",
    });
    const id = results[0]?.eventId;
    const anonymous = "DTSTART:20520707T070000Z\nSUMMARY:Taken over";
    for (const [method, lines] of [
      ["REQUEST", call("20520707T150000")],
      ["REQUEST", anonymous],
      ["CANCEL", call("20520707T090000")],
      ["CANCEL", anonymous],
      ["REQUEST", `${anonymous}\nSTATUS:CANCELLED`],
    ] as const) {
      const attempt = await apply(ics(method, "uid-sender", 9, lines), { from: "eve@example.com" });
      expect(attempt.results).toEqual([
        { action: "ignored", eventId: id, reason: expect.stringContaining("not the organizer") },
      ]);
    }
    expect(await event(id)).toMatchObject({ title: "Call, weekly", status: "confirmed", sequence: 0 });
    const own = await apply(ics("REQUEST", "uid-sender", 1, anonymous), { from: "Grace@Example.com" });
    expect(own.results[0]?.action).toBe("updated");
    expect(await event(id)).toMatchObject({ title: "Taken over", organizer: { email: "grace@example.com" } });
  });

  it("without an organizer belongs to who sent it", async () => {
    const lines = "DTSTART:20520708T070000Z\nSUMMARY:Fair";
    const { results } = await apply(ics("PUBLISH", "uid-nobodys", 0, lines), { from: "Fair@example.com" });
    const id = results[0]?.eventId;
    expect(await event(id)).toMatchObject({ organizer: { name: null, email: "fair@example.com" } });
    const foreign = ics("CANCEL", "uid-nobodys", 5, `${lines}\nORGANIZER:mailto:eve@example.com`);
    expect((await apply(foreign, { from: "eve@example.com" })).results[0]?.action).toBe("ignored");
    const own = await apply(ics("CANCEL", "uid-nobodys", 1, lines), { from: "fair@example.com" });
    expect(own.results[0]?.action).toBe("cancelled");
  });

  it("sent on behalf of the organizer is changed by either, also after the other did", async () => {
    const mail = await api.post("/api/emails", {
      messageId: "<on-behalf@example.com>",
      from: "Calendar <noreply@calendar.example>",
      subject: "Invitation",
      body: "See the attachment.",
    });
    const from = "noreply@calendar.example";
    const { results } = await apply(ics("REQUEST", "uid-behalf", 0, call("20520709T090000")), {
      from,
      emailId: mail.body.id,
    });
    const id = results[0]?.eventId;
    for (const [sequence, sender, action] of [
      [1, "grace@example.com", "updated"],
      [2, from, "updated"],
      [3, "eve@example.com", "ignored"],
      [4, "grace@example.com", "updated"],
    ] as const) {
      const request = ics("REQUEST", "uid-behalf", sequence, call("20520709T090000", `LOCATION:Room ${sequence}`));
      expect((await apply(request, { from: sender, emailId: 1_000_000 + sequence })).results).toMatchObject([
        { action, eventId: id },
      ]);
    }
    expect(await event(id)).toMatchObject({
      location: "Room 4",
      emailId: mail.body.id,
      organizer: { email: "grace@example.com" },
    });
  });

  it("never changes what was made here, and takes an answer to it", async () => {
    const made = { start: "2052-07-10T12:00:00Z", attendees: [{ email: "ada@example.com" }] };
    for (const source of ["manual", "chat", "workflow", "email"]) {
      const { body } = await api.post(EVENTS, { title: "Mine", ...made, source });
      for (const method of ["REQUEST", "CANCEL"]) {
        const attempt = await apply(ics(method, body.icalUid, 9, call("20520710T090000")));
        expect(attempt.results).toMatchObject([{ action: "ignored", eventId: body.id }]);
      }
      const answer = ics(
        "REPLY",
        body.icalUid,
        0,
        "DTSTART:20520710T120000Z\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.com",
      );
      expect((await apply(answer, { from: "ada@example.com" })).results[0]?.action).toBe("answered");
      expect(await event(body.id)).toMatchObject({ title: "Mine", status: "confirmed" });
    }
  });
});
