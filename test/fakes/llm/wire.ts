/** What the fake says in one call. */
export interface Reply {
  text?: string;
  tools?: { name: string; input: object }[];
  usage: { input: number; output: number };
}

export type RefusalKind = "401" | "403" | "400" | "404" | "429" | "429 soon" | "429 later" | "quota" | "500" | "529";

export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** How one provider speaks. */
export interface Wire {
  whole(model: string, reply: Reply): unknown;
  /** Server-sent events, the first half of the text before the second. */
  events(model: string, reply: Reply): string[];
  /** What stands in a stream when the provider breaks down in the middle of it. */
  brokenEvent(): string;
  refusal(kind: RefusalKind, key: string): Refusal;
}

/** A provider's own words, which must never reach a client: here they even hold the key. */
const words = (key: string) => `Something about ${key} in the organisation org-secret.`;

const STATUS: Record<RefusalKind, number> = {
  "400": 400,
  "401": 401,
  "403": 403,
  "404": 404,
  "429": 429,
  "429 soon": 429,
  "429 later": 429,
  quota: 429,
  "500": 500,
  "529": 529,
};
const WAITS: Partial<Record<RefusalKind, string>> = { "429 soon": "0", "429 later": "17" };

function waitHeaders(kind: RefusalKind): Record<string, string> {
  const wait = WAITS[kind];
  return wait === undefined ? {} : { "retry-after": wait };
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== "");
}

function openaiUsage({ usage: { input, output } }: Reply) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

export const openai: Wire = {
  whole: (model, reply) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.text ?? null,
          ...(reply.tools && { tool_calls: reply.tools.map((tool, index) => openaiTool(tool, index)) }),
        },
        finish_reason: reply.tools ? "tool_calls" : "stop",
      },
    ],
    usage: openaiUsage(reply),
  }),
  events(model, reply) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      data({
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1_790_000_000,
        model,
        choices: [{ index: 0, delta, finish_reason }],
        usage: null,
      });
    return [
      chunk({ role: "assistant", content: "" }),
      ...halves(reply.text ?? "").map((content) => chunk({ content })),
      ...(reply.tools ?? []).map((tool, index) => chunk({ tool_calls: [{ index, ...openaiTool(tool, index) }] })),
      chunk({}, reply.tools ? "tool_calls" : "stop"),
      data({ id: "chatcmpl-1", object: "chat.completion.chunk", model, choices: [], usage: openaiUsage(reply) }),
      "data: [DONE]\n\n",
    ];
  },
  brokenEvent: () => data({ error: { message: words("it"), type: "server_error", code: "server_error" } }),
  refusal: (kind, key) => ({
    status: STATUS[kind],
    headers: waitHeaders(kind),
    body: {
      error: {
        message: words(key),
        type: kind === "quota" ? "insufficient_quota" : "invalid_request_error",
        param: null,
        code: kind === "quota" ? "insufficient_quota" : kind,
      },
    },
  }),
};

function openaiTool({ name, input }: { name: string; input: object }, index: number) {
  return { id: `call_${index}_${name}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

function anthropicUsage({ usage: { input, output } }: Reply) {
  return { input_tokens: input, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: output };
}

const event = (type: string, rest: object) => `event: ${type}\n${data({ type, ...rest })}`;

export const anthropic: Wire = {
  whole: (model, reply) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(reply.text === undefined ? [] : [{ type: "text", text: reply.text }]),
      ...(reply.tools ?? []).map((tool, index) => ({ type: "tool_use", id: `toolu_${index}`, ...tool })),
    ],
    stop_reason: reply.tools ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: anthropicUsage(reply),
  }),
  events(model, reply) {
    const usage = { ...anthropicUsage(reply), output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
    const blocks: string[] = [];
    let index = 0;
    const block = (start: object, deltas: object[]) => {
      blocks.push(event("content_block_start", { index, content_block: start }));
      for (const delta of deltas) blocks.push(event("content_block_delta", { index, delta }));
      blocks.push(event("content_block_stop", { index }));
      index += 1;
    };
    if (reply.text !== undefined) {
      block(
        { type: "text", text: "" },
        halves(reply.text).map((text) => ({ type: "text_delta", text })),
      );
    }
    for (const { name, input } of reply.tools ?? []) {
      block({ type: "tool_use", id: `toolu_${index}`, name, input: {} }, [
        ...halves(JSON.stringify(input)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      ]);
    }
    return [
      event("message_start", { message }),
      ...blocks,
      event("message_delta", {
        delta: { stop_reason: reply.tools ? "tool_use" : "end_turn", stop_sequence: null },
        usage: { output_tokens: reply.usage.output },
      }),
      event("message_stop", {}),
    ];
  },
  brokenEvent: () => event("error", { error: { type: "overloaded_error", message: words("it") } }),
  refusal: (kind, key) => ({
    status: STATUS[kind],
    headers: waitHeaders(kind),
    body: { type: "error", error: { type: `error_${kind}`, message: words(key) }, request_id: "req_1" },
  }),
};

function googleChunk(model: string, reply: Reply, parts: object[], isLast: boolean) {
  const { input, output } = reply.usage;
  return {
    candidates: [{ content: { parts, role: "model" }, ...(isLast && { finishReason: "STOP" }), index: 0 }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: model,
    responseId: "r1",
  };
}

const googleCalls = ({ tools = [] }: Reply) =>
  tools.map(({ name, input }) => ({ functionCall: { name, args: input } }));

export const google: Wire = {
  whole: (model, reply) =>
    googleChunk(
      model,
      reply,
      [...(reply.text === undefined ? [] : [{ text: reply.text }]), ...googleCalls(reply)],
      true,
    ),
  events(model, reply) {
    const parts = [...halves(reply.text ?? "").map((text) => ({ text })), ...googleCalls(reply)];
    return parts.map((part, index) => data(googleChunk(model, reply, [part], index === parts.length - 1)));
  },
  brokenEvent: () => data({ error: { code: 500, message: words("it"), status: "INTERNAL" } }),
  refusal(kind, key) {
    const isKey = kind === "401";
    const details = isKey
      ? [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }]
      : kind === "429 soon" || kind === "429 later"
        ? [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: kind === "429 soon" ? "0.01s" : "17s" }]
        : [];
    const status = isKey ? 400 : STATUS[kind];
    return { status, body: { error: { code: status, message: words(key), status: "REFUSED", details } } };
  },
};
