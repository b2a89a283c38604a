import { it } from "vitest";
import { expectAllTurns } from "./conversations.ts";

/* Written before the assistant could hold a conversation, and not looked at while it is changed: they measure it. */

const FILES = import.meta.glob<{ default: string }>("./conversations/aside-*.txt", { eager: true, query: "?raw" });

it("conversations that were kept aside end with what is expected", () => expectAllTurns(FILES, "not-yet-aside"));
