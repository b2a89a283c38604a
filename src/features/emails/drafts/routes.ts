import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
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

routes.openapi(
  route("get", "/api/emails/drafts", {
    operationId: "listDrafts",
    summary: "List drafts",
    description: "Returns emails that are being written, the latest change first.",
    guard: data("emails:read"),
    query: DraftsQuery,
    returns: { 200: DraftList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listDrafts(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/emails/drafts", {
    operationId: "createDraft",
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
  }),
  async (c) => c.json(withETag(c, await createDraft(contextOf(c), c.req.valid("json"))), 201),
);

routes.openapi(
  route("get", "/api/emails/drafts/{id}", {
    operationId: "getDraft",
    summary: "Get a draft",
    description: "Returns the draft with its text.",
    guard: data("emails:read"),
    params: DraftParams,
    returns: { 200: Draft },
    errors: ["not_found"],
  }),
  async (c) => c.json(withETag(c, await getDraft(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/emails/drafts/{id}", {
    operationId: "updateDraft",
    summary: "Update a draft",
    description: "Changes the fields that are sent. Use `If-Match` where two programs may edit the same draft.",
    guard: data("emails:write"),
    params: DraftParams,
    body: DraftChanges,
    returns: { 200: Draft },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateDraft(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/emails/drafts/{id}", {
    operationId: "deleteDraft",
    summary: "Delete a draft",
    description: "Deletes the draft for good.",
    guard: data("emails:write"),
    params: DraftParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteDraft(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);

routes.openapi(
  route("post", "/api/emails/drafts/{id}/send", {
    operationId: "sendDraft",
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
    errors: [
      "not_found",
      "validation_failed",
      "mail_not_configured",
      "provider_error",
      "provider_timeout",
      "unavailable",
    ],
    idempotent: true,
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await sendDraft(contextOf(c), id, ifMatch(c), c.req.valid("query"))), 201);
  },
);
