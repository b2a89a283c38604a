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
    summary: "Take everything of yours with you",
    description: "One JSON document, streamed. Secrets are not in it.",
    guard: user,
    rateLimit: "expensive",
    returns: { 200: DataExport },
  }),
  async (c) => {
    const ctx = contextOf(c);
    const name = `poa-export-${ctx.now.toISOString().slice(0, 10)}.json`;
    const answer = c.body(await exportData(ctx), 200, {
      "Content-Type": "application/json",
      "Content-Disposition": `attachment; filename="${name}"`,
    });
    // The declaration describes the whole document, of which the handler only ever holds a piece.
    return assertType<never>(answer);
  },
);

routes.openapi(
  route("delete", "/api/settings/account", {
    operationId: "deleteAccount",
    summary: "Delete your account",
    description:
      "Removes it with all that hangs on it, and ends its sessions and keys at once. With the last account go mail, " +
      "tasks, events and connections too; the owner of a service that others use names who takes over.",
    guard: user,
    reauth: true,
    body: AccountDeletion,
    returns: { 204: null },
    errors: ["new_owner_required"],
  }),
  async (c) => noContent(c, await removeAccount(contextOf(c), c.req.valid("json"))),
);
