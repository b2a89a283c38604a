import { expect, it } from "vitest";
import { slowParsers } from "./growth/slow-parsers.ts";

it("a text of the greatest length that repeats one thing takes no parser longer than in proportion", () =>
  expect(slowParsers(1)).toEqual({}));
