import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { setClock } from "../auth/people.ts";
import { readAll } from "../clean-slate.ts";
import { service } from "../harness.ts";
import { newSpeaker, storeOnly } from "./conversations.ts";

/* Messages that want nothing changed, written by somebody who had not seen the chat. No threshold is chosen on them. */

type Files = Record<string, { default: string }>;
const VOICES: Files = import.meta.glob("../data/messages/quiet/second/*.txt", { eager: true, query: "?raw" });
const ACCOUNTS: Files = import.meta.glob("../data/messages/quiet/accounts/*.txt", { eager: true, query: "?raw" });

/** Of all messages. A proposal and a question are not writes. */
const MOST_WRITES = 0.005;

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

/** A message, or a question and the quiet message that follows it. */
function conversationsOf(text: string): string[][] {
  const conversations: string[][] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith("> ")) conversations.at(-1)?.push(line.slice(2));
    else conversations.push([line]);
  }
  return conversations;
}

/**
 * Grows with every change that a tool has made, also if the record had that value before, and with every change of a
 * record that live clients are told of.
 */
async function writesSoFar(): Promise<number> {
  const row = await env.DB.prepare(
    "SELECT (SELECT count(*) FROM chat_actions) + (SELECT count(*) FROM changes WHERE type NOT LIKE 'proposal.%') AS n",
  ).first<{ n: number }>();
  return row?.n ?? Number.NaN;
}

/** All rows but those of conversations, of the engine's use, and of what live clients are told. */
async function readRecords(): Promise<string[]> {
  const tables = (await readAll()).filter(({ table }) => !/^(?:chat_|ai_|changes$|sessions$)/.test(table));
  return tables.flatMap(({ table, rows }) => rows.map((row) => `${table} ${JSON.stringify(row)}`));
}

it("at most 0.5 % of the quiet messages write anything", async () => {
  setClock(new Date("2026-11-18T10:00:00Z"));
  const { vars, token } = await newSpeaker();
  const writes: string[] = [];
  let messages = 0;
  for (const [path, { default: account }] of Object.entries(ACCOUNTS)) {
    const language = path.slice(-6, -4);
    const voices = Object.entries(VOICES).filter(([, file]) => file.default.startsWith(`# language: ${language}\n`));
    for (const [name, { default: voice }] of voices) {
      const seed = async () => {
        await storeOnly(service(vars), token, linesOf(account));
        return { records: await readRecords(), writes: await writesSoFar() };
      };
      let before = await seed();
      for (const conversation of conversationsOf(voice)) {
        messages += 1;
        // Another address each time, for the rate limit.
        const api = service(vars);
        let conversationId: string | undefined;
        for (const message of conversation) {
          const body = { message, timeZone: "Europe/Berlin", ...(conversationId && { conversationId }) };
          const answer = await api.post("/api/ai/chat", body, { token });
          expect(answer.status, `${message}: ${answer.text}`).toBe(200);
          conversationId = answer.body.conversationId;
          if ((await writesSoFar()) === before.writes) continue;
          writes.push(`${name.split("/").at(-1)}: “${message}” → “${answer.body.reply}”`);
          before = await seed();
          break;
        }
      }
      // Nothing was written that is not counted.
      expect(await readRecords(), name).toEqual(before.records);
    }
  }
  const figure = `${writes.length} of ${messages} quiet messages wrote something`;
  console.info(figure);
  expect(messages).toBeGreaterThanOrEqual(1_500);
  expect(writes.length / messages, [figure, ...writes].join("\n")).toBeLessThanOrEqual(MOST_WRITES);
});
