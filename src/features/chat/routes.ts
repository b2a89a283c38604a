import { contextOf } from "../../http/app-env.ts";
import { eventStream, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
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

routes.openapi(
  route("post", "/api/ai/chat", {
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
  }),
  async (c) => {
    const input = c.req.valid("json");
    if (!wantsEvents(c)) return c.json(await chat(contextOf(c), input), 200);
    return eventStream(c, (signal) => chatEvents(contextOf(c), input, signal));
  },
);

routes.openapi(
  route("get", "/api/ai/chat/conversations", {
    operationId: "listConversations",
    summary: "List conversations",
    description:
      "Returns your conversations, the most recent first. They are deleted 90 days after their last message.",
    guard: data("ai:use"),
    query: PageQuery,
    returns: { 200: ConversationList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listConversations(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/ai/chat/conversations/{id}", {
    operationId: "readConversation",
    summary: "Get a conversation",
    description: "Returns a conversation with a page of its messages and its proposals.",
    guard: data("ai:use"),
    params: ConversationPath,
    query: PageQuery,
    returns: { 200: ConversationDetails },
    errors: ["not_found", "invalid_cursor"],
  }),
  async (c) => {
    const ctx = contextOf(c);
    const conversation = await readConversation(ctx, c.req.valid("param").id, c.req.valid("query"));
    return c.json(readableConversation(ctx, conversation), 200);
  },
);

routes.openapi(
  route("delete", "/api/ai/chat/conversations/{id}", {
    operationId: "deleteConversation",
    summary: "Delete a conversation",
    description: "Deletes the conversation with its messages and proposals. Changes it made are kept.",
    guard: data("ai:use"),
    params: ConversationPath,
    returns: { 204: null },
    errors: ["not_found"],
  }),
  async (c) => noContent(c, await deleteConversation(contextOf(c), c.req.valid("param").id)),
);

routes.openapi(
  route("get", "/api/ai/chat/proposals", {
    operationId: "listProposals",
    summary: "List open proposals",
    description:
      "Returns the changes that wait for your confirmation, from the chat and from connected agents, " +
      "newest first. `summary` describes the change. A proposal expires after 24 hours.",
    guard: data("ai:use"),
    query: PageQuery,
    returns: { 200: ProposalList },
    errors: ["invalid_cursor"],
  }),
  async (c) => {
    const ctx = contextOf(c);
    const { data: found, ...page } = await listProposals(ctx, c.req.valid("query"));
    return c.json({ ...page, data: found.map((proposal) => readableProposal(ctx, proposal)) }, 200);
  },
);

routes.openapi(
  route("post", "/api/ai/chat/proposals/{id}", {
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
    errors: [
      "forbidden",
      "not_found",
      "conflict",
      "time_conflict",
      "proposal_settled",
      "proposal_expired",
      "proposal_outdated",
    ],
    idempotent: true,
  }),
  async (c) => c.json(await applyProposal(contextOf(c), c.req.valid("param").id), 200),
);

routes.openapi(
  route("delete", "/api/ai/chat/proposals/{id}", {
    operationId: "dismissProposal",
    summary: "Dismiss a proposal",
    description: "Dismisses the proposal without making the change.",
    guard: data("ai:use"),
    params: ProposalPath,
    returns: { 204: null },
    errors: ["not_found", "proposal_settled", "proposal_expired"],
  }),
  async (c) => noContent(c, await dismissProposal(contextOf(c), c.req.valid("param").id)),
);

routes.openapi(
  route("post", "/api/ai/chat/actions/{id}/undo", {
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
    errors: ["not_found", "undo_expired", "undo_outdated"],
    idempotent: true,
  }),
  async (c) => c.json(await undoAction(contextOf(c), c.req.valid("param").id), 200),
);
