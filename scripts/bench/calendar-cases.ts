import type { Case } from "./case.ts";
import type { Stage } from "./stage.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SIZES = [1000, 10_000, 100_000] as const;
const EVENTS_A_DAY = 8;

const today = Math.floor(Date.now() / DAY) * DAY;
const range = `start=${new Date(today).toISOString()}&end=${new Date(today + 30 * DAY).toISOString()}`;

/** Eight a day from today on, further and further ahead; every hundredth lasts a week, and one lasts a year. */
async function addEvents(stage: Stage, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const start = today + Math.floor(number / EVENTS_A_DAY) * DAY + (9 + (number % EVENTS_A_DAY)) * HOUR;
    const [hours, span] = number === 0 ? [365 * 24, 4] : number % 100 === 0 ? [7 * 24, 3] : [1, 0];
    return {
      title: `Meeting ${number}`,
      start_at: start,
      end_at: start + hours * HOUR,
      time_zone: "UTC",
      span,
      status: "confirmed",
      source: "manual",
      ical_uid: `bench-${number}`,
      created_at: today,
      updated_at: today,
    };
  });
  await stage.insertRows("events", rows);
}

/** A page and more, so that the runs compare answers that hold something. */
const FIRST = 400;

const growth: Case["growth"] = {
  sizes: SIZES,
  fill: (stage, from, to) => addEvents(stage, Math.max(from, FIRST), to),
};

/** The same address of both Workers, over a calendar with something in it. */
function over(path: string, barePath: string): Case["requests"] {
  return async (stage) => {
    await addEvents(stage, 0, FIRST);
    return { ours: { path }, bare: { path: barePath } };
  };
}

/** The calendar's share of CASES; the routes they are compared with are in calendar-bare.ts. */
export const CALENDAR_CASES: readonly Case[] = [
  {
    name: "GET /api/calendar/events (a page of a month)",
    requests: over(`/api/calendar/events?${range}`, `/calendar/events?${range}`),
    growth,
  },
  {
    name: "GET /api/calendar/upcoming",
    requests: over("/api/calendar/upcoming", "/calendar/upcoming"),
    growth,
  },
  {
    name: "GET /api/calendar/freebusy (a month)",
    requests: over(`/api/calendar/freebusy?${range}`, `/calendar/freebusy?${range}`),
    growth,
  },
];
