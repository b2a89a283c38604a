import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { user } from "../../../http/guards.ts";
import { withoutProof } from "../../../http/reauth.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import {
  NewSenderIdentity,
  SenderIdentity,
  SenderIdentityChanges,
  SenderIdentityList,
  SenderIdentityParams,
} from "./schemas.ts";
import { createIdentity, deleteIdentity, keepsReplies, listIdentities, updateIdentity } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/identities", {
    operationId: "listIdentities",
    summary: "List sender identities",
    description:
      "Returns the names and addresses you can send as. If there are none, emails are sent with your " +
      "name and the address of the service.",
    guard: user,
    query: PageQuery,
    returns: { 200: SenderIdentityList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listIdentities(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/settings/identities", {
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
  }),
  async (c) => c.json(withETag(c, await createIdentity(contextOf(c), withoutProof(c.req.valid("json")))), 201),
);

routes.openapi(
  route("patch", "/api/settings/identities/{id}", {
    operationId: "updateIdentity",
    summary: "Update a sender identity",
    description:
      "Applies to emails you send from now on. Scheduled emails do not change. Only a new address or Reply-To needs " +
      "the password. You are notified by email.",
    guard: user,
    reauth: { rule: "recent", unless: keepsReplies },
    params: SenderIdentityParams,
    body: SenderIdentityChanges,
    returns: { 200: SenderIdentity },
    errors: ["not_found", "nothing_to_update", "mail_not_configured"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const changes = withoutProof(c.req.valid("json"));
    return c.json(withETag(c, await updateIdentity(contextOf(c), id, changes, ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/settings/identities/{id}", {
    operationId: "deleteIdentity",
    summary: "Delete a sender identity",
    description: "Scheduled emails are still sent with it. Drafts switch to your default identity.",
    guard: user,
    params: SenderIdentityParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteIdentity(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);
