import { BUILTIN_ENGINE } from "../../src/lib/ai-kinds.ts";
import type { SeedContext } from "./area.ts";

const MINUTE_MS = 60_000;
/** Ada's, and the same for callers without an account while the service is open. */
const CONVERSATIONS = [
  { id: "5eed0000000000000000000000000001", owner: null },
  { id: "5eed0000000000000000000000000002", owner: "ada@example.com" },
] as const;

const MESSAGES = [
  { role: "user", text: "Which tasks are due today?" },
  {
    role: "assistant",
    text: "2 tasks are due today:\n- Call the bank about the card limit (11:00)\n- Tell Emre what stopped the nightly job (16:00)",
  },
  { role: "user", text: "When am I free tomorrow for an hour?" },
  { role: "assistant", text: "Tomorrow you are free from 13:30 to 17:30." },
] as const;

export async function chat({ db, now }: SeedContext): Promise<string> {
  const start = now.getTime() - 45 * MINUTE_MS;
  await db.batch(
    CONVERSATIONS.flatMap(({ id, owner }) => [
      db.prepare("DELETE FROM chat_conversations WHERE id = ?").bind(id),
      db
        .prepare(
          `INSERT INTO chat_conversations (id, user_id, title, created_at, updated_at)
           VALUES (?1, (SELECT id FROM users WHERE email = ?2), ?3, ?4, ?5)`,
        )
        .bind(id, owner, MESSAGES[0].text, start, start + MESSAGES.length * MINUTE_MS),
      ...MESSAGES.map(({ role, text }, index) =>
        db
          .prepare(
            `INSERT INTO chat_messages (conversation_id, role, text, outside, actions, engine, created_at)
             VALUES (?1, ?2, ?3, 0, '[]', ?4, ?5)`,
          )
          .bind(
            id,
            role,
            text,
            role === "assistant" ? JSON.stringify(BUILTIN_ENGINE) : null,
            start + index * MINUTE_MS,
          ),
      ),
    ]),
  );
  return `${CONVERSATIONS.length} conversations of ${MESSAGES.length} messages`;
}
