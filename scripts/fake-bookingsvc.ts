// npm run fake:bookingsvc [-- --port 8788]: a booking provider on this machine, with bookings that change.
import { parseArgs } from "node:util";
import { createFakeProvider } from "../test/fakes/bookingsvc/server.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "8788" } } });
const KEY = "cal_local";
const CHANGE_EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;

const PEOPLE = [
  { name: "Amara Okafor", email: "amara@example.org" },
  { name: "Björn Lindqvist", email: "bjorn@example.org" },
  { name: "Chen Wei", email: "chen@example.org" },
  { name: "Dalia Haddad", email: "dalia@example.org" },
  { name: "Elif Yılmaz", email: "elif@example.org" },
];
const TITLES = ["Introduction", "Project review", "30 Min Meeting", "Contract talk", "Coffee"];

const provider = createFakeProvider();
const { world } = provider.tenant(KEY);

/** The same from start to start, so that a walk-through looks the same twice. */
let turn = 0;
const pick = <T>(list: readonly T[]): T => list[turn++ % list.length] as T;

function book(): string {
  const day = new Date();
  day.setUTCHours(8 + (turn % 8), 0, 0, 0);
  const start = new Date(day.getTime() + (1 + (turn % 14)) * 24 * HOUR_MS);
  const booking = world.book({ title: pick(TITLES), start, attendees: [pick(PEOPLE)] });
  return `booked     ${booking.title}, ${booking.start}`;
}

function change(): string {
  const open = [...world.bookings.values()].filter(({ status }) => status === "accepted");
  const booking = open[turn % Math.max(1, open.length)];
  turn += 1;
  if (!booking || turn % 3 === 0) return book();
  if (turn % 3 === 1) {
    const next = world.reschedule(booking.uid, new Date(Date.parse(booking.start) + 26 * HOUR_MS));
    return `rescheduled ${booking.title} to ${next.start}`;
  }
  world.cancel(booking.uid, "Something came up");
  return `cancelled  ${booking.title}`;
}

for (let count = 0; count < 12; count++) book();
provider.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`A booking provider with ${world.bookings.size} bookings is at http://127.0.0.1:${values.port}/v2

Serve against it, in another terminal:

  npm run dev -- --var BOOKINGSVC_BASE_URL:http://127.0.0.1:${values.port}/v2

and connect as the owner with the key ${KEY}. Every ${CHANGE_EVERY_MS / 1000} seconds something changes:
`);
  setInterval(() => console.log(`  ${change()}`), CHANGE_EVERY_MS);
});
