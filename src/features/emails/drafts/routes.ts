import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { Email } from "../schemas.ts";
import {
  Draft,
  DraftChanges,
  DraftList,
  DraftParams,
  DraftsQuery,
  NewDraft,
  SendQuery,
  SentDraftParams,
} from "./schemas.ts";
import { sendDraft } from "./sending.ts";
import { createDraft, deleteDraft, getDraft, listDrafts, updateDraft } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails/drafts", {
  operationId: "listDrafts",
  showsSignIn: true,
  summary: "List drafts",
  description: "Returns emails that are being written, the latest change first.",
  guard: data("emails:read"),
  query: DraftsQuery,
  returns: { 200: DraftList },
  handle: ({ ctx, query }) => listDrafts(ctx, query),
});

routes.endpoint("post", "/api/emails/drafts", {
  operationId: "createDraft",
  showsSignIn: true,
  summary: "Create a draft",
  description:
    "Stores an email that is being written. Nothing is required, and a recipient may be any text. With `inReplyTo` or `forwardOf`, recipients and " +
    "subject are filled in, and the original is quoted when the draft is sent. With `forwardOf`, the draft also gets " +
    "copies of its attachments.",
  guard: data("emails:write"),
  body: NewDraft,
  returns: { 201: Draft },
  errors: ["conflict", "unavailable"],
  idempotent: true,
  handle: ({ ctx, body }) => createDraft(ctx, body),
});

routes.endpoint("get", "/api/emails/drafts/{id}", {
  operationId: "getDraft",
  showsSignIn: true,
  summary: "Get a draft",
  description: "Returns the draft with its text.",
  guard: data("emails:read"),
  params: DraftParams,
  returns: { 200: Draft },
  handle: ({ ctx, params }) => getDraft(ctx, params.id),
});

routes.endpoint("patch", "/api/emails/drafts/{id}", {
  operationId: "updateDraft",
  showsSignIn: true,
  summary: "Update a draft",
  description: "Changes the fields that are sent. Use `If-Match` where two programs may edit the same draft.",
  guard: data("emails:write"),
  params: DraftParams,
  body: DraftChanges,
  returns: { 200: Draft },
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateDraft(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/emails/drafts/{id}", {
  operationId: "deleteDraft",
  summary: "Delete a draft",
  description: "Deletes the draft for good.",
  guard: data("emails:write"),
  params: DraftParams,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteDraft(ctx, params.id, ifMatch),
});

routes.endpoint("post", "/api/emails/drafts/{id}/send", {
  operationId: "sendDraft",
  showsSignIn: true,
  summary: "Send a draft",
  description:
    "Sends the draft, or schedules it for its `sendAt`, and returns the email that takes its place. It needs a " +
    "recipient, a subject and a text; a recipient that is not an email address is named in the 422. If the email service refuses it, the draft stays. With `undoSeconds`, the email " +
    "waits that long as `scheduled`, and `POST /api/emails/{id}/cancel-send` makes it a draft again.",
  guard: data("emails:write"),
  derivesFrom: ["emails:read"],
  rateLimit: "expensive",
  params: SentDraftParams,
  query: SendQuery,
  returns: { 201: Email },
  errors: ["validation_failed", "mail_not_configured", "provider_error", "provider_timeout", "unavailable"],
  idempotent: true,
  ifMatch: true,
  handle: ({ ctx, params, query, ifMatch }) => sendDraft(ctx, params.id, ifMatch, query),
});
