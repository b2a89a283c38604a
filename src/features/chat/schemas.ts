import { z } from "@hono/zod-openapi";
import { Id, listOf, Timestamp, TimeZone } from "../../http/schemas.ts";
import { TOOL_NAMES } from "../../lib/chat-tools.ts";
import { Engine } from "../ai-models/schemas.ts";

const MESSAGE_CHARACTERS = 8000;

const ConversationId = z.string().min(1).max(100).openapi({ example: "3f9a1c5e7b2d4a6890c1e2f3a4b5c6d7" });

export const ChatRequest = z
  .object({
    message: z
      .string()
      .trim()
      .min(1)
      .max(MESSAGE_CHARACTERS)
      .openapi({ example: "Remind me to call Ann tomorrow at 3" }),
    conversationId: ConversationId.optional().openapi({ description: "To go on with a conversation." }),
    timeZone: TimeZone.optional().openapi({
      description: "Where the person's clock hangs; your profile's zone when left out, or UTC.",
    }),
  })
  .openapi("ChatRequest");
export type ChatInput = z.output<typeof ChatRequest>;

const ToolName = z.string().openapi({ example: "create_task", description: `One of ${TOOL_NAMES.join(", ")}.` });
const Input = z.record(z.string(), z.unknown()).openapi({ example: { title: "Call Ann" } });

const Action = z
  .object({
    tool: ToolName,
    input: Input,
    result: z.record(z.string(), z.unknown()).openapi({ example: { id: 12, title: "Call Ann", status: "todo" } }),
  })
  .openapi("ChatAction", { description: "Something that was done or looked up." });

const proposal = {
  id: z.string().openapi({ example: "9c2e4a6f8b1d3c5e7a9f0b2d4c6e8a1f" }),
  tool: ToolName,
  input: Input,
  reason: z.string().openapi({ example: "A mail was read before this was thought of, so it waits for your word." }),
};

export const ChatAnswer = z
  .object({
    reply: z.string().openapi({ example: "Added to your tasks: Call Ann, due tomorrow at 15:00." }),
    conversationId: ConversationId,
    actions: z.array(Action),
    proposals: z.array(z.object(proposal).openapi("ChatProposal")).openapi({
      description: "What would be done; apply one with POST /api/ai/chat/proposals/{id} within 24 hours.",
    }),
    engine: Engine,
  })
  .openapi("ChatAnswer");
export type ChatAnswer = z.infer<typeof ChatAnswer>;

export const SettledProposal = z
  .object({
    ...proposal,
    conversationId: ConversationId,
    status: z.enum(["open", "applied", "dismissed", "expired"]).openapi({ example: "applied" }),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({
        example: { id: 12, title: "Send the contract", status: "todo" },
        description: "What came of it, once it was applied.",
      }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .openapi("SettledProposal");

const conversation = {
  id: ConversationId,
  title: z.string().openapi({ example: "Remind me to call Ann tomorrow at 3", description: "How it began." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const ConversationList = listOf(z.object(conversation).openapi("Conversation"), "ConversationList");

const Message = z
  .object({
    id: Id,
    role: z.enum(["user", "assistant"]).openapi({ example: "assistant" }),
    text: z.string().openapi({ example: "Added to your tasks: Call Ann, due tomorrow at 15:00." }),
    actions: z.array(Action),
    engine: z.object(Engine.shape).nullable(),
    createdAt: Timestamp,
  })
  .openapi("ChatMessage");

export const WholeConversation = z
  .object({
    ...conversation,
    messages: listOf(Message, "ChatMessageList").openapi({ description: "Oldest first." }),
    proposals: z.array(SettledProposal).openapi({ description: "The latest hundred that were made in it." }),
  })
  .openapi("WholeConversation");

export const ConversationPath = z.object({ id: ConversationId });
export const ProposalPath = z.object({ id: z.string().min(1).max(100).openapi({ example: "9c2e4a6f8b1d3c5e" }) });
