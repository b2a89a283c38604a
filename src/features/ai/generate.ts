import type { Context } from "../../context.ts";
import { BUILTIN_ENGINE, type Engine } from "../../lib/ai-kinds.ts";
import {
  builtinInstead,
  type Limits,
  type ModelCall,
  modelNotConfigured,
  openModel,
  runText,
  streamText,
  type Unavailable,
} from "../ai-models/model.ts";
import type { Usage } from "../ai-models/tokens/meter.ts";
import { recordCall } from "../ai-models/tokens/usage.ts";
import { readingFor } from "../people/reading.ts";
import { answerPrompt } from "./language/prompts.ts";
import type { Generated, GenerateInput } from "./schemas.ts";

const INSTRUCTIONS =
  "Write what the person asks for: only the text itself, ready to use, in the language of the request, without comments.";

export async function generate(ctx: Context, input: GenerateInput, limits?: Limits): Promise<Generated> {
  const model = await openModel(ctx, input.model);
  if ("unavailable" in model) return builtin(ctx, input, model);
  const { text, usage, engine } = await runText(ctx, model, callOf(input, limits));
  return { content: text, usage: toUsage(usage), engine };
}

type Cost = { usage: Usage; engine: Engine };

type GenerateEvent =
  | { event: "delta"; data: { text: string } }
  | { event: "done"; data: { usage: Generated["usage"]; engine: Engine } };

/** The same as a stream. */
export async function* generateEvents(
  ctx: Context,
  input: GenerateInput,
  signal: AbortSignal,
  limits?: Limits,
): AsyncGenerator<GenerateEvent> {
  const model = await openModel(ctx, input.model);
  if ("unavailable" in model) {
    const { content, usage, engine } = builtin(ctx, input, model);
    yield { event: "delta", data: { text: content } };
    yield { event: "done", data: { usage, engine } };
    return;
  }
  const { usage, engine } = yield* deltas(streamText(ctx, model, { ...callOf(input, limits), signal }));
  if (!signal.aborted) yield { event: "done", data: { usage: toUsage(usage), engine } };
}

/** Only the text of the stream. If the reader stops early, the model's stream is stopped, too. */
async function* deltas(parts: ReturnType<typeof streamText>): AsyncGenerator<GenerateEvent, Cost> {
  try {
    for (;;) {
      const { value, done } = await parts.next();
      if (done) return value;
      if (value.type === "text-delta" && value.text) yield { event: "delta", data: { text: value.text } };
    }
  } finally {
    await parts.return({ usage: { inputTokens: 0, outputTokens: 0 }, engine: BUILTIN_ENGINE });
  }
}

function callOf({ prompt, system, maxTokens }: GenerateInput, limits: Limits | undefined): ModelCall {
  return {
    task: "generate",
    instructions: system ?? INSTRUCTIONS,
    prompt,
    maxOutputTokens: maxTokens,
    ...(limits && { limits }),
  };
}

function builtin(ctx: Context, { prompt }: GenerateInput, missing: Unavailable): Generated {
  const startedAt = Date.now();
  const writer = ctx.actor.kind === "session" ? ctx.actor.user.name : null;
  const content = answerPrompt(prompt, { reference: ctx.now, ...readingFor(ctx) }, writer);
  if (content === null) throw modelNotConfigured(missing);
  const engine = builtinInstead(missing);
  const durationMs = Date.now() - startedAt;
  ctx.defer(recordCall(ctx, { task: "generate", engine, inputTokens: 0, outputTokens: 0, durationMs }));
  return { content, usage: null, engine };
}

function toUsage({ inputTokens, outputTokens }: Usage): Generated["usage"] {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
