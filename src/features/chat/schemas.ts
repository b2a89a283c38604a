import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, Timestamp, TimeZone } from "../../http/schemas.ts";
import { TOOL_NAMES } from "../../lib/chat-tools.ts";
import { LANGUAGES } from "../../lib/languages.ts";
import { Engine } from "../ai-models/schemas.ts";

const MESSAGE_CHARACTERS = 8000;

const idText = z.string().min(1).max(100);
const ConversationId = doc(idText, "Id of the conversation.", "3f9a1c5e7b2d4a6890c1e2f3a4b5c6d7");
const REPLY = "Added to your tasks: Call Ann, due tomorrow at 15:00.";

export const ChatRequest = named(
  "ChatRequest",
  () => ({
    message: doc(z.string().trim().min(1).max(MESSAGE_CHARACTERS), "Your message to the assistant."),
    conversationId: idText.optional().openapi({ description: "Continues this conversation. Default: a new one." }),
    timeZone: doc(TimeZone.optional(), "Your time zone. Default: the one of your profile, otherwise UTC."),
  }),
  { example: { message: "Remind me to call Ann tomorrow at 3", timeZone: "Europe/Berlin" } },
);
export type ChatInput = z.output<typeof ChatRequest>;

const ToolName = doc(z.string(), `One of ${TOOL_NAMES.join(", ")}.`, "create_task");
const Input = doc(z.record(z.string(), z.unknown()), "Input of the tool.", { title: "Call Ann" });
const Result = doc(z.record(z.string(), z.unknown()), "What the tool returned.", {
  id: 12,
  title: "Call Ann",
  status: "todo",
});

const actionId = doc(z.string(), "Id of the action.", "7d1f3b5c9e2a4d6f8b0c1a3e5d7f9b2c");

const Action = z
  .object({
    id: doc(actionId.nullable(), "Id of a change. Null for a call that only read."),
    tool: ToolName,
    input: Input,
    result: Result,
    canUndo: doc(z.boolean(), "Whether `POST /api/ai/chat/actions/{id}/undo` can take it back.", true),
  })
  .openapi("ChatAction", { description: "A tool call that was made." });

export const UndoneAction = named("UndoneChatAction", () => ({
  id: actionId,
  conversationId: ConversationId,
  tool: ToolName,
  title: doc(z.string(), "Name of the task, event, email or draft that was changed.", "Call Ann"),
  status: doc(z.enum(["done", "undone"]), "`done`, or `undone` after it was taken back.", "undone"),
  canUndo: doc(z.boolean(), "Whether it can be undone.", false),
  createdAt: doc(Timestamp, "When the change was made."),
}));
export const ActionPath = z.object({ id: doc(idText, "Id of the action.", "7d1f3b5c9e2a4d6f8b0c1a3e5d7f9b2c") });

const proposal = {
  id: doc(z.string(), "Id of the proposal.", "9c2e4a6f8b1d3c5e7a9f0b2d4c6e8a1f"),
  tool: ToolName,
  input: Input,
  summary: doc(
    z.string(),
    "Description of the change, written by the service and never by a model. Text from records is in " +
      "quotation marks. Times are in the time zone of the conversation's message.",
    "Create task “Send the contract”, due Friday 20 November, 17:00",
  ),
  reason: doc(
    z.string(),
    "Why it needs to be confirmed.",
    "This came up after reading text from outside, such as an email, so please confirm it.",
  ),
};

export const ChatResponse = named("ChatResponse", () => ({
  reply: doc(z.string(), "The assistant's reply.", REPLY),
  conversationId: ConversationId,
  actions: doc(z.array(Action), "Tool calls made for this message."),
  proposals: doc(
    z.array(named("ChatProposal", () => proposal)),
    "Changes that a person can confirm with POST /api/ai/chat/proposals/{id} within 24 hours.",
  ),
  suggestions: doc(
    z.array(z.string()),
    "Messages that you may want to send next. Empty unless the assistant was not sure what you meant.",
    [],
  ),
  language: doc(
    z.enum(LANGUAGES).nullable(),
    "The language of the message. Null if the built-in engine does not support it.",
    "en",
  ),
  engine: Engine,
}));
export type ChatResponse = z.infer<typeof ChatResponse>;

export const StoredProposal = named("StoredChatProposal", () => ({
  ...proposal,
  conversationId: ConversationId,
  agent: doc(
    z.string().nullable(),
    "Name of the agent or API key that proposed it. Null: the assistant did, in your own conversation.",
    "Claude",
  ),
  status: doc(z.enum(["open", "applied", "dismissed", "expired"]), "Status of the proposal.", "applied"),
  result: doc(Result.nullable(), "What the tool returned, once it was applied."),
  createdAt: doc(Timestamp, "When it was proposed."),
  expiresAt: doc(Timestamp, "Until when it can be applied."),
}));

export const ProposalList = listOf(StoredProposal, "ChatProposalList");

const conversation = {
  id: ConversationId,
  title: doc(z.string(), "Beginning of the first message.", "Remind me to call Ann tomorrow at 3"),
  createdAt: doc(Timestamp, "When it was started."),
  updatedAt: doc(Timestamp, "When the last message was sent."),
};

export const ConversationList = listOf(
  named("Conversation", () => conversation),
  "ConversationList",
);

const Message = named("ChatMessage", () => ({
  id: doc(Id, "Id of the message."),
  role: doc(z.enum(["user", "assistant"]), "Who wrote it.", "assistant"),
  text: doc(z.string(), "Text of the message.", REPLY),
  actions: doc(z.array(Action), "Tool calls made for this message."),
  engine: doc(z.object(Engine.shape).nullable(), "What wrote the reply; null for your own messages."),
  createdAt: doc(Timestamp, "When it was sent."),
}));

export const ConversationDetails = named("ConversationDetails", () => ({
  ...conversation,
  messages: doc(listOf(Message, "ChatMessageList"), "A page of its messages, oldest first."),
  proposals: doc(z.array(StoredProposal), "The latest 100 proposals."),
}));

export const ConversationPath = z.object({ id: ConversationId });
export const ProposalPath = z.object({ id: doc(idText, "Id of the proposal.", "9c2e4a6f8b1d3c5e7a9f0b2d4c6e8a1f") });
