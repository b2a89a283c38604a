import { expect, it } from "vitest";
import { setClock } from "../auth/people.ts";
import { hold, parseConversations } from "./conversations.ts";

/*
 * What people say in conversations, and what is stored after each turn. Half of them were written before the assistant
 * could hold a conversation and are not looked at while it is changed: they measure it. The others were used to build it.
 */

const FILES = import.meta.glob<{ default: string }>("./conversations/*.txt", { eager: true, query: "?raw" });
/** The share of turns that end as expected. */
const REACHED: Record<string, number> = { aside: 90, built: 97 };

it.each(["aside", "built"])(
  "conversations that were %s end with what is expected",
  { timeout: 300_000 },
  async (set) => {
    setClock(new Date("2026-11-18T10:00:00Z"));
    const files = Object.entries(FILES).filter(([path]) => path.includes(`/${set}-`));
    const conversations = files.flatMap(([, { default: text }]) => parseConversations(text));
    const startedAt = performance.now();
    const { turns, right, failures } = await hold(conversations);
    const share = Math.round((right / turns) * 1000) / 10;
    const report = `${set}: ${right} of ${turns} turns (${share} %) in ${Math.round(performance.now() - startedAt)} ms\n${failures.join("\n")}`;
    expect(share, report).toBeGreaterThanOrEqual(REACHED[set] ?? 100);
  },
);
