import { expect, vi } from "vitest";
import { setClock } from "../auth/people.ts";
import { type Client, emptyService } from "../harness.ts";

/** A Wednesday, eleven in the morning in Berlin, with nothing stored; for `beforeEach`. */
export async function emptyWednesday(): Promise<() => void> {
  await emptyService();
  setClock(new Date("2026-11-18T10:00:00Z"));
  return () => void vi.useRealTimers();
}

/** A conversation with the assistant, as one person has it. */
export function talkTo(api: Client, options: { token?: string; timeZone?: string } = {}) {
  const { token = null, timeZone = "Europe/Berlin" } = options;
  let conversationId: string | undefined;
  async function say(message: string) {
    const answer = await api.post("/api/ai/chat", { message, conversationId, timeZone }, { token });
    expect(answer.status, answer.text).toBe(200);
    conversationId = answer.body.conversationId;
    return answer.body;
  }
  return { say, id: () => conversationId ?? "" };
}

export const toolsOf = (answer: { actions: { tool: string }[] }) => answer.actions.map(({ tool }) => tool);

export async function storeEvent(api: Client, fields: Record<string, unknown>) {
  const start = new Date(Date.now() + 2 * 86_400_000);
  start.setUTCMinutes(0, 0, 0);
  const { body, status, text } = await api.post("/api/calendar/events", {
    title: "Event",
    start: start.toISOString(),
    ...fields,
  });
  expect(status, text).toBe(201);
  return body;
}

export async function storeTask(api: Client, title: string, fields: Record<string, unknown> = {}) {
  const { body, status, text } = await api.post("/api/tasks", { title, ...fields });
  expect(status, text).toBe(201);
  return body;
}
