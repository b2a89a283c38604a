import { contextOf } from "../../http/app-env.ts";
import { user } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { assertType } from "../../lib/cast.ts";
import { removeAccount } from "./deletion.ts";
import { exportData } from "./export.ts";
import { AccountDeletion, DataExport } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/data/export", {
    operationId: "exportData",
    summary: "Export your data",
    description:
      "Streams one JSON document with the data of your account. The owner also gets the data of the service: emails, " +
      "tasks, events and more. Secrets are left out.",
    guard: user,
    rateLimit: "expensive",
    returns: { 200: DataExport },
  }),
  async (c) => {
    const ctx = contextOf(c);
    const name = `poa-export-${ctx.now.toISOString().slice(0, 10)}.json`;
    const response = c.body(await exportData(ctx), 200, {
      "Content-Type": "application/json",
      "Content-Disposition": `attachment; filename="${name}"`,
    });
    // The declared schema is that of the whole document, which the handler never holds.
    return assertType<never>(response);
  },
);

routes.openapi(
  route("delete", "/api/settings/account", {
    operationId: "deleteAccount",
    summary: "Delete your account",
    description:
      "Deletes the account with its profile, sessions, API keys, chats and settings. With the last account, emails, " +
      "tasks, events and connections are deleted too. If you are the owner and other accounts exist, name the next " +
      "owner in `newOwner`.",
    guard: user,
    reauth: "always",
    body: AccountDeletion,
    returns: { 204: null },
    errors: ["new_owner_required"],
  }),
  async (c) => noContent(c, await removeAccount(contextOf(c), c.req.valid("json"))),
);
