import { it } from "vitest";
import { large } from "./messages.ts";
import { expectRoundTrip } from "./round-trip.ts";

it("a message of 20 MB round-trips, byte by byte", () => expectRoundTrip(large(7_400_000)));
