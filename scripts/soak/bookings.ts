import { setTimeout as sleep } from "node:timers/promises";
import { createFakeProvider, type Fault } from "../../test/fakes/bookingsvc/server.ts";
import { close, listen } from "../../test/fakes/server.ts";
import type { Caller } from "./caller.ts";
import { type Part, type Select, type Stage, told } from "./part.ts";

const KEY = "cal_soak";
const HOUR_MS = 3_600_000;
const FAULTS: readonly Fault["kind"][] = ["500", "429", "timeout", "truncated", "html"];
/** Longer than a sync takes: not every kill is to hit one, since it then holds its lease for two minutes. */
const PAUSE_MS = 3000;
/** Long enough for a kill in the middle. */
const ANSWER_MS = 20;

/** A booking provider whose bookings change all the time and which often fails, and someone who syncs with it. */
export async function openBookings({ moments, newCaller, service, tally }: Stage): Promise<Part> {
  const server = createFakeProvider({ latencyMs: ANSWER_MS });
  server.on("request", () => moments.reach("a booking sync"));
  const base = await listen(server);
  service.set("BOOKINGSVC_BASE_URL", `${base}/v2`);
  const tenant = server.tenant(KEY);
  const { world } = tenant;
  let count = 0;

  const book = () => {
    count += 1;
    const start = new Date(Date.now() + count * HOUR_MS);
    world.book({ title: `Booking ${count}`, start, attendees: [{ name: "Ann", email: "ann@example.org" }] });
  };

  /** One change of its bookings, and now and then a fault for the requests to come. */
  const live = (random: () => number) => {
    const open = [...world.bookings.values()].filter(({ status }) => status === "accepted");
    const booking = open[Math.floor(random() * open.length)];
    const chance = random();
    if (!booking || chance < 0.5) book();
    else if (chance < 0.75) world.cancel(booking.uid, "Something came up");
    else world.reschedule(booking.uid, new Date(Date.parse(booking.start) + 30 * HOUR_MS));
    const kind = FAULTS[Math.floor(random() * FAULTS.length)];
    tenant.faults.length = 0;
    if (kind && random() < 0.3) tenant.faults.push({ kind, times: 1 + Math.floor(random() * 3) });
  };

  return {
    async connect(steady, { headers, password }) {
      const reply = await steady.surely({
        method: "POST",
        path: "/api/bookingsvc/settings",
        headers,
        body: { apiKey: KEY, currentPassword: password },
      });
      steady.expect(reply, [200], "connecting the booking provider");
    },
    /** Trouble of the provider's must come back as what it is. */
    async load(isOver) {
      const caller = newCaller("bookings");
      while (!isOver()) {
        live(caller.random);
        const reply = await caller.attempt({ method: "POST", path: "/api/bookingsvc/sync" });
        if (reply) caller.expect(reply, [200, 409, 502, 504], "a sync");
        await sleep(PAUSE_MS);
      }
    },
    phases: ["a booking sync"],
    // The sync of a cron failed, and its operator is to know.
    errors: /"event":"job_failed","job":"syncBookings".*"message":"The booking provider/,
    heal() {
      tenant.faults.length = 0;
    },
    owed: { "syncs that run": "SELECT count(*) AS n FROM sync_runs WHERE status = 'running'" },
    dueTimes: [["sync_runs", "lease_until", "status = 'running'"]],
    finish: (steady) => syncFully(steady, tally),
    rules: {
      "no booking is there twice":
        "SELECT booking_id FROM events WHERE booking_id IS NOT NULL GROUP BY booking_id HAVING count(*) > 1",
    },
    audit: (rows) => compareBookings(rows, world.bookings.values()),
    figures: () => [`${world.bookings.size} bookings synced`],
    close: () => close(server),
  };
}

/** The next sync must bring the calendar fully in step. */
async function syncFully(steady: Caller, tally: Stage["tally"]): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const reply = await steady.surely({ method: "POST", path: "/api/bookingsvc/sync?full=true" });
    if (reply.status === 200 && reply.body.status === "succeeded") return;
    await sleep(2000);
  }
  tally.find("no sync succeeded after the provider was well again");
}

function compareBookings(rows: Select, bookings: Iterable<{ uid: string; status: string; start: string }>): string[] {
  const stored = new Map(
    rows("SELECT booking_id, start_at, status FROM events WHERE booking_id IS NOT NULL").map((row) => [
      row.booking_id,
      row,
    ]),
  );
  return [...bookings].flatMap((booking) => {
    const row = stored.get(booking.uid);
    const status = booking.status === "accepted" ? "confirmed" : "cancelled";
    const isSame = row?.start_at === Date.parse(booking.start) && row.status === status;
    return isSame ? [] : [`booking ${booking.uid} (${booking.status}, ${booking.start}) is not so here: ${told(row)}`];
  });
}
