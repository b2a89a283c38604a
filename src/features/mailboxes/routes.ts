import { owner } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { changeFolders, listFolders } from "./folders.ts";
import {
  Mailbox,
  MailboxChanges,
  MailboxFolderChanges,
  MailboxFolderList,
  MailboxList,
  MailboxPresetList,
  MailboxTest,
  MailboxTestResult,
  NewMailbox,
} from "./schemas.ts";
import {
  createMailbox,
  deleteMailbox,
  getMailbox,
  keepsConnection,
  listMailboxes,
  listPresets,
  testMailbox,
  updateMailbox,
} from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/mailboxes/presets", {
  operationId: "listMailboxPresets",
  summary: "List mail providers",
  description:
    "Returns the servers of well-known providers, and where each of them makes the password that a mailbox is " +
    "connected with.",
  guard: owner,
  returns: { 200: MailboxPresetList },
  handle: () => ({ data: listPresets() }),
});

routes.endpoint("post", "/api/settings/mailboxes/test", {
  operationId: "testMailbox",
  summary: "Test a mailbox",
  description:
    "Logs in to both servers of a mailbox with the given password, lists its folders, and saves and sends nothing. If " +
    "the server for receiving refuses the password, the other one is not tried.",
  guard: owner,
  rateLimit: "expensive",
  body: MailboxTest,
  returns: { 200: MailboxTestResult },
  handle: ({ ctx, body }) => testMailbox(ctx, body),
});

routes.endpoint("get", "/api/settings/mailboxes", {
  operationId: "listMailboxes",
  summary: "List mailboxes",
  description: "Returns the connected mailboxes and how their sync is going, never a password.",
  guard: owner,
  returns: { 200: MailboxList },
  handle: async ({ ctx }) => ({ data: await listMailboxes(ctx) }),
});

routes.endpoint("post", "/api/settings/mailboxes", {
  operationId: "createMailbox",
  summary: "Connect a mailbox",
  description:
    "Checks the password with both servers and saves the mailbox with its password encrypted. A refused password is " +
    "not saved. If a server cannot be used, the mailbox is saved as `unverified` and tried again. The mailbox is then " +
    "read every five minutes. At most 10 mailboxes. You are notified by email.",
  guard: owner,
  reauth: "recent",
  rateLimit: "expensive",
  body: NewMailbox,
  returns: { 201: Mailbox },
  errors: ["mailbox_auth_failed", "conflict", "unavailable"],
  idempotent: true,
  handle: ({ ctx, body }) => createMailbox(ctx, body),
});

routes.endpoint("get", "/api/settings/mailboxes/{id}", {
  operationId: "getMailbox",
  summary: "Get a mailbox",
  description: "Returns one mailbox and how its sync is going, never its password.",
  guard: owner,
  returns: { 200: Mailbox },
  ifNoneMatch: false,
  handle: ({ ctx, params }) => getMailbox(ctx, params.id),
});

routes.endpoint("patch", "/api/settings/mailboxes/{id}", {
  operationId: "updateMailbox",
  summary: "Update a mailbox",
  description:
    "Changes the label, pauses or resumes it, or changes its password, user name or servers. Another user name, server " +
    "or port needs the mailbox's `password` again. A given password is checked like that of a new mailbox. With another " +
    "user name or server for receiving, the mailbox is read from the beginning; emails that are stored already stay.",
  guard: owner,
  reauth: { rule: "recent", unless: keepsConnection },
  rateLimit: "expensive",
  body: MailboxChanges,
  returns: { 200: Mailbox },
  errors: ["nothing_to_update", "mailbox_auth_failed"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateMailbox(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/settings/mailboxes/{id}", {
  operationId: "deleteMailbox",
  summary: "Forget a mailbox",
  description:
    "Deletes the mailbox from this service with its password. The emails that were read stay here, and nothing changes " +
    "in the mailbox itself.",
  guard: owner,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteMailbox(ctx, params.id, ifMatch),
});

routes.endpoint("get", "/api/settings/mailboxes/{id}/folders", {
  operationId: "listMailboxFolders",
  summary: "List a mailbox's folders",
  description: "Returns the folders as they were when the mailbox was last read, by name.",
  guard: owner,
  returns: { 200: MailboxFolderList },
  handle: ({ ctx, params }) => listFolders(ctx, params.id),
});

routes.endpoint("patch", "/api/settings/mailboxes/{id}/folders", {
  operationId: "updateMailboxFolders",
  summary: "Choose a mailbox's folders",
  description:
    "Chooses which folders are the inbox, the sent emails, the archive and the trash. A role that is given to a folder " +
    "leaves the one that had it. Returns all folders.",
  guard: owner,
  body: MailboxFolderChanges,
  returns: { 200: MailboxFolderList },
  handle: ({ ctx, params, body }) => changeFolders(ctx, params.id, body),
});
