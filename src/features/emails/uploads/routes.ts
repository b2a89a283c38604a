import { sendFile } from "../../../http/download.ts";
import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { streamOf } from "../../../http/upload.ts";
import { listFiles } from "../list.ts";
import { EmailFileList, FileQuery } from "../queries/schemas.ts";
import { UploadedAttachment, UploadedParams, UploadQuery } from "./schemas.ts";
import { openUploaded, uploadAttachment } from "./service.ts";

export const routes = createRouter();

const FILE = { types: ["application/octet-stream"], maxBytes: 10 * 1024 * 1024, isStreamed: true } as const;

routes.endpoint("get", "/api/emails/attachments", {
  operationId: "listAttachedFiles",
  showsSignIn: true,
  summary: "List attached files",
  description:
    "Returns the files that are attached to emails outside spam and trash, those of the newest email first. Pictures " +
    "inside an email's HTML are left out. `q` works as in `GET /api/emails`, such as `filename:offer`, `in:anywhere` or `larger:5mb`. " +
    "To get a file, call `GET /api/emails/{emailId}/attachments/{n}`.",
  guard: data("emails:read"),
  query: FileQuery,
  returns: { 200: EmailFileList },
  handle: ({ ctx, query }) => listFiles(ctx, query),
});

routes.endpoint("post", "/api/emails/attachments", {
  operationId: "uploadAttachment",
  summary: "Upload an attachment",
  description:
    "Stores a file of up to 10 MB, sent as `application/octet-stream`, and returns an id for `attachmentIds`. It can be " +
    "used once, by one email or draft, and is deleted after a day if nothing uses it.",
  guard: data("emails:write"),
  rateLimit: "expensive",
  query: UploadQuery,
  upload: FILE,
  returns: { 201: UploadedAttachment },
  errors: ["unavailable", "unsupported_media_type"],
  handle: ({ c, ctx, query }) => uploadAttachment(ctx, query, streamOf(c, FILE) ?? new Blob([]).stream()),
});

routes.endpoint("get", "/api/emails/attachments/{id}", {
  operationId: "getUploadedAttachment",
  showsSignIn: true,
  summary: "Download an uploaded file",
  description:
    "Returns a file from `POST /api/emails/attachments` that waits to be attached, or that a draft has. Once the email is " +
    "sent, it is an attachment of that email.",
  guard: data("emails:read"),
  params: UploadedParams,
  returns: {
    200: { type: "*/*", description: "The file, with its own media type" },
    206: { type: "*/*", description: "The part of it that `Range` names" },
    304: null,
  },
  errors: ["not_found", "range_not_satisfiable", "unavailable"],
  handle: async ({ c, ctx, params }) => sendFile(c, await openUploaded(ctx, params.id)),
});
