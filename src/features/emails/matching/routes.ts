import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import {
  CountQuery,
  EmailCount,
  MatchingChanges,
  MatchingQuery,
  MatchingResult,
  UndoEmails,
  UndoneEmails,
} from "./schemas.ts";
import { countEmails, undoMatching, updateMatching } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails/count", {
  operationId: "countEmails",
  summary: "Count matching emails",
  description:
    "Returns how many emails and conversations match the filters of `GET /api/emails`, and up to which email " +
    "`POST /api/emails/update-matching` updates them.",
  guard: data("emails:read"),
  query: CountQuery,
  returns: { 200: EmailCount },
  handle: ({ ctx, query }) => countEmails(ctx, query),
});

routes.endpoint("post", "/api/emails/update-matching", {
  operationId: "updateMatchingEmails",
  summary: "Update all matching emails",
  description:
    "Updates emails that match the filters of `GET /api/emails`, newest first, up to 500 emails or conversations in a " +
    "request: all of them, or none. Repeat the request with `cursor` and `undoId` until `nextCursor` is null. Emails " +
    "that are already as asked, or were stored after `newestId`, are not touched.",
  guard: data("emails:write"),
  derivesFrom: ["emails:read"],
  query: MatchingQuery,
  body: MatchingChanges,
  returns: { 200: MatchingResult },
  errors: ["nothing_to_update"],
  idempotent: true,
  handle: ({ ctx, query, body }) => updateMatching(ctx, query, body),
});

routes.endpoint("post", "/api/emails/undo", {
  operationId: "undoEmailUpdate",
  summary: "Undo an update of emails",
  description:
    "Restores the emails of all portions of an update, up to 2,000 in a request. Emails that were changed or deleted " +
    "since then do not change.",
  guard: data("emails:write"),
  body: UndoEmails,
  returns: { 200: UndoneEmails },
  errors: ["undo_expired"],
  idempotent: true,
  handle: ({ ctx, body }) => undoMatching(ctx, body.id),
});
