import { describe, inject } from "vitest";
import { fuzzEveryOperation } from "./every-operation.ts";

/* `npm run fuzz` does the same with another seed at every run, and more often. */

describe("every operation, again and again", () => fuzzEveryOperation(inject("fuzz").runs));
