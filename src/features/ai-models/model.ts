/*
 * How a feature uses a language model.
 *
 *   const model = await openModel(ctx, name);            // Default: the active model
 *   if ("unavailable" in model) … builtinInstead(model)  // the engine label of a result without it
 *   const { text, usage } = await runText(ctx, model, { task, instructions, prompt });
 *   for await (const part of streamText(ctx, model, { task, instructions, messages, tools, maxSteps })) …
 *
 * Retries, time limits, disconnected clients, error texts and the record of used tokens are handled here: the result is
 * a response or an AppError. Use `ask.ts` for typed results.
 */
import type { LanguageModel, ModelMessage, StopCondition, TextStreamPart, ToolSet } from "ai";
import type * as z from "zod";
import type { Context } from "../../context.ts";
import { type AiTask, BUILTIN_ENGINE, type Engine, type ModelName, type ProviderName } from "../../lib/ai-kinds.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError } from "../../lib/errors.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { openLanguageModel } from "../../providers/llm/access.ts";
import { cutShort, providerProblem } from "../../providers/llm/failure.ts";
import { readCredentials } from "../ai-keys/credentials.ts";
import { activeEntry, howToAdd, requireModelsOn, SWITCHED_OFF, selectState } from "./active.ts";
import { engineOf, modelNamed } from "./catalogue.ts";
import { requireBudget } from "./tokens/budget.ts";
import { type Meter, openMeter, type Usage } from "./tokens/meter.ts";

export interface OpenModel {
  languageModel: LanguageModel;
  /** Whether it accepts a schema for its output. Others get the schema in the prompt. */
  takesSchema: boolean;
  provider: ProviderName;
  engine: Engine;
}

export interface Unavailable {
  /** `no_provider` and `switched_off`: no model is expected, so the built-in engine is not a fallback. */
  unavailable: "no_provider" | "switched_off" | "model_not_configured";
  /** How to fix it. */
  detail: string;
}

/** Costs no database read without a provider. Throws `token_budget_exhausted`. */
export async function openModel(ctx: Context, name?: ModelName): Promise<OpenModel | Unavailable> {
  const credentials = await readCredentials(ctx);
  if (!credentials.anyConfigured) {
    const detail =
      "Save a provider's key with POST /api/api-keys, or set OPENAI_API_KEY or another in the environment.";
    return { unavailable: "no_provider", detail };
  }
  const [[state], budget] = await Promise.all([
    selectState(ctx),
    requireBudget(ctx).then(
      () => null,
      (error: unknown) => ({ error }),
    ),
  ]);
  const active = activeEntry(ctx, state, credentials);
  if (!active) {
    return { unavailable: "switched_off", detail: SWITCHED_OFF };
  }
  const entry = name ? modelNamed(ctx.config, credentials, name) : active;
  const credential = credentials.read(entry.provider);
  if (!credential) return { unavailable: "model_not_configured", detail: howToAdd(entry) };
  const { key, baseUrl } = credential;
  const problem = baseUrl && outsideAddressProblem(baseUrl, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) return { unavailable: "model_not_configured", detail: `The baseUrl of ${entry.provider} ${problem}.` };
  if (budget) throw budget.error;
  const { provider, upstreamModel: model } = entry;
  const beforeRetry = () => requireModelsOn(ctx);
  const binding = ctx.config.bindings.AI;
  const opened = await openLanguageModel({ provider, model, key, baseUrl, binding, beforeRetry });
  return { ...opened, provider, engine: engineOf(entry) };
}

/** Whether a model can be expected. Reads no database. */
export async function isAnyModelConfigured(ctx: Context): Promise<boolean> {
  try {
    return (await readCredentials(ctx)).anyConfigured;
  } catch (error) {
    // Nobody knows, so who asks a model later finds out.
    if (error instanceof AppError) return true;
    throw error;
  }
}

/** The engine label of a result that the built-in engine makes instead of this model. */
export function builtinInstead({ unavailable }: Unavailable): Engine {
  return { ...BUILTIN_ENGINE, fallbackReason: unavailable === "model_not_configured" ? unavailable : null };
}

export function modelNotConfigured({ detail }: Unavailable): AppError {
  return new AppError("model_not_configured", detail);
}

/** Milliseconds. */
export interface Limits {
  /** The whole call, with all retries and steps. */
  totalMs: number;
  /** The first chunk of a stream, and each next one. */
  chunkMs: number;
}

export const LIMITS: Limits = { totalMs: 60_000, chunkMs: 30_000 };

export interface ModelCall<Tools extends ToolSet = ToolSet> {
  task: AiTask;
  instructions: string;
  /** This or `messages`. */
  prompt?: string;
  messages?: ModelMessage[];
  tools?: Tools;
  /** Maximum rounds of tool calls. Default: one. */
  maxSteps?: number;
  stopWhen?: StopCondition<Tools>[];
  maxOutputTokens?: number | undefined;
  /** Aborts the call. Default: the request's signal. */
  signal?: AbortSignal | null;
  limits?: Limits;
}

export async function runText<Tools extends ToolSet>(ctx: Context, model: OpenModel, call: ModelCall<Tools>) {
  return metered(ctx, model, call, async (settings, sdk) => {
    const { text, steps, responseMessages, finishReason } = await sdk.generateText<Tools>(settings);
    if (finishReason === "error") throw cutShort(model.provider);
    return { text, steps, messages: responseMessages };
  });
}

/** Throws if the output does not match the schema. */
export async function runObject<Raw>(ctx: Context, model: OpenModel, call: ModelCall & { schema: z.ZodType<Raw> }) {
  return metered(ctx, model, call, async (settings, sdk) => {
    const { output } = await sdk.generateText({ ...settings, output: sdk.Output.object({ schema: call.schema }) });
    return { output };
  });
}

type Sdk = typeof import("../../providers/llm/sdk.ts");

/** Runs a call that does not stream. Its tokens are recorded whether it succeeds or not. */
async function metered<Tools extends ToolSet, Result>(
  ctx: Context,
  model: OpenModel,
  call: ModelCall<Tools>,
  run: (settings: Settings<Tools>, sdk: Sdk) => Promise<Result>,
): Promise<Result & { usage: Usage; engine: Engine }> {
  const sdk = await import("../../providers/llm/sdk.ts");
  const meter = openMeter(ctx, model.engine, call.task, promptLength(call));
  const signal = clientOf(ctx, call);
  let isCutOff = false;
  try {
    const limits = call.limits ?? LIMITS;
    const settings = { ...settingsOf(ctx, model, call, sdk, meter), timeout: { totalMs: limits.totalMs } };
    const result = await run({ ...settings, ...(signal && { abortSignal: signal }) }, sdk);
    return { ...result, usage: { ...meter.usage }, engine: model.engine };
  } catch (error) {
    const problem = signal?.aborted ? clientGone() : providerProblem(error, model.provider);
    isCutOff = signal?.aborted || problem.code === "provider_timeout";
    throw problem;
  } finally {
    await meter.close(isCutOff);
  }
}

/**
 * Yields the SDK's parts, mainly `text-delta`, `tool-call`, `tool-result`, `tool-error` and `finish`. Failures are thrown
 * as AppError. When the client disconnects or the reader stops, the call is aborted and the stream ends.
 */
export async function* streamText<Tools extends ToolSet>(
  ctx: Context,
  model: OpenModel,
  call: ModelCall<Tools>,
): AsyncGenerator<TextStreamPart<Tools>, { usage: Usage; engine: Engine }> {
  const sdk = await import("../../providers/llm/sdk.ts");
  const meter = openMeter(ctx, model.engine, call.task, promptLength(call));
  const client = clientOf(ctx, call);
  const reader = new AbortController();
  const { totalMs, chunkMs } = call.limits ?? LIMITS;
  // A reader that stops ends this generator right at its `yield`.
  let isCutOff = true;
  try {
    const { stream } = sdk.streamText<Tools>({
      ...settingsOf(ctx, model, call, sdk, meter),
      abortSignal: client ? AbortSignal.any([client, reader.signal]) : reader.signal,
      timeout: { totalMs, chunkMs, firstChunkMs: chunkMs },
      // The default handler would log the provider's message.
      onError: () => {},
    });
    for await (const part of stream) {
      meter.addOutput(lengthOf(part));
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw new DOMException("", "TimeoutError");
      if (part.type === "finish-step" && isCutShort(model, part)) throw cutShort(model.provider);
      yield part;
    }
    isCutOff = false;
  } catch (error) {
    if (!client?.aborted) {
      const problem = providerProblem(error, model.provider);
      isCutOff = problem.code === "provider_timeout";
      throw problem;
    }
  } finally {
    reader.abort();
    await meter.close(isCutOff);
  }
  return { usage: { ...meter.usage }, engine: model.engine };
}

/** A provider gives a reason for stopping; a stream without one was cut off. The Workers AI binding never gives one. */
function isCutShort({ provider }: OpenModel, part: { finishReason: string; rawFinishReason: string | undefined }) {
  return part.finishReason === "error" || (part.rawFinishReason === undefined && provider !== "workers-ai");
}

function promptLength({
  instructions,
  prompt = "",
  messages = [],
}: Pick<ModelCall, "instructions" | "prompt" | "messages">) {
  return instructions.length + prompt.length + (messages.length > 0 ? JSON.stringify(messages).length : 0);
}

/** The characters of a part that the provider charges for. */
function lengthOf(part: TextStreamPart<ToolSet>): number {
  if (part.type === "text-delta" || part.type === "reasoning-delta") return part.text.length;
  return part.type === "tool-input-delta" ? part.delta.length : 0;
}

function clientOf(ctx: Context, call: Pick<ModelCall, "signal">): AbortSignal | null {
  return call.signal === undefined ? ctx.signal : call.signal;
}

function clientGone(): AppError {
  return new AppError("unavailable", "The client disconnected before the response was ready.");
}

type Settings<Tools extends ToolSet> = ReturnType<typeof settingsOf<Tools>> & {
  timeout: { totalMs: number };
  abortSignal?: AbortSignal;
};

function settingsOf<Tools extends ToolSet>(
  ctx: Context,
  model: OpenModel,
  call: ModelCall<Tools>,
  sdk: Sdk,
  meter: Meter,
) {
  const { instructions, messages, prompt = "", tools, maxSteps = 1, stopWhen = [], maxOutputTokens } = call;
  return {
    model: model.languageModel,
    instructions,
    ...assertType<{ prompt: string }>(messages ? { messages } : { prompt }),
    ...assertType<{ tools: Tools }>(tools ? { tools: withKeptSchemas(tools, sdk) } : {}),
    stopWhen: [sdk.isStepCount(maxSteps), ...stopWhen],
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    // The transport retries.
    maxRetries: 0,
    // What the tools have read must not leave after a person has switched models off. `openModel` has just checked it.
    prepareStep: async ({ stepNumber }: { stepNumber: number }) => {
      if (stepNumber > 0) await requireModelsOn(ctx);
      return {};
    },
    onStepEnd: meter.stepEnded,
  };
}

const keptSchemas = new WeakMap<object, ReturnType<Sdk["zodSchema"]>>();

/** The SDK would make JSON Schema of every tool's input at every step of every call. */
function withKeptSchemas(tools: ToolSet, sdk: Sdk): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const input = assertType<z.ZodType>(tool.inputSchema);
    const schema = keptSchemas.get(input) ?? sdk.zodSchema(input);
    keptSchemas.set(input, schema);
    return [name, { ...tool, inputSchema: schema }];
  });
  return assertType<ToolSet>(Object.fromEntries(entries));
}
