import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fault } from "../fakes/bookingsvc/server.ts";
import type { Booking } from "../fakes/bookingsvc/world.ts";
import { type Account, newAccount, QUICK, slot } from "./account.ts";

/** One thing that happens at the provider, or here, or goes wrong in between. */
type Step =
  | { kind: "book"; hours: number; seats: boolean; series: boolean; status: string }
  | { kind: "reschedule" | "cancel" | "seat" | "tag"; pick: number; hours: number }
  | { kind: "fault"; fault: Fault }
  | { kind: "sync"; full: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("book" as const),
      hours: fc.nat(400),
      seats: fc.boolean(),
      series: fc.boolean(),
      status: fc.constantFrom("accepted", "pending", "rejected", "awaiting_host"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("reschedule", "cancel", "seat", "tag"),
      pick: fc.nat(50),
      hours: fc.nat(400),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("fault" as const),
      fault: fc.record({
        kind: fc.constantFrom("500", "truncated", "html", "duplicates", "429"),
        times: fc.integer({ min: 1, max: 4 }),
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("sync" as const), full: fc.boolean() }) },
);

const STATUSES: Record<string, string> = {
  accepted: "confirmed",
  pending: "tentative",
  awaiting_host: "tentative",
  cancelled: "cancelled",
  rejected: "cancelled",
};
const IMPATIENT = { ...QUICK, pace: { ...QUICK.pace, firstWaitMs: 1, maxWaitMs: 20 } };

async function play(account: Account, steps: readonly Step[]): Promise<Map<string, string>> {
  const tagged = new Map<string, string>();
  let bookings: Booking[] = [];
  for (const one of steps) {
    const picked = "pick" in one ? bookings[one.pick % Math.max(1, bookings.length)] : undefined;
    if (one.kind === "book") {
      const { hours, seats, series, status } = one;
      await account.book({
        start: slot(hours),
        seats,
        status,
        ...(series && { recurringBookingUid: `series-${hours % 3}` }),
      });
    } else if (one.kind === "fault") await account.faults(one.fault);
    else if (one.kind === "sync") await account.sync({ full: one.full }, IMPATIENT).catch(() => undefined);
    else if (picked && one.kind === "tag") await tag(account, picked.uid, tagged);
    else if (picked && picked.status !== "cancelled") {
      if (one.kind === "reschedule") await account.reschedule(picked.uid, slot(one.hours));
      if (one.kind === "cancel") await account.cancel(picked.uid);
      if (one.kind === "seat") {
        const extra = { name: "Seat", email: `seat${one.hours}@example.org`, timeZone: "UTC", absent: false };
        await account.change(picked.uid, { attendees: [...picked.attendees, extra] });
      }
    }
    bookings = await account.truth();
  }
  return tagged;
}

/** What a person adds here; it must survive whatever the provider does. */
async function tag(account: Account, uid: string, tagged: Map<string, string>): Promise<void> {
  const { status } = await account.client.patch(`/api/calendar/events/by-bookingsvc/${uid}`, { tags: [`mine-${uid}`] });
  if (status === 200) tagged.set(uid, `mine-${uid}`);
}

describe("whatever happens at the provider and on the way", () => {
  it("one sync after the trouble is over makes the calendar equal to the provider's truth", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const account = await newAccount();
        const tagged = await play(account, steps);
        await account.faults();
        await account.sync({ full: true });
        const truth = await account.truth();
        const events: Record<string, unknown>[] = await account.events();
        const idOf = new Map(events.map((event) => [event.bookingId, event.id]));
        const seen = events.map((event) => ({
          uid: event.bookingId,
          start: event.start,
          end: event.end,
          status: event.status,
          externalStatus: event.externalStatus,
          attendees: (event.attendees as { email: string }[]).map(({ email }) => email),
          from: event.rescheduledFromId,
          tags: event.tags,
        }));
        const wanted = truth.map((booking) => ({
          uid: booking.uid,
          start: booking.start,
          end: booking.end,
          status: STATUSES[booking.status],
          externalStatus: booking.status,
          attendees: booking.attendees.map(({ email }) => email),
          from: booking.rescheduledFromUid ? idOf.get(booking.rescheduledFromUid) : null,
          tags: tagged.has(booking.uid) ? [tagged.get(booking.uid)] : [],
        }));
        const byUid = (a: { uid: unknown }, b: { uid: unknown }) => String(a.uid).localeCompare(String(b.uid));
        expect(seen.sort(byUid)).toEqual(wanted.sort(byUid));
      }),
      { numRuns: 12 },
    );
  });
});
