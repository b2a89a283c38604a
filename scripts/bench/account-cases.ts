import type { Case } from "./case.ts";
import { addEvents, addMails } from "./rows.ts";
import type { Stage } from "./stage.ts";

export const ACCOUNT = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada Lovelace" };

export function register({ ours }: Stage): Promise<{ token: string; user: { id: number } }> {
  return ours.json({ method: "POST", path: "/api/auth/register", body: ACCOUNT }, 201);
}

/** What a signed-in person asks for; both Workers check the session first. */
export function signedIn(path: string, barePath: string, prepare?: (stage: Stage) => Promise<void>): Case["requests"] {
  return async (stage) => {
    const { token } = await register(stage);
    await prepare?.(stage);
    const headers = { authorization: `Bearer ${token}` };
    return { ours: { path, headers }, bare: { path: barePath, headers } };
  };
}

/** The account's share of CASES, and what else has few rows. */
export const ACCOUNT_CASES: readonly Case[] = [
  { name: "GET /api/settings/profile", requests: signedIn("/api/settings/profile", "/account/profile") },
  {
    name: "GET /api/settings/webhooks",
    requests: signedIn("/api/settings/webhooks", "/account/webhooks", (stage) => addWebhooks(stage, 0, 10)),
  },
  {
    name: "POST /api/ai/chat (a summary by the built-in engine)",
    requests: { ours: { method: "POST", path: "/api/ai/chat", body: { message: "give me a task summary" } } },
  },
  ...(
    [
      ["mark … as done", (turn) => `mark call customer ${(turn % OPEN_TASKS) + 1000} as done`],
      ["cancel the meeting …", (turn) => `cancel the meeting ${(turn % 1900) + 50}`],
      ["archive the email about …", (turn) => `archive the email about report ${(turn % 4900) + 50}`],
      ["what about Friday?", () => "what about Friday?"],
    ] satisfies [string, (turn: number) => string][]
  ).map(
    ([name, message]): Case => ({
      name: `POST /api/ai/chat (“${name}” among 5,000 tasks, 5,000 emails and 2,000 events)`,
      requests: async (stage) => {
        await addOpenTasks(stage, OPEN_TASKS);
        await addMails(stage, 0, 5000);
        await addEvents(stage, 0, 2000);
        const body = { message: "what do I have on Thursday?" };
        const { conversationId } = await stage.ours.json<{ conversationId: string }>(
          { method: "POST", path: "/api/ai/chat", body },
          200,
        );
        return {
          ours: (turn) => ({ method: "POST", path: "/api/ai/chat", body: { message: message(turn), conversationId } }),
        };
      },
    }),
  ),
];

const OPEN_TASKS = 5000;

/** Every request completes another one. */
async function addOpenTasks(stage: Stage, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    title: `Call customer ${index + 1000}`,
    description: "",
    status: "todo",
    priority: "medium",
    due_at: Date.UTC(2031, 0, 1) + index * 3_600_000,
    tags: "[]",
    source: "manual",
    outside: 0,
    version: 1,
    created_at: 0,
    updated_at: 0,
  }));
  await stage.insertRows("tasks", rows);
}

export async function addWebhooks(stage: Stage, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, index) => ({
    id: from + index + 1,
    user_id: 1,
    url: `https://example.com/hooks/${from + index}`,
    event_types: "[]",
    secret: "sealed",
    enabled: 0,
    version: 1,
    created_at: 0,
    updated_at: 0,
  }));
  await stage.insertRows("webhook_endpoints", rows);
}

/** Further sessions of the one account. */
export async function addSessions(stage: Stage, from: number, to: number): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: to - from }, (_, index) => ({
    id: `session-${from + index}`,
    user_id: 1,
    created_at: now,
    last_seen_at: now,
    expires_at: now + 86_400_000,
    refresh_counter: 0,
    rotated_at: now,
    proved_at: now,
    ip: "127.0.0.1",
  }));
  await stage.insertRows("sessions", rows);
}
