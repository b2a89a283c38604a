import { eventStream, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { dismissProposal, listProposals } from "../conversations/proposals.ts";
import { deleteConversation, listConversations, readConversation } from "../conversations/service.ts";
import { undoAction } from "../conversations/undo.ts";
import { applyProposal } from "../tools/apply-proposal.ts";
import { readableConversation, readableProposal } from "./readable.ts";
import {
  ActionPath,
  ChatRequest,
  ChatResponse,
  ConversationDetails,
  ConversationList,
  ConversationPath,
  ProposalList,
  ProposalPath,
  StoredProposal,
  UndoneAction,
} from "./schemas.ts";
import { chat, chatEvents } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/ai/chat", {
  operationId: "chat",
  summary: "Send a chat message",
  description:
    "The assistant does what the message asks for and replies, with the active model or the built-in engine. The " +
    "built-in engine understands common requests in English; add a provider key with `POST /api/api-keys` for free " +
    "conversation. Once an email, or a task or event that is `outside`, has been read, further changes become " +
    "proposals. " +
    "Every tool needs the same API key scopes as its endpoint; to change a record also the one that reads it.",
  guard: data("ai:use"),
  rateLimit: "expensive",
  body: ChatRequest,
  returns: { 200: ChatResponse },
  events:
    "`delta` {text} for each piece, `action` and `proposal` as in the response, then `done` with the whole response and " +
    "the final `reply`; `error` with a problem document if it fails.",
  errors: ["not_found", "unavailable"],
  idempotent: true,
  handle: async ({ c, ctx, body }) => {
    if (!wantsEvents(c)) return chat(ctx, body);
    return eventStream(c, (signal) => chatEvents(ctx, body, signal));
  },
});

routes.endpoint("get", "/api/ai/chat/conversations", {
  operationId: "listConversations",
  summary: "List conversations",
  description: "Returns your conversations, the most recent first. They are deleted 90 days after their last message.",
  guard: data("ai:use"),
  query: PageQuery,
  returns: { 200: ConversationList },
  handle: ({ ctx, query }) => listConversations(ctx, query),
});

routes.endpoint("get", "/api/ai/chat/conversations/{id}", {
  operationId: "readConversation",
  summary: "Get a conversation",
  description: "Returns a conversation with a page of its messages and its proposals.",
  guard: data("ai:use"),
  params: ConversationPath,
  query: PageQuery,
  returns: { 200: ConversationDetails },
  handle: async ({ ctx, params, query }) => readableConversation(ctx, await readConversation(ctx, params.id, query)),
});

routes.endpoint("delete", "/api/ai/chat/conversations/{id}", {
  operationId: "deleteConversation",
  summary: "Delete a conversation",
  description: "Deletes the conversation with its messages and proposals. Changes it made are kept.",
  guard: data("ai:use"),
  params: ConversationPath,
  returns: { 204: null },
  handle: ({ ctx, params }) => deleteConversation(ctx, params.id),
});

routes.endpoint("get", "/api/ai/chat/proposals", {
  operationId: "listProposals",
  summary: "List open proposals",
  description:
    "Returns the changes that wait for your confirmation, from the chat and from connected agents, " +
    "newest first. `summary` describes the change. A proposal expires after 24 hours.",
  guard: data("ai:use"),
  query: PageQuery,
  returns: { 200: ProposalList },
  handle: async ({ ctx, query }) => {
    const { data: found, ...page } = await listProposals(ctx, query);
    return { ...page, data: found.map((proposal) => readableProposal(ctx, proposal)) };
  },
});

routes.endpoint("post", "/api/ai/chat/proposals/{id}", {
  operationId: "applyProposal",
  summary: "Apply a proposal",
  description:
    "Applies the proposed change, once. Only a person can do this: a session or, in open mode, a caller without a " +
    "credential. API keys and agents, and in open mode credentials that are not valid, get 403 `forbidden`. If the " +
    "record has changed or was deleted since, nothing is changed, the proposal is dismissed and the response is 409 " +
    "`proposal_outdated`. If the change is refused for another reason, the proposal stays open. The written record " +
    "is marked `outside`.",
  guard: data("ai:use"),
  rateLimit: "expensive",
  params: ProposalPath,
  returns: { 200: StoredProposal },
  errors: ["forbidden", "conflict", "time_conflict", "proposal_settled", "proposal_expired", "proposal_outdated"],
  idempotent: true,
  handle: ({ ctx, params }) => applyProposal(ctx, params.id),
});

routes.endpoint("delete", "/api/ai/chat/proposals/{id}", {
  operationId: "dismissProposal",
  summary: "Dismiss a proposal",
  description: "Dismisses the proposal without making the change.",
  guard: data("ai:use"),
  params: ProposalPath,
  returns: { 204: null },
  errors: ["proposal_settled", "proposal_expired"],
  handle: ({ ctx, params }) => dismissProposal(ctx, params.id),
});

routes.endpoint("post", "/api/ai/chat/actions/{id}/undo", {
  operationId: "undoChatAction",
  summary: "Undo a chat action",
  description:
    "Undoes a change that the assistant made: a new record is deleted; a changed, completed or cancelled one is " +
    "restored. In the conversation, saying “undo” does the same for all changes of the last message. If the record " +
    "has changed since, nothing is undone and the response is 409 `undo_outdated`. Returns 409 `undo_expired` for " +
    "an action that was already undone or cannot be undone, such as a sent email. An API key needs the scopes that " +
    "read and write the record.",
  guard: data("ai:use"),
  params: ActionPath,
  returns: { 200: UndoneAction },
  errors: ["undo_expired", "undo_outdated"],
  idempotent: true,
  handle: ({ ctx, params }) => undoAction(ctx, params.id),
});
