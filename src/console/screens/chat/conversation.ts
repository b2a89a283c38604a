import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { serverEvents } from "../../client/events.ts";
import { failureToast } from "../../client/notices.ts";
import { ApiProblem } from "../../client/problem.ts";
import { queryClient, useQuery } from "../../client/queries.ts";
import { navigate } from "../../lib/router.ts";
import { chat as m } from "../../messages/chat.ts";

export type Details = components["schemas"]["ConversationDetails"];
export type Message = Details["messages"]["data"][number];
export type Proposal = Details["proposals"][number];
export type Action = Message["actions"][number];
type Response = components["schemas"]["ChatResponse"];

/** What is being said: shown until the conversation is read again with it. */
export interface Turn {
  message: string;
  reply: string;
  actions: Action[];
  isStopped: boolean;
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

/** Says something, and shows the answer as it comes. */
export function useTurn(id: string | undefined) {
  const [turn, setTurn] = useState<Turn | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);

  async function say(message: string): Promise<void> {
    const leaving = new AbortController();
    stopping.current = leaving;
    let now: Turn = { message, reply: "", actions: [], isStopped: false };
    const show = (next: Partial<Turn>) => {
      now = { ...now, ...next };
      setTurn(now);
    };
    show({});
    try {
      const body = { message, ...(id && { conversationId: id }) };
      const path = "/api/ai/chat";
      for await (const { event, data } of serverEvents({ method: "POST", path, body, signal: leaving.signal })) {
        const content = JSON.parse(data);
        if (event === "delta") show({ reply: now.reply + content.text });
        if (event === "action") show({ actions: [...now.actions, content] });
        if (event === "error") throw new ApiProblem(content.status, content, null);
        if (event === "done") await finish(content, id);
      }
      setTurn(null);
    } catch (error) {
      if (leaving.signal.aborted) show({ isStopped: true });
      else {
        failureToast(m.notSent, error);
        setTurn(null);
        throw error;
      }
    } finally {
      stopping.current = null;
    }
  }

  const stop = () => stopping.current?.abort();
  return { turn, say, stop, isBusy: turn !== null && !turn.isStopped };
}

async function finish(response: Response, id: string | undefined): Promise<void> {
  const { conversationId } = response;
  await queryClient.fetchQuery({
    queryKey: ["chat", conversationId],
    queryFn: ({ signal }) => readAll(conversationId, signal),
    staleTime: 0,
  });
  void queryClient.invalidateQueries({ queryKey: ["chat", "list"] });
  if (id === undefined) navigate(`/app/chat/${conversationId}`, { replace: true });
}
