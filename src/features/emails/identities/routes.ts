import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { NewSenderIdentity, SenderIdentity, SenderIdentityChanges, SenderIdentityList } from "./schemas.ts";
import { createIdentity, deleteIdentity, keepsReplies, listIdentities, updateIdentity } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/identities", {
  operationId: "listIdentities",
  summary: "List sender identities",
  description:
    "Returns the names and addresses you can send as. If there are none, emails are sent with your " +
    "name and the address of the service.",
  guard: user,
  query: PageQuery,
  returns: { 200: SenderIdentityList },
  handle: ({ ctx, query }) => listIdentities(ctx, query),
});

routes.endpoint("post", "/api/settings/identities", {
  operationId: "createIdentity",
  summary: "Create a sender identity",
  description:
    "Adds a name to send as, with an optional address, signature and Reply-To. Only an address or Reply-To needs " +
    "the password, because replies go there. You are notified by email.",
  guard: user,
  reauth: { rule: "recent", unless: keepsReplies },
  body: NewSenderIdentity,
  returns: { 201: SenderIdentity },
  errors: ["conflict", "mail_not_configured"],
  idempotent: true,
  handle: ({ ctx, body }) => createIdentity(ctx, body),
});

routes.endpoint("patch", "/api/settings/identities/{id}", {
  operationId: "updateIdentity",
  summary: "Update a sender identity",
  description:
    "Applies to emails you send from now on. Scheduled emails do not change. Only a new address or Reply-To needs " +
    "the password. You are notified by email.",
  guard: user,
  reauth: { rule: "recent", unless: keepsReplies },
  body: SenderIdentityChanges,
  returns: { 200: SenderIdentity },
  errors: ["nothing_to_update", "mail_not_configured"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateIdentity(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/settings/identities/{id}", {
  operationId: "deleteIdentity",
  summary: "Delete a sender identity",
  description: "Scheduled emails are still sent with it. Drafts switch to your default identity.",
  guard: user,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteIdentity(ctx, params.id, ifMatch),
});
