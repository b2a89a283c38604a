import { request } from "./api.ts";
import { Unreachable } from "./problem.ts";

interface ServerEvent {
  event: string;
  data: string;
  id: string;
}

interface EventRequest {
  method?: string;
  path: string;
  body?: unknown;
  lastEventId?: string | undefined;
  signal?: AbortSignal;
}

/** Server-sent events by `fetch`, because `EventSource` can send neither our token nor a body. */
export async function* serverEvents({ method = "GET", path, body, lastEventId, signal }: EventRequest) {
  const response = await request({
    method,
    path,
    signal,
    headers: {
      Accept: "text/event-stream",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.body) yield* parseEvents(response.body, signal);
}

async function* parseEvents(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = fresh("");
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        // The connection broke: as good as no answer.
        throw signal?.aborted ? error : new Unreachable(error);
      });
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") {
          add(event, line);
          continue;
        }
        if (event.data !== "") yield { ...event, data: event.data.slice(0, -1) };
        event = fresh(event.id);
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function fresh(id: string): ServerEvent {
  return { event: "message", data: "", id };
}

function add(event: ServerEvent, line: string): void {
  const colon = line.indexOf(":");
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "data") event.data += `${value}\n`;
  if (name === "event") event.event = value;
  if (name === "id") event.id = value;
}
