import { owner } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { MailboxRun, MailboxRunList } from "../mailboxes/schemas.ts";
import { MailboxSyncQuery } from "./schemas.ts";
import { listMailboxRuns, syncMailbox } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/settings/mailboxes/{id}/sync", {
  operationId: "syncMailbox",
  summary: "Sync a mailbox",
  description:
    "Reads what is new in the mailbox, and brings flags and moves to both sides, as happens every five minutes by " +
    "itself. A run stops after 100 messages or 20 seconds; `waiting` says how many are left for the next ones. Can be " +
    "repeated safely. If more than half of the messages are missing at once, nothing is changed until you ask for " +
    "`full`. A mailbox whose password was refused is not tried again before you change the password.",
  guard: owner,
  rateLimit: "expensive",
  query: MailboxSyncQuery,
  returns: { 200: MailboxRun },
  errors: ["sync_in_progress", "mailbox_auth_failed", "provider_error", "conflict", "misconfigured"],
  handle: ({ ctx, params, query }) => syncMailbox(ctx, params.id, { full: query.full ?? false }),
});

routes.endpoint("get", "/api/settings/mailboxes/{id}/sync/runs", {
  operationId: "listMailboxRuns",
  summary: "List sync runs of a mailbox",
  description: "Returns the runs of the last 30 days that found something to do, newest first.",
  guard: owner,
  query: PageQuery,
  returns: { 200: MailboxRunList },
  handle: ({ ctx, params, query }) => listMailboxRuns(ctx, params.id, query),
});
