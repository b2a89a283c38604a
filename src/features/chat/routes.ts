import { contextOf } from "../../http/app-env.ts";
import { eventStream, wantsEvents } from "../../http/event-stream.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { deleteConversation, listConversations, readConversation } from "./conversations.ts";
import { applyProposal, dismissProposal } from "./proposals.ts";
import {
  ChatAnswer,
  ChatRequest,
  ConversationList,
  ConversationPath,
  ProposalPath,
  SettledProposal,
  WholeConversation,
} from "./schemas.ts";
import { chat as answer, chatEvents } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/ai/chat", {
    operationId: "chat",
    summary: "Talk to the assistant",
    description:
      "Says what it found and does what the message asks for, by the active model or the built-in engine. Once mail or other " +
      "outside text has been read in a turn, further changes become proposals. An API key's scopes hold for every tool.",
    guard: data("ai:use"),
    rateLimit: "expensive",
    body: ChatRequest,
    returns: { 200: ChatAnswer },
    events:
      "`delta` {text} for each piece, `action` and `proposal` as in the answer, then `done` with the whole answer, whose " +
      "`reply` is the one that counts; `error` with a problem document when it breaks off.",
    errors: ["not_found", "unavailable"],
    idempotent: true,
  }),
  async (c) => {
    const input = c.req.valid("json");
    if (!wantsEvents(c)) return c.json(await answer(contextOf(c), input), 200);
    return eventStream(c, (signal) => chatEvents(contextOf(c), input, signal));
  },
);

routes.openapi(
  route("get", "/api/ai/chat/conversations", {
    operationId: "listConversations",
    summary: "List conversations",
    description: "One's own, the last used first. They are kept for 90 days after the last word.",
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
    summary: "Read a conversation",
    guard: data("ai:use"),
    params: ConversationPath,
    query: PageQuery,
    returns: { 200: WholeConversation },
    errors: ["not_found", "invalid_cursor"],
  }),
  async (c) => c.json(await readConversation(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
);

routes.openapi(
  route("delete", "/api/ai/chat/conversations/{id}", {
    operationId: "deleteConversation",
    summary: "Delete a conversation",
    description: "With its messages and proposals. What was done in it stays done.",
    guard: data("ai:use"),
    params: ConversationPath,
    returns: { 204: null },
    errors: ["not_found"],
  }),
  async (c) => noContent(c, await deleteConversation(contextOf(c), c.req.valid("param").id)),
);

routes.openapi(
  route("post", "/api/ai/chat/proposals/{id}", {
    operationId: "applyProposal",
    summary: "Apply a proposal",
    description:
      "Does what was proposed, once. A change that is refused leaves the proposal open. In private mode the credential needs " +
      "the scope of the change.",
    guard: data("ai:use"),
    rateLimit: "expensive",
    params: ProposalPath,
    returns: { 200: SettledProposal },
    errors: [
      "not_found",
      "conflict",
      "proposal_settled",
      "proposal_expired",
      "invalid_transition",
      "nothing_to_update",
      "version_conflict",
    ],
    idempotent: true,
  }),
  async (c) => c.json(await applyProposal(contextOf(c), c.req.valid("param").id), 200),
);

routes.openapi(
  route("delete", "/api/ai/chat/proposals/{id}", {
    operationId: "dismissProposal",
    summary: "Dismiss a proposal",
    guard: data("ai:use"),
    params: ProposalPath,
    returns: { 204: null },
    errors: ["not_found", "proposal_settled", "proposal_expired"],
  }),
  async (c) => noContent(c, await dismissProposal(contextOf(c), c.req.valid("param").id)),
);
