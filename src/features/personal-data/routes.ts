import { user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { removeAccount } from "./deletion.ts";
import { exportData } from "./export.ts";
import { AccountDeletion, DataExport } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/data/export", {
  operationId: "exportData",
  summary: "Export your data",
  description:
    "Streams one JSON document with the data of your account. The owner also gets the data of the service: emails, " +
    "tasks, events and more. Secrets are left out.",
  guard: user,
  rateLimit: "expensive",
  returns: { 200: DataExport },
  handle: async ({ c, ctx }) => {
    const name = `poa-export-${ctx.now.toISOString().slice(0, 10)}.json`;
    return c.body(await exportData(ctx), 200, {
      "Content-Type": "application/json",
      "Content-Disposition": `attachment; filename="${name}"`,
    });
  },
});

routes.endpoint("delete", "/api/settings/account", {
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
  handle: ({ ctx, body }) => removeAccount(ctx, body),
});
