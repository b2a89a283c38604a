import { BUILTIN_ENGINE } from "../../src/lib/ai-kinds.ts";
import type { SeedContext } from "./area.ts";

const MINUTE_MS = 60_000;
const CONVERSATION = "5eed0000000000000000000000000001";

const MESSAGES = [
  { role: "user", text: "Which tasks are due today?" },
  {
    role: "assistant",
    text: "2 tasks are due today:\n- Call the bank about the card limit (11:00)\n- Tell Emre what stopped the nightly job (16:00)",
  },
  { role: "user", text: "When am I free tomorrow for an hour?" },
  { role: "assistant", text: "Tomorrow you are free from 13:30 to 17:30." },
] as const;

/** A conversation that anybody sees while the service is open. */
export async function chat({ db, now }: SeedContext): Promise<string> {
  const start = now.getTime() - 45 * MINUTE_MS;
  await db.batch([
    db.prepare("DELETE FROM chat_conversations WHERE id = ?").bind(CONVERSATION),
    db
      .prepare("INSERT INTO chat_conversations (id, title, created_at, updated_at) VALUES (?1, ?2, ?3, ?4)")
      .bind(CONVERSATION, MESSAGES[0].text, start, start + MESSAGES.length * MINUTE_MS),
    ...MESSAGES.map(({ role, text }, index) =>
      db
        .prepare(
          `INSERT INTO chat_messages (conversation_id, role, text, outside, actions, engine, created_at)
           VALUES (?1, ?2, ?3, 0, '[]', ?4, ?5)`,
        )
        .bind(
          CONVERSATION,
          role,
          text,
          role === "assistant" ? JSON.stringify(BUILTIN_ENGINE) : null,
          start + index * MINUTE_MS,
        ),
    ),
  ]);
  return `a conversation of ${MESSAGES.length} messages`;
}
