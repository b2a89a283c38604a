import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { DAYS, REFUSED, TIMES, waysIn } from "./time-phrases.ts";

/* The whole set through HTTP. Its phrases are asked of the readers themselves in the file beside this one. */

let ways: Awaited<ReturnType<typeof waysIn>>;
beforeAll(async () => {
  ways = await waysIn();
});
afterAll(() => void vi.useRealTimers());

describe("a phrase about time means the same in every way in", () => {
  it.each(Object.entries(TIMES))("%s", (phrase, local) => ways.expectTime(phrase, local));
  it.each(Object.entries(DAYS))("%s", (phrase, date) => ways.expectDay(phrase, date));
  it.each(Object.entries(REFUSED))("%s is refused with the reason", (phrase, reason) =>
    ways.expectRefused(phrase, reason),
  );
});
