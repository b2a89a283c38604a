import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Env } from "../../src/config.ts";
import { sharedApp } from "../harness.ts";

const app = sharedApp;

export interface Heard {
  event: string;
  id: string;
  retry?: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test says what it expects of it
  data: any;
}

export interface Listener {
  response: Response;
  /** The next event that is not a comment; null at the end of the stream. */
  next(): Promise<Heard | null>;
  /** So many events. */
  take(count: number): Promise<Heard[]>;
  /** All events up to the end of the stream. */
  rest(): Promise<Heard[]>;
  leave(): Promise<void>;
}

export interface Opening {
  token?: string;
  lastEventId?: string | number;
  vars?: Partial<Env>;
}

/** A client of a feed. */
export async function listen(path = "/api/live", opening: Opening = {}): Promise<Listener> {
  const headers = new Headers({ accept: "text/event-stream" });
  if (opening.token) headers.set("authorization", `Bearer ${opening.token}`);
  if (opening.lastEventId !== undefined) headers.set("last-event-id", String(opening.lastEventId));
  const request = new Request(`http://poa.test${path}`, { headers });
  const response = await app.fetch(request, { ...env, ...opening.vars }, createExecutionContext());
  // Not through a stream that decodes, which would read ahead.
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const next = async (): Promise<Heard | null> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const event = readEvent(block);
        if (event) return event;
      } else {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) return null;
        text += decoder.decode(chunk.value, { stream: true });
      }
    }
  };
  const gather = async (count: number) => {
    const events: Heard[] = [];
    for (let event = await next(); event; event = await next()) {
      events.push(event);
      if (events.length >= count) break;
    }
    return events;
  };
  return {
    response,
    next,
    take: gather,
    rest: () => gather(Number.POSITIVE_INFINITY),
    leave: async () => void (await reader?.cancel()),
  };
}

function readEvent(block: string): Heard | null {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
  const [event, retry] = [field("event"), field("retry")];
  if (!event) return null;
  return { event, id: field("id"), data: JSON.parse(field("data")), ...(retry && { retry: Number(retry) }) };
}

/** A client that is connected, and has been told so. */
export async function ready(path?: string, opening?: Opening): Promise<Listener> {
  const listener = await listen(path, opening);
  const first = await listener.next();
  if (first?.event !== "ready") throw new Error(`the first event is ${JSON.stringify(first)}`);
  return listener;
}
