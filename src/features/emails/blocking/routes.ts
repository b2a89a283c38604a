import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { BlockEmailSender, BlockedQuery, BlockedSender, BlockedSenderList, NewBlockedSender } from "./schemas.ts";
import { blockSender, blockSenderOf, listBlocked, unblockSender } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails/blocked-senders", {
  operationId: "listBlockedSenders",
  summary: "List blocked senders",
  description: "Returns blocked addresses and domains, alphabetically.",
  guard: data("emails:read"),
  query: BlockedQuery,
  returns: { 200: BlockedSenderList },
  handle: ({ ctx, query }) => listBlocked(ctx, query),
});

routes.endpoint("post", "/api/emails/blocked-senders", {
  operationId: "blockSender",
  summary: "Block a sender",
  description:
    "Emails that arrive from this address, or from this domain and those below it, go to the trash marked as read. " +
    "They create no tasks, change no events, are not analyzed and raise no webhook events. Stored emails stay where " +
    "they are. Returns 200 if the sender was already " +
    "blocked; without `unverifiedOnly`, all its emails are blocked from now on.",
  guard: data("emails:write"),
  body: NewBlockedSender,
  returns: { 200: BlockedSender, 201: BlockedSender },
  errors: ["block_limit_reached"],
  idempotent: true,
  handle: async ({ c, ctx, body }) => {
    const { blocked, isNew } = await blockSender(ctx, body);
    return c.json(blocked, isNew ? 201 : 200);
  },
});

routes.endpoint("delete", "/api/emails/blocked-senders/{id}", {
  operationId: "unblockSender",
  summary: "Unblock a sender",
  description: "Later emails arrive in the inbox again. Those in the trash stay there.",
  guard: data("emails:write"),
  returns: { 204: null },
  handle: ({ ctx, params }) => unblockSender(ctx, params.id),
});

routes.endpoint("post", "/api/emails/{id}/block-sender", {
  operationId: "blockSenderOfEmail",
  summary: "Block the sender of an email",
  description:
    "Blocks the address in From, or its domain, and moves this email to the trash. Returns 409 if " +
    "`senderProof` is `failed`, because the address may be forged. If it is `unverified`, only " +
    "unverified emails of the sender are blocked (`unverifiedOnly`). Returns 200 if the sender was already blocked.",
  guard: data("emails:write"),
  derivesFrom: ["emails:read"],
  body: BlockEmailSender,
  returns: { 200: BlockedSender, 201: BlockedSender },
  errors: ["conflict", "block_limit_reached"],
  idempotent: true,
  handle: async ({ c, ctx, params, body }) => {
    const { blocked, isNew } = await blockSenderOf(ctx, params.id, body);
    return c.json(blocked, isNew ? 201 : 200);
  },
});
