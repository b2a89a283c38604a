import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Booking } from "../../src/lib/booking.ts";
import { AppError } from "../../src/lib/errors.ts";
import type { BookingProvider } from "../../src/providers/bookings/provider.ts";
import * as registry from "../../src/providers/bookings/registry.ts";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { slot } from "./account.ts";

/*
 * Another booking provider than the one there is: other ids, statuses and pages, and a signature of its own kind. Only
 * the registration is replaced; everything else is the service as it is.
 */

const world = { bookings: [] as Booking[], pages: 0 };

const PAGE = 2;
const rooms: BookingProvider = {
  baseUrl: "https://rooms.example.com",
  open: (apiKey) => ({
    pageSize: PAGE,
    async account() {
      if (apiKey === "wrong-room-key") throw new AppError("provider_unauthorized", "The room key does not fit.");
      return { email: "host@rooms.example.com", name: "The host", timeZone: "Europe/Oslo" };
    },
    async bookings({ by, from, skip }) {
      world.pages += 1;
      const at = (booking: Booking) => (by === "start" ? booking.start : (booking.externalUpdatedAt ?? new Date(0)));
      const found = world.bookings.filter((booking) => at(booking) >= from);
      found.sort((a, b) => at(a).getTime() - at(b).getTime());
      return found.slice(skip, skip + PAGE).map((booking) => ({ booking }));
    },
    booking: async (id) => world.bookings.filter(({ bookingId }) => bookingId === id).map((booking) => ({ booking })),
    eventTypes: async () => [
      { id: 7, title: "Big room", slug: "big", durationMinutes: 90, description: "", url: null, hidden: false },
    ],
  }),
  webhook: {
    signatureHeader: "X-Rooms-Secret",
    isSigned: (secret, _body, signature) => signature === `plain ${secret}`,
    bookingIdsIn: (body) => (typeof body === "object" && body && "room" in body ? [String(body.room)] : []),
  },
};

const api = service();
const SECRET = "a room secret";

function book(bookingId: string, hours: number, title = `Room ${bookingId}`): Booking {
  const booking: Booking = {
    bookingId,
    title,
    description: null,
    start: slot(hours),
    end: slot(hours + 1),
    timeZone: "Europe/Oslo",
    location: "Second floor",
    meetingUrl: null,
    status: "confirmed",
    organizer: null,
    attendees: [{ name: "Guest", email: "guest@example.com", response: "accepted" }],
    icalUid: null,
    cancelReason: null,
    externalStatus: "KEY_HANDED_OVER",
    externalUpdatedAt: new Date(),
    rescheduledFromBookingId: null,
  };
  world.bookings = [...world.bookings.filter((each) => each.bookingId !== bookingId), booking];
  return booking;
}

const titles = async () => {
  const { body } = await api.get("/api/calendar/events?limit=100");
  return body.data.map(({ title }: { title: string }) => title).sort();
};

let token = "";

beforeEach(async () => {
  Object.assign(world, { bookings: [], pages: 0 });
  vi.spyOn(registry, "bookingProviderOf").mockReturnValue(rooms);
  await env.DB.batch(
    ["DELETE FROM events", "DELETE FROM booking_connection", "DELETE FROM sync_runs", "DELETE FROM users"].map((sql) =>
      env.DB.prepare(sql),
    ),
  );
  ({ token } = await signedInPerson("owner"));
});

afterEach(() => {
  vi.restoreAllMocks();
});

const connect = (apiKey = "room-key-1234") =>
  api.post("/api/bookingsvc/settings", { apiKey, webhookSecret: SECRET }, { token });

describe("another booking provider", () => {
  it("is connected with its own account, and refuses a key in its own words", async () => {
    expectProblem(await connect("wrong-room-key"), 422, "invalid_api_key");
    const { body } = await connect();
    expect(body).toMatchObject({
      status: "connected",
      baseUrl: "https://rooms.example.com",
      account: { email: "host@rooms.example.com", timeZone: "Europe/Oslo" },
    });
    const types = await api.get("/api/bookingsvc/event-types");
    expect(types.body.data).toMatchObject([{ title: "Big room", durationMinutes: 90 }]);
  });

  it("is synced into the calendar page by page, once and again after a change", async () => {
    await connect();
    for (const n of [1, 2, 3, 4, 5]) book(`r${n}`, n * 2);
    const first = await api.post("/api/bookingsvc/sync");
    expect(first.body).toMatchObject({ status: "succeeded", created: 5, skipped: 0 });
    expect(world.pages).toBeGreaterThan(2);
    expect(await titles()).toEqual(["Room r1", "Room r2", "Room r3", "Room r4", "Room r5"]);
    book("r3", 6, "Moved upstairs");
    const second = await api.post("/api/bookingsvc/sync");
    expect(second.body).toMatchObject({ status: "succeeded", created: 0, updated: 1 });
    expect(await titles()).toContain("Moved upstairs");
  });

  it("tells of a booking by a webhook of its own kind", async () => {
    await connect();
    book("r9", 3, "By webhook");
    const raw = JSON.stringify({ room: "r9" });
    const deliver = (signature: string) =>
      api.call("POST", "/api/bookingsvc/webhook", {
        raw,
        headers: { "content-type": "application/json", "x-rooms-secret": signature },
      });
    const refused = await deliver("plain something else");
    expectProblem(refused, 401, "invalid_signature");
    expect(refused.body.detail).toContain("X-Rooms-Secret");
    expect((await deliver(`plain ${SECRET}`)).body).toEqual({ received: true, duplicate: false });
    expect(await titles()).toEqual(["By webhook"]);
  });
});
