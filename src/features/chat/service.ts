import { type Context, timeZoneOf } from "../../context.ts";
import type { ChatAction, ChatQuestion } from "../../db/schema/chat.ts";
import { BUILTIN_ENGINE, type Engine } from "../../lib/ai-kinds.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { counted } from "../../lib/spoken-time.ts";
import { reasonOf } from "../../providers/llm/failure.ts";
import { builtinInstead, type OpenModel, openModel } from "../ai-models/model.ts";
import { recordCall } from "../ai-models/tokens/usage.ts";
import { answerBuiltin } from "./builtin/commands.ts";
import { keepExchange, type OpenConversation, openConversation } from "./conversations.ts";
import { answerByModel, streamByModel } from "./model.ts";
import type { ChatAnswer, ChatInput } from "./schemas.ts";
import { type Proposal, Turn } from "./turn.ts";

export type ChatEvent =
  | { event: "delta"; data: { text: string } }
  | { event: "action"; data: ChatAction }
  | { event: "proposal"; data: Proposal }
  | { event: "done"; data: ChatAnswer };

/** Answers a message, and does what it asks for. */
export async function chat(ctx: Context, input: ChatInput): Promise<ChatAnswer> {
  const events = talk(ctx, input);
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

/** The same as it comes. `done` has the whole answer, and its reply is the one that counts. */
export async function* chatEvents(ctx: Context, input: ChatInput, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const answer = yield* talk(ctx, input, signal);
  yield { event: "done", data: answer };
}

interface Said {
  reply: string;
  engine: Engine;
  question: ChatQuestion | null;
}

async function* talk(ctx: Context, input: ChatInput, signal?: AbortSignal): AsyncGenerator<ChatEvent, ChatAnswer> {
  const { message, timeZone = timeZoneOf(ctx) } = input;
  const conversation: OpenConversation =
    input.conversationId === undefined
      ? { id: randomToken(), isNew: true, question: null, history: [] }
      : await openConversation(ctx, input.conversationId);
  const turn = new Turn(ctx, timeZone);
  let said: Said | undefined;
  try {
    said = yield* answer(turn, conversation, message, signal);
  } finally {
    // A client that has gone does not undo what was done for it.
    if (!said && (turn.hasWritten || turn.proposals.length > 0)) {
      const reply = brokenOff(turn);
      const exchange = { message, reply, engine: BUILTIN_ENGINE, question: null };
      ctx.defer(keepExchange(ctx, conversation, turn, exchange));
    }
  }
  await keepExchange(ctx, conversation, turn, { message, ...said });
  for (const data of turn.proposals) yield { event: "proposal", data };
  const { actions, proposals } = turn;
  return { reply: said.reply, conversationId: conversation.id, actions, proposals, engine: said.engine };
}

async function* answer(
  turn: Turn,
  conversation: OpenConversation,
  message: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, Said> {
  const model = await modelOrReason(turn.ctx);
  if ("kind" in model) return yield* builtin(turn, conversation, message, model);
  try {
    const given = { turn, model, history: conversation.history, message, ...(signal && { signal }) };
    const text = signal ? yield* withActions(turn, streamByModel(given)) : await answerByModel(given);
    if (signal?.aborted) throw new AppError("unavailable", "The client left before the answer was there.");
    return { reply: text || wordless(turn), engine: model.engine, question: null };
  } catch (error) {
    if (!(error instanceof AppError) || signal?.aborted) throw error;
    const engine = { ...BUILTIN_ENGINE, fallbackReason: reasonOf(error) };
    // What was done is not done again by another engine, nor for a client that has gone and asks again with its key.
    if (turn.hasWritten || turn.proposals.length > 0) return { reply: brokenOff(turn), engine, question: null };
    if (turn.ctx.signal?.aborted) throw error;
    return yield* builtin(turn, conversation, message, engine);
  }
}

/** The model to ask, or the label of the engine that answers without one. */
async function modelOrReason(ctx: Context): Promise<OpenModel | Engine> {
  try {
    const model = await openModel(ctx);
    return "unavailable" in model ? builtinInstead(model) : model;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...BUILTIN_ENGINE, fallbackReason: reasonOf(error) };
  }
}

async function* builtin(
  turn: Turn,
  { question }: OpenConversation,
  message: string,
  engine: Engine,
): AsyncGenerator<ChatEvent, Said> {
  const startedAt = Date.now();
  const told = turn.actions.length;
  const { text, question: asked = null } = await answerBuiltin(turn, message, question);
  const durationMs = Date.now() - startedAt;
  turn.ctx.defer(recordCall(turn.ctx, { task: "chat", engine, inputTokens: 0, outputTokens: 0, durationMs }));
  for (const data of turn.actions.slice(told)) yield { event: "action", data };
  yield { event: "delta", data: { text } };
  return { reply: text, engine, question: asked };
}

/** Pieces of text as events, and between them what was done. */
async function* withActions(turn: Turn, pieces: AsyncGenerator<string, string>): AsyncGenerator<ChatEvent, string> {
  let told = 0;
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      for (const data of turn.actions.slice(told)) yield { event: "action", data };
      told = turn.actions.length;
      if (done) return value;
      if (value) yield { event: "delta", data: { text: value } };
    }
  } finally {
    await pieces.return("");
  }
}

/** A model that goes round in circles is stopped, and may not have said a word. */
function wordless(turn: Turn): string {
  return `I stopped before I came to an answer. ${doneSoFar(turn)}`;
}

function brokenOff(turn: Turn): string {
  return `The answer broke off before it was whole. ${doneSoFar(turn)} Nothing of it is done twice.`;
}

function doneSoFar({ actions, proposals }: Turn): string {
  const names = actions.map(({ tool }) => tool.replaceAll("_", " "));
  const done = names.length > 0 ? `So far: ${names.join(", ")}.` : "Nothing was done.";
  return proposals.length > 0 ? `${done} ${counted(proposals.length, "change")} proposed.` : done;
}
