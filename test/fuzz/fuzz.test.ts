import { describe } from "vitest";
import { fuzzEveryOperation } from "./every-operation.ts";

describe("every operation, once", () => fuzzEveryOperation(1));
