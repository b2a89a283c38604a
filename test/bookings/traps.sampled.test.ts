import { describe, expect, it } from "vitest";
import { deliver } from "../emails/deliver.ts";
import type { Booking } from "../fakes/bookingsvc/world.ts";
import { emptyService } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { newAccount, slot } from "./account.ts";

describe("what the provider does, and what becomes of it", () => {
  it("1. its totals lie: the walk stops at a short page", async () => {
    const account = await newAccount();
    await account.book(...Array.from({ length: 5 }, (_, n) => ({ start: slot(n) })));
    await account.sync();
    await account.requests();
    const run = await account.sync();
    expect(run).toMatchObject({ status: "succeeded", created: 0, updated: 0 });
    expect(await account.requests()).toHaveLength(1);
  });

  it("2. rows move while it walks: none is lost, none comes twice", async () => {
    const account = await newAccount();
    const booked = await account.book(...Array.from({ length: 600 }, (_, n) => ({ start: slot(n) })));
    // After the first page its first row changes, so every later row moves up by one place.
    await account.faults({ kind: "touch", from: 1, times: 1, uid: booked[0]?.uid });
    const run = await account.sync();
    expect(run).toMatchObject({ status: "succeeded", created: 600 });
    expect(await countEvents(account)).toBe(600);
  });

  rarely("2b. a whole page and more of one moment is walked by skipping within it", async () => {
    const account = await newAccount();
    const booked = await account.book(...Array.from({ length: 520 }, (_, n) => ({ start: slot(n) })));
    const moment = new Date().toISOString();
    for (const { uid } of booked) await account.change(uid, { updatedAt: moment });
    expect(await account.sync()).toMatchObject({ status: "succeeded", created: 520 });
    expect(await countEvents(account)).toBe(520);
  });

  it("3. a booking without a time of change is found by the full pass", async () => {
    const account = await newAccount();
    await account.sync();
    const [booking] = await account.book({ start: slot(1) });
    await account.change(booking?.uid ?? "", { updatedAt: null });
    expect(await account.sync()).toMatchObject({ mode: "incremental", created: 0 });
    expect(await account.sync({ full: true })).toMatchObject({ mode: "full", created: 1 });
    expect(await account.sync({ full: true })).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  it("4. a reschedule is a new booking, linked to the one it replaces", async () => {
    const account = await newAccount();
    const [first] = await account.book({ start: slot(1) });
    await account.sync();
    const second = await account.reschedule(first?.uid ?? "", slot(5));
    const third = await account.reschedule(second.uid, slot(9));
    await account.sync();
    const events = await account.events();
    const of = (uid: string) => events.find((event: { bookingId: string }) => event.bookingId === uid);
    expect(of(first?.uid ?? "")).toMatchObject({ status: "cancelled", cancelReason: "Something came up" });
    expect(of(second.uid)).toMatchObject({ status: "cancelled", rescheduledFromId: of(first?.uid ?? "").id });
    expect(of(third.uid)).toMatchObject({
      status: "confirmed",
      rescheduledFromId: of(second.uid).id,
      cancelReason: null,
    });
  });

  it("5. occurrences of a series are events of their own, and seats change in place", async () => {
    const account = await newAccount();
    const recurringBookingUid = "series-1";
    await account.book(...[1, 25, 49].map((hours) => ({ start: slot(hours), recurringBookingUid })));
    const [seated] = await account.book({ start: slot(3), seats: true });
    await account.sync();
    const seats = [
      ...(seated?.attendees ?? []),
      { name: "Ann", email: "ann@example.org", timeZone: "UTC", absent: false, seatUid: "s2" },
    ];
    await account.change(seated?.uid ?? "", { attendees: seats });
    expect(await account.sync()).toMatchObject({ created: 0, updated: 1 });
    await account.change(seated?.uid ?? "", { attendees: seats.slice(1) });
    await account.sync();
    const events = await account.events();
    expect(events).toHaveLength(4);
    const event = events.find(({ bookingId }: { bookingId: string }) => bookingId === seated?.uid);
    expect(event.attendees.map(({ email }: { email: string }) => email)).toEqual(["ann@example.org"]);
  });

  it.each([
    ["accepted", "confirmed"],
    ["pending", "tentative"],
    ["awaiting_host", "tentative"],
    ["cancelled", "cancelled"],
    ["rejected", "cancelled"],
    ["quantum", "tentative"],
  ])("6. the status %s becomes %s and is kept as it was", async (external, status) => {
    const account = await newAccount();
    await account.book({ start: slot(1), status: external });
    const run = await account.sync();
    expect(run.status).toBe("succeeded");
    expect(await account.events()).toMatchObject([{ status, externalStatus: external }]);
    expect(run.errors).toEqual(external === "quantum" ? [expect.stringContaining("quantum")] : []);
  });

  it.each([
    ["integrations:google:meet", null, null],
    ["unknown", null, null],
    [null, null, null],
    ["+49 30 1234567", "+49 30 1234567", null],
    ["Main Street 1", "Main Street 1", null],
    ["https://video.example.com/x", "https://video.example.com/x", "https://video.example.com/x"],
  ])("7. the location %s is taken for what it is", async (location, place, meetingUrl) => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1), location });
    await account.change(booking?.uid ?? "", {
      hosts: [{ id: "unknown", name: "X", email: "x@example.com", timeZone: "UTC" }],
      eventType: null,
    });
    await account.sync();
    expect(await account.events()).toMatchObject([{ location: place, meetingUrl }]);
  });

  it.each(["", null])("7b. a person whose address is %j is left out, and the booking is not", async (email) => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    const attendees = [
      { name: "By phone", email, timeZone: "UTC", absent: false },
      { name: "Ann", email: "ann@example.com", timeZone: "UTC", absent: false },
    ];
    const hosts = [{ id: "unknown", name: "X", email, timeZone: "UTC" }];
    await account.change(booking?.uid ?? "", { hosts, attendees } as Partial<Booking>);
    expect(await account.sync()).toMatchObject({ created: 1, skipped: 0 });
    expect(await account.events()).toMatchObject([{ organizer: null, attendees: [{ email: "ann@example.com" }] }]);
  });

  it("8. an older state never replaces a newer one, and what a person added stays", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    await account.sync();
    const [event] = await account.events();
    await account.client.patch(`/api/calendar/events/${event.id}`, { tags: ["vip"], notes: "bring cake" });
    const newer = await account.change(booking?.uid ?? "", { title: "Newer title" });
    await account.sync();
    await account.change(booking?.uid ?? "", { title: "Older title", updatedAt: booking?.createdAt ?? null });
    await account.sync({ full: true });
    expect(await account.events()).toMatchObject([
      { title: "Newer title", tags: ["vip"], notes: "bring cake", externalUpdatedAt: newer.updatedAt },
    ]);
  });

  it("8b. an event deleted here stays deleted until its booking changes", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    await account.sync();
    const [event] = await account.events();
    await account.client.delete(`/api/calendar/events/${event.id}`);
    expect(await account.sync({ full: true })).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect(await account.events()).toEqual([]);
    await account.change(booking?.uid ?? "", { title: "Changed after all" });
    await account.sync();
    expect(await account.events()).toMatchObject([{ title: "Changed after all" }]);
  });

  it("8c. a booking that a mail announced takes over its event, however late the mail's own time is", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    await deliver(invitationTo(booking), { vars: account.vars });
    const [announced] = await account.events();
    expect(announced).toMatchObject({ source: "email", title: "Announced", busy: false, awaitsAnswer: true });
    expect(await account.sync()).toMatchObject({ created: 0, updated: 1 });
    expect(await account.events()).toMatchObject([
      {
        ...{ id: announced.id, source: "bookingsvc", bookingId: booking?.uid, title: booking?.title },
        ...{ busy: true, awaitsAnswer: false },
      },
    ]);
  });

  it("8d. an invitation that was deleted here stays so when its booking comes, until that changes", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    await deliver(invitationTo(booking), { vars: account.vars });
    const [announced] = await account.events();
    await account.client.delete(`/api/calendar/events/${announced.id}`);
    await account.sync();
    expect(await account.events()).toEqual([]);
    expect(await account.events(`&start=${slot(0).toISOString()}&end=${slot(48).toISOString()}`)).toEqual([]);
    expect(await account.sync({ full: true })).toMatchObject({ created: 0, updated: 0 });
    await account.change(booking?.uid ?? "", { title: "Changed after all" });
    await account.sync();
    expect(await account.events()).toMatchObject([{ id: announced.id, title: "Changed after all" }]);
  });

  it("9. an unchanged booking writes nothing", async () => {
    const account = await newAccount();
    await account.book({ start: slot(1) }, { start: slot(2) });
    await account.sync();
    const before = await account.events();
    const run = await account.sync({ full: true });
    expect(run).toMatchObject({ created: 0, updated: 0, unchanged: expect.any(Number) });
    expect(await account.events()).toEqual(before);
  });

  it("9b. only the provider revives a cancelled booking", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(1) });
    await account.cancel(booking?.uid ?? "");
    await account.sync();
    const [event] = await account.events();
    const revived = await account.client.patch(`/api/calendar/events/${event.id}`, { status: "confirmed" });
    expect(revived.status).toBe(409);
    await account.change(booking?.uid ?? "", { status: "accepted", cancellationReason: "" });
    await account.sync();
    expect(await account.events()).toMatchObject([{ status: "confirmed", cancelReason: null }]);
  });

  rarely(
    "11. a page of long descriptions, larger than any value the database takes, is written all the same",
    async () => {
      const account = await newAccount();
      const description = "wörter ".repeat(2000);
      await account.book(...Array.from({ length: 250 }, (_, n) => ({ start: slot(n), description })));
      await account.book({ start: slot(300), description: "x".repeat(50_000) });
      expect(await account.sync()).toMatchObject({ status: "succeeded", created: 251, errors: [] });
      const [last] = await account.events(`&start=${slot(300).toISOString()}`);
      expect(last.description).toHaveLength(20_000);
      // Megabytes that every later feed would hold.
      await emptyService();
    },
  );
});

async function countEvents(account: Awaited<ReturnType<typeof newAccount>>): Promise<number> {
  const { body } = await account.client.get("/api/calendar/stats");
  return body.total;
}

/** The mail that tells of a booking, written long after the booking was last changed. */
function invitationTo(booking: Booking | undefined): string {
  const compact = (time = "") => time.replaceAll(/[-:]|\.\d+/g, "");
  return `From: jane@example.com
Message-ID: <announced-${booking?.uid}@example.com>
Subject: Invitation
Content-Type: text/calendar; method=REQUEST; charset=utf-8

BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
BEGIN:VEVENT
UID:${booking?.icsUid}
DTSTAMP:20900101T000000Z
DTSTART:${compact(booking?.start)}
DTEND:${compact(booking?.end)}
SUMMARY:Announced
END:VEVENT
END:VCALENDAR
`;
}
