import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { streamOf } from "../../../http/upload.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { TransferParams } from "../../transfers/schemas.ts";
import { removeTransfer } from "../../transfers/service.ts";
import { EmailImport, EmailImportQuery, EmailImports } from "./schemas.ts";
import { getEmailImport, listEmailImports, startEmailImport } from "./service.ts";

export const routes = createRouter();

/** The largest request body on every plan of the platform. */
const FILE = {
  types: ["message/rfc822", "application/mbox", "application/octet-stream"],
  maxBytes: 100_000_000,
  isStreamed: true,
} as const;

routes.endpoint("post", "/api/emails/import", {
  operationId: "importEmails",
  summary: "Import emails from a file",
  description:
    "Imports one message (.eml) or a mailbox with many (.mbox, as Gmail and Thunderbird export it) of at most 100 MB. " +
    "Each email keeps its raw message and its date; one that is already there, by its Message-ID, is left as it is, " +
    "so a file can be imported again. Labels and flags of the file become tags and states; without any, an email is archived " +
    "and read. Imports create no tasks, apply no invitations and raise no `email.received` events, and are analyzed only " +
    "with `analyze=true`. Read the job until its `state` is " +
    "`succeeded`.",
  guard: data("emails:write"),
  rateLimit: "expensive",
  query: EmailImportQuery,
  upload: FILE,
  returns: { 202: EmailImport },
  errors: ["unavailable"],
  handle: async ({ c, ctx, query }) => {
    if (query.inboxDays !== undefined && query.status !== undefined)
      throw validationFailed({ path: "inboxDays", message: "cannot be sent together with status" });
    const file = streamOf(c, FILE);
    if (!file) throw validationFailed({ path: "", message: "Send the file as the body, not JSON" });
    return startEmailImport(ctx, query, file);
  },
});

routes.endpoint("get", "/api/emails/import", {
  operationId: "listEmailImports",
  summary: "List email imports",
  description: "Returns the imports of email files of the last 7 days, newest first.",
  guard: data("emails:read"),
  query: PageQuery,
  returns: { 200: EmailImports },
  handle: ({ ctx, query }) => listEmailImports(ctx, query),
});

routes.endpoint("get", "/api/emails/import/{id}", {
  operationId: "getEmailImport",
  summary: "Get an email import",
  description: "Returns the progress and the result of the import, and why messages were skipped.",
  guard: data("emails:read"),
  params: TransferParams,
  returns: { 200: EmailImport },
  handle: ({ ctx, params }) => getEmailImport(ctx, params.id),
});

routes.endpoint("delete", "/api/emails/import/{id}", {
  operationId: "deleteEmailImport",
  summary: "Delete an email import",
  description: "Stops the import if it is still running. Imported emails are kept.",
  guard: data("emails:write"),
  params: TransferParams,
  returns: { 204: null },
  handle: ({ ctx, params }) => removeTransfer(ctx, "email_import", params.id),
});
