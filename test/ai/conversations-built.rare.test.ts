import { it } from "vitest";
import { expectAllTurns } from "./conversations.ts";

/* Those that were used to build the assistant. A file of its own, so that both halves run at the same time. */

const FILES = import.meta.glob<{ default: string }>("./conversations/built-*.txt", { eager: true, query: "?raw" });

it("conversations that were built upon end with what is expected", () => expectAllTurns(FILES, "not-yet-built"));
