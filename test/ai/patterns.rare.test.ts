import { expect, it } from "vitest";
import { ACTS } from "../../src/features/chat/reader/read.ts";
import { setClock } from "../auth/people.ts";
import { expectErrorLog } from "../harness.ts";
import { conversationsIn, heldTurns, newSpeaker } from "./conversations.ts";
import { matched, patterns, turnOff } from "./patterns/watch.ts";

/*
 * Each regular expression and each list of words of the chat without a model earns its place: there is a turn of the
 * conversations that ends otherwise if it matches nothing. One that no turn needs is either not needed, or lacks a turn
 * that shows what it is for. `patterns/not-yet.txt` lists those, by file and beginning; the list may only become shorter
 * (`-u` writes it anew).
 */

const FILES = import.meta.glob<{ default: string }>("./conversations/{built,aside}-*.txt", {
  eager: true,
  query: "?raw",
});

type Conversation = ReturnType<typeof conversationsIn>[number];

interface Held {
  conversation: Conversation;
  /** How each turn ended. */
  ends: string[];
  /** The turn that each pattern has matched in first. */
  first: Map<string, number>;
}

it("every pattern and every list of words of the chat decides a turn of a conversation", async () => {
  setClock(new Date("2026-11-18T10:00:00Z"));
  const speaker = await newSpeaker();
  const endOf = ({ reply, proposals, actual }: { reply: string; proposals: number; actual: string[] }) =>
    JSON.stringify([reply, proposals, actual]);

  const held: Held[] = [];
  for (const conversation of conversationsIn(FILES)) {
    const ends: string[] = [];
    const first = new Map<string, number>();
    matched.clear();
    for await (const turn of heldTurns(speaker, conversation)) {
      for (const id of matched) if (!first.has(id)) first.set(id, ends.length);
      ends.push(endOf(turn));
    }
    held.push({ conversation, ends, first });
  }

  /** Whether a turn of a conversation ends otherwise without this pattern. */
  async function decides(id: string, { conversation, ends }: Held): Promise<boolean> {
    let at = 0;
    turnOff(id);
    try {
      for await (const turn of heldTurns(speaker, conversation)) {
        if (endOf(turn) !== ends[at]) return true;
        at += 1;
      }
      return false;
    } catch {
      expectErrorLog("request_failed");
      return true;
    } finally {
      turnOff(null);
    }
  }

  async function isNeeded(id: string): Promise<boolean> {
    const cost = ({ conversation, first }: Held) => conversation.before.length + (first.get(id) ?? 0);
    const tries = held.filter(({ first }) => first.has(id)).sort((a, b) => cost(a) - cost(b));
    for (const each of tries) if (await decides(id, each)) return true;
    return false;
  }

  /** Tables of acts are no words of messages. */
  const acts: ReadonlySet<unknown> = new Set(ACTS);
  const isTable = (value: unknown) => value instanceof Set && [...value].every((each) => acts.has(each));
  const unneeded: string[] = [];
  for (const [id] of [...patterns].filter(([, value]) => !isTable(value)))
    if (!(await isNeeded(id))) unneeded.push(id.replace(/:\d+ /, " "));
  // As many as there are: it would be no proof if they were not found.
  expect(patterns.size).toBeGreaterThan(150);
  await expect(`${unneeded.sort().join("\n")}\n`).toMatchFileSnapshot("./patterns/not-yet.txt");
});
