import { describe, expect, it } from "vitest";
import { large, SAMPLES } from "./messages.ts";
import { expectRoundTrip } from "./round-trip.ts";

describe("a message round-trips, byte by byte:", () => {
  it("there are more than 45 of them", () => expect(SAMPLES.length).toBeGreaterThan(45));

  it.each(SAMPLES.map((sample) => [sample.about, sample] as const))("%s", (_, sample) => expectRoundTrip(sample));

  it("1 MB", () => expectRoundTrip(large(370_000)));
});
