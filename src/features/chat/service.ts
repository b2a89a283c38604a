import { type Context, findingSignIn, isPerson, timeZoneOf } from "../../context.ts";
import type { ChatAction } from "../../db/schema/chat.ts";
import { languageIn } from "../../engine/languages/language.ts";
import { BUILTIN_ENGINE, type Engine } from "../../lib/ai-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { counted } from "../../lib/spoken-time.ts";
import { reasonOf } from "../../providers/llm/failure.ts";
import { builtinInstead, type OpenModel, openModel } from "../ai-models/model.ts";
import { recordCall } from "../ai-models/tokens/usage.ts";
import {
  type Exchange,
  newConversation,
  type OpenConversation,
  openConversation,
  storeExchange,
} from "../conversations/service.ts";
import { Turn } from "../tools/turn.ts";
import { answerProposals } from "./builtin/proposals.ts";
import { replyBuiltin } from "./builtin/reply.ts";
import { correctionOf } from "./claims.ts";
import { replyByModel, streamByModel } from "./model.ts";
import type { ChatInput, ChatResponse } from "./schemas.ts";

type ChatEvent =
  | { event: "delta"; data: { text: string } }
  | { event: "action"; data: ShownAction }
  | { event: "proposal"; data: ChatResponse["proposals"][number] }
  | { event: "done"; data: ChatResponse };

export async function chat(ctx: Context, input: ChatInput): Promise<ChatResponse> {
  const events = runTurn(ctx, input);
  for (;;) {
    const { value, done } = await events.next();
    if (done) return value;
  }
}

/** The same as a stream. The final reply is the one in `done`. */
export async function* chatEvents(ctx: Context, input: ChatInput, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const response = yield* runTurn(ctx, input, signal);
  yield { event: "done", data: response };
}

type Reply = Omit<Exchange, "message"> & { suggestions?: string[] };
type ShownAction = ChatAction & { canUndo: boolean };

/** What was written can be taken back, unless it has left the service. */
function shownActions({ actions, undoables, applied }: Turn, from = 0): ShownAction[] {
  const undoable = new Set([...applied, ...undoables.flatMap(({ id, undo }) => (undo ? [id] : []))]);
  return actions.slice(from).map((action) => ({ ...action, canUndo: action.id !== null && undoable.has(action.id) }));
}

async function* runTurn(ctx: Context, input: ChatInput, signal?: AbortSignal): AsyncGenerator<ChatEvent, ChatResponse> {
  const { message, timeZone = timeZoneOf(ctx) } = input;
  const conversation: OpenConversation =
    input.conversationId === undefined ? newConversation() : await openConversation(ctx, input.conversationId);
  const turn = new Turn(ctx, timeZone, { conversationId: conversation.id, state: conversation.state });
  // A program that answers a question which quotes outside text may only be passing that text on.
  if (!isPerson(ctx) && conversation.question) {
    turn.hasReadUntrusted = conversation.history.at(-1)?.hasUntrustedText ?? false;
  }
  let said: Reply | undefined;
  try {
    said = yield* generateReply(turn, conversation, message, signal);
  } finally {
    // Changes made before the client disconnected are part of the conversation.
    if (!said && (turn.hasWritten || turn.proposals.length > 0)) {
      const reply = interrupted(turn);
      const exchange = { message, reply, engine: BUILTIN_ENGINE, question: null };
      ctx.defer(storeExchange(ctx, conversation, turn, exchange));
    }
  }
  const { suggestions = [], ...exchange } = said;
  await storeExchange(ctx, conversation, turn, { message, ...exchange });
  const proposals = turn.proposals.map(({ basis: _, ...shown }) => shown);
  for (const data of proposals) yield { event: "proposal", data };
  const actions = shownActions(turn);
  const language = languageIn(message);
  return {
    reply: said.reply,
    conversationId: conversation.id,
    actions,
    proposals,
    suggestions,
    language,
    engine: said.engine,
  };
}

async function* generateReply(
  turn: Turn,
  conversation: OpenConversation,
  message: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, Reply> {
  const model = await modelOrBuiltin(turn.ctx);
  if ("kind" in model) return yield* builtin(turn, conversation, message, model);
  // No model decides whether a person has said yes.
  const answered = await answerProposals(turn, message);
  if (answered) {
    for (const data of shownActions(turn)) yield { event: "action", data };
    yield { event: "delta", data: { text: answered.text } };
    return { reply: answered.text, engine: BUILTIN_ENGINE, question: null };
  }
  try {
    const given = { turn, model, history: conversation.history, message, ...(signal && { signal }) };
    const text = signal ? yield* withActions(turn, streamByModel(given)) : await replyByModel(given);
    if (signal?.aborted) throw new AppError("unavailable", "The client disconnected before the reply was complete.");
    const correction = correctionOf(turn, text);
    if (correction && signal) yield { event: "delta", data: { text: correction } };
    return { reply: `${text || withoutReply(turn)}${correction}`, engine: model.engine, question: null };
  } catch (error) {
    if (!(error instanceof AppError) || signal?.aborted) throw error;
    const engine = { ...BUILTIN_ENGINE, fallbackReason: reasonOf(error) };
    // The built-in engine must not repeat changes, nor answer a client that is gone and retries with its Idempotency-Key.
    if (turn.hasWritten || turn.proposals.length > 0) return { reply: interrupted(turn), engine, question: null };
    if (turn.ctx.signal?.aborted) throw error;
    return yield* builtin(turn, conversation, message, engine);
  }
}

async function modelOrBuiltin(ctx: Context): Promise<OpenModel | Engine> {
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
): AsyncGenerator<ChatEvent, Reply> {
  const startedAt = Date.now();
  const sent = turn.actions.length;
  turn.ctx = findingSignIn(turn.ctx);
  const said = await replyBuiltin(turn, message, question);
  const { text, suggestions = [] } = said;
  const asked = ("question" in said ? said.question : null) ?? null;
  const durationMs = Date.now() - startedAt;
  turn.ctx.defer(recordCall(turn.ctx, { task: "chat", engine, inputTokens: 0, outputTokens: 0, durationMs }));
  for (const data of shownActions(turn, sent)) yield { event: "action", data };
  yield { event: "delta", data: { text } };
  return { reply: text, engine, question: asked, suggestions };
}

/** Emits the text and, in between, the tool calls. */
async function* withActions(turn: Turn, pieces: AsyncGenerator<string, string>): AsyncGenerator<ChatEvent, string> {
  let sent = 0;
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      for (const data of shownActions(turn, sent)) yield { event: "action", data };
      sent = turn.actions.length;
      if (done) return value;
      if (value) yield { event: "delta", data: { text: value } };
    }
  } finally {
    await pieces.return("");
  }
}

/** A model that exceeds the number of steps may end without text. */
function withoutReply(turn: Turn): string {
  return `I stopped before I had an answer. ${doneSoFar(turn)}`;
}

function interrupted(turn: Turn): string {
  return `I was interrupted before I could finish. ${doneSoFar(turn)} I will not do any of it twice.`;
}

function doneSoFar({ actions, proposals }: Turn): string {
  const names = actions.map(({ tool }) => tool.replaceAll("_", " "));
  const done = names.length > 0 ? `So far: ${names.join(", ")}.` : "Nothing was done.";
  return proposals.length > 0 ? `${done} ${counted(proposals.length, "change")} proposed.` : done;
}
