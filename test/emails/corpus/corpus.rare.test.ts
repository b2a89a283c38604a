import { describe, it } from "vitest";
import { SAMPLES } from "./messages.ts";
import { expectRoundTrip } from "./round-trip.ts";

describe("every message comes back as it was sent, byte by byte:", () => {
  it.each(SAMPLES.map((sample) => [sample.about, sample] as const))("%s", (_, sample) => expectRoundTrip(sample));
});
