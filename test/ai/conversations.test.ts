import { it } from "vitest";
import { expectTurns } from "./conversations.ts";

/* A sample from end to end. The whole set is in the files beside this one, and what is read is tested as functions. */

const FILES = import.meta.glob<{ default: string }>("./conversations/{built,aside}-*.txt", {
  eager: true,
  query: "?raw",
});

it("a tenth of the conversations ends with what is expected", () => expectTurns(FILES, 10));
