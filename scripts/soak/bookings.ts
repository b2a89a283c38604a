import { setTimeout as sleep } from "node:timers/promises";
import { createFakeProvider, type Fault } from "../../test/fakes/bookingsvc/server.ts";
import { close, listen } from "../../test/fakes/server.ts";
import type { Caller } from "./caller.ts";
import type { Moments } from "./moments.ts";

export const KEY = "cal_soak";
const HOUR_MS = 3_600_000;
const FAULTS: readonly Fault["kind"][] = ["500", "429", "timeout", "truncated", "html"];
const PAUSE_MS = 700;
/** Long enough for a kill in the middle. */
const ANSWER_MS = 20;

export type Provider = Awaited<ReturnType<typeof openProvider>>;

/** A booking provider whose bookings change all the time and which often fails. */
export async function openProvider(moments: Moments) {
  const server = createFakeProvider({ latencyMs: ANSWER_MS });
  server.on("request", () => moments.reach("a booking sync"));
  const base = await listen(server);
  const tenant = server.tenant(KEY);
  const { world } = tenant;
  let count = 0;

  const book = () => {
    count += 1;
    const start = new Date(Date.now() + count * HOUR_MS);
    world.book({ title: `Booking ${count}`, start, attendees: [{ name: "Ann", email: "ann@example.org" }] });
  };

  return {
    url: `${base}/v2`,
    bookings: world.bookings,
    /** One change of its bookings, and now and then a fault for the requests to come. */
    live(random: () => number): void {
      const open = [...world.bookings.values()].filter(({ status }) => status === "accepted");
      const booking = open[Math.floor(random() * open.length)];
      const chance = random();
      if (!booking || chance < 0.5) book();
      else if (chance < 0.75) world.cancel(booking.uid, "Something came up");
      else world.reschedule(booking.uid, new Date(Date.parse(booking.start) + 30 * HOUR_MS));
      const kind = FAULTS[Math.floor(random() * FAULTS.length)];
      tenant.faults.length = 0;
      if (kind && random() < 0.3) tenant.faults.push({ kind, times: 1 + Math.floor(random() * 3) });
    },
    heal(): void {
      tenant.faults.length = 0;
    },
    close: () => close(server),
  };
}

/** Asks for a sync over and over; trouble of the provider's must come back as what it is. */
export async function keepSyncing(caller: Caller, provider: Provider, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    provider.live(caller.random);
    const reply = await caller.attempt({ method: "POST", path: "/api/bookingsvc/sync" });
    if (reply) caller.expect(reply, [200, 409, 502, 504], "a sync");
    await sleep(PAUSE_MS);
  }
}
