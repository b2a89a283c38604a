import { beforeEach, describe, expect, it } from "vitest";
import { emptyService } from "../harness.ts";
import { apply, EVENTS, event, ics, writeTo } from "./inviting.ts";
import { invited, lines, mailbox, START } from "./responding.ts";

// Strangers may add only so many events a day.
beforeEach(emptyService);

describe("an organizer's update", () => {
  it("keeps the person's response while the time stays, and asks again when it changes", async () => {
    const { api, sent } = mailbox();
    const { id, from, invite } = await invited();
    await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    await invite(5, lines(from, "LOCATION:Room 9"));
    expect(await event(id)).toMatchObject({ location: "Room 9", status: "confirmed", myResponse: "accepted" });
    expect((await event(id)).attendees[0].response).toBe("accepted");
    await invite(6, lines(from, "", START.replace("T10", "T15")));
    expect(await event(id)).toMatchObject({
      ...{ status: "tentative", busy: true, awaitsAnswer: true, myResponse: "needs_action" },
    });
    const again = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted", comment: "Later is fine" });
    expect(again.body).toMatchObject({ status: "confirmed", notified: true });
    expect(sent).toHaveLength(2);
  });

  it("never brings a declined event back as busy", async () => {
    const { api } = mailbox();
    const { id, from, invite } = await invited();
    await writeTo(from);
    await api.post(`${EVENTS}/${id}/respond`, { response: "declined" });
    await invite(5, lines(from, "LOCATION:Room 9\nSTATUS:CONFIRMED"));
    expect(await event(id)).toMatchObject({ status: "cancelled", busy: false, myResponse: "declined" });
    for (const sequence of [6, 7]) {
      await invite(sequence, lines(from, `LOCATION:Room ${sequence}`, START.replace("T10", "T15")));
      expect(await event(id)).toMatchObject({ status: "tentative", busy: false, awaitsAnswer: true });
    }
    const accepted = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    expect(accepted.body).toMatchObject({ status: "confirmed", busy: true });
  });
});

describe("a response to a series", () => {
  const SERIES = `${START}\nRRULE:FREQ=WEEKLY;COUNT=4`;
  const second = "2054-11-24T09:00:00.000Z";

  it("is one to all its occurrences, also those the organizer has moved", async () => {
    const { api, replies } = mailbox();
    const { id, from, uid } = await invited("", SERIES);
    const moved = "RECURRENCE-ID:20541124T090000Z\nDTSTART:20541124T150000Z\nDTEND:20541124T160000Z";
    await apply(ics("REQUEST", uid, 5, lines(from, "", moved)), { from });
    const statuses = async () =>
      (await api.get(`${EVENTS}?start=2054-11-16T00:00:00Z&end=2054-12-31T00:00:00Z`)).body.data
        .filter(({ icalUid }: { icalUid: string }) => icalUid === uid)
        .map(({ status, busy }: { status: string; busy: boolean }) => `${status} ${busy}`);
    expect(new Set(await statuses())).toEqual(new Set(["tentative false"]));
    for (const [response, standing] of [
      ["accepted", "confirmed true"],
      ["declined", "cancelled false"],
      ["tentative", "tentative true"],
    ] as const) {
      await api.post(`${EVENTS}/${id}/respond`, { response });
      expect(await statuses()).toEqual([standing, standing, standing, standing]);
    }
    const [first] = await replies();
    expect(first?.text).toContain("repeating");
    expect(first?.lines.some((line) => line.startsWith("RECURRENCE-ID"))).toBe(false);
  });

  it("can be one to a single occurrence, which the reply names", async () => {
    const { api, replies } = mailbox();
    const { id } = await invited("", SERIES);
    await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    const path = `${EVENTS}/${id}/respond?occurrence=${second}`;
    const answer = await api.post(path, { response: "declined", comment: "Travelling" });
    expect(answer.body).toMatchObject({
      status: "cancelled",
      originalStart: second,
      recurringEventId: id,
      notified: true,
    });
    expect(await event(id)).toMatchObject({ status: "confirmed", busy: true });
    const [, reply] = await replies();
    expect(reply?.lines).toContain("RECURRENCE-ID:20541124T090000Z");
    expect(reply?.lines).toContain("DTSTART:20541124T090000Z");
    expect((await api.post(path, { response: "declined", comment: "Travelling" })).body.notified).toBe(true);
    expect(await replies()).toHaveLength(2);
    const back = await api.post(`${EVENTS}/${answer.body.id}/respond`, { response: "accepted" });
    expect(back.body).toMatchObject({ status: "confirmed", busy: true, notified: true });
    expect((await replies())[2]?.lines).toContain("RECURRENCE-ID:20541124T090000Z");
  });
});
