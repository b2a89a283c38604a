import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { serverEvents } from "../../client/events.ts";
import { moveKept } from "../../client/kept-field.ts";
import { reasonOf } from "../../client/notices.ts";
import { ApiProblem, Unreachable } from "../../client/problem.ts";
import { queryClient, useQuery } from "../../client/queries.ts";
import { navigate } from "../../lib/router.ts";

type Details = components["schemas"]["ConversationDetails"];
export type Message = Details["messages"]["data"][number];
export type Proposal = Details["proposals"][number];
export type Action = Message["actions"][number];
type Response = components["schemas"]["ChatResponse"];

/** What is being said: shown until the conversation is read again with it. */
export interface Turn {
  message: string;
  reply: string;
  actions: Action[];
  state: "going" | "stopped" | "failed";
  /** Why it failed. */
  reason: string;
  /** How many messages there were before it. */
  before: number;
}

export function useConversation(id: string | undefined) {
  return useQuery({
    queryKey: ["chat", id ?? "new"],
    queryFn: ({ signal }) => readAll(id ?? "", signal),
    enabled: id !== undefined,
  });
}

/** All messages: a conversation is rarely longer than one page. */
async function readAll(id: string, signal: AbortSignal): Promise<Details> {
  const first = await api.get("/api/ai/chat/conversations/{id}", { params: { id }, query: { limit: 100 }, signal });
  const messages = [...first.messages.data];
  let cursor = first.messages.nextCursor;
  while (cursor) {
    const next = await api.get("/api/ai/chat/conversations/{id}", {
      params: { id },
      query: { limit: 100, cursor },
      signal,
    });
    messages.push(...next.messages.data);
    cursor = next.messages.nextCursor;
  }
  return { ...first, messages: { data: messages, nextCursor: null } };
}

/** Messages that the last reply suggests. They are not stored, and belong to a conversation as long as it was then. */
const suggested = signal<{ id: string; length: number; messages: string[] } | null>(null);

/** The service keeps what was changed before a turn broke off, a moment after it. */
const KEPT_MS = 1500;

/** Says something, and shows the answer as it comes. */
export function useTurn(id: string | undefined, messages: readonly Message[]) {
  const [turn, setTurn] = useState<Turn | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);

  /** Resolves to null if the service has not heard it. */
  async function say(message: string): Promise<true | null> {
    const leaving = new AbortController();
    stopping.current = leaving;
    let now: Turn = { message, reply: "", actions: [], state: "going", reason: "", before: messages.length };
    const show = (next: Partial<Turn>) => {
      now = { ...now, ...next };
      setTurn(now);
    };
    show({});
    let isHeard = false;
    try {
      const body = { message, ...(id && { conversationId: id }) };
      let isDone = false;
      for await (const { event, data } of serverEvents({
        method: "POST",
        path: "/api/ai/chat",
        body,
        signal: leaving.signal,
      })) {
        const content = JSON.parse(data);
        if (event !== "error") isHeard = true;
        if (event === "delta") show({ reply: now.reply + content.text });
        if (event === "action") show({ actions: [...now.actions, content] });
        if (event === "error") throw new ApiProblem(content.status, content, null);
        if (event === "done") {
          isDone = true;
          await finish(content, id);
          break;
        }
      }
      if (!isDone) throw new Unreachable(new Error("The stream ended before the answer did."));
      setTurn(null);
      return true;
    } catch (error) {
      show(leaving.signal.aborted ? { state: "stopped" } : { state: "failed", reason: reasonOf(error) });
      readAgain();
      setTimeout(readAgain, KEPT_MS);
      return isHeard ? true : null;
    } finally {
      if (stopping.current === leaving) stopping.current = null;
    }
  }

  const isOver = turn !== null && turn.state !== "going";
  // What the service has kept of it is shown from there.
  const isKept =
    isOver && messages.slice(turn.before).some(({ role, text }) => role === "user" && text === turn.message);
  const next = suggested.value;
  const isNext = next !== null && next.id === id && next.length === messages.length && turn === null;
  return {
    turn: isKept ? null : turn,
    suggestions: isNext ? next.messages : [],
    say,
    stop: () => stopping.current?.abort(),
    isBusy: turn !== null && !isOver,
  };
}

function readAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ["chat"] });
}

async function finish({ conversationId, suggestions }: Response, id: string | undefined): Promise<void> {
  const read = queryClient.fetchQuery({
    queryKey: ["chat", conversationId],
    queryFn: ({ signal }) => readAll(conversationId, signal),
    staleTime: 0,
  });
  // Where this fails, the conversation itself says so: the message was answered.
  const details = await read.catch(() => null);
  suggested.value = details && { id: conversationId, length: details.messages.data.length, messages: suggestions };
  void queryClient.invalidateQueries({ queryKey: ["chat", "list"] });
  if (id === undefined) moveKept("chat:new", `chat:${conversationId}`);
  if (id === undefined) navigate(`/app/chat/${conversationId}`, { replace: true });
}
