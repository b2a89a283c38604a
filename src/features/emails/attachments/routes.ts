import { sendFile } from "../../../http/download.ts";
import { data, dataInFrame } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { openRaw } from "./raw.ts";
import { AttachmentList, AttachmentParams, AttachmentQuery } from "./schemas.ts";
import { listAttachments, openAttachment, openPreview } from "./service.ts";

export const routes = createRouter();

const SANDBOXED =
  "It comes from outside and may be harmful: it is sent with a sandboxing `Content-Security-Policy`. `Range`, `If-Range`, " +
  "`If-None-Match` and HEAD requests are supported.";

routes.endpoint("get", "/api/emails/{id}/attachments", {
  operationId: "listEmailAttachments",
  showsSignIn: true,
  summary: "List attachments of an email",
  description:
    "Returns all attachments, including those beyond the limit of the email record. An attachment with `inline` is " +
    "shown by the HTML: replace `cid:` and its `contentId` by the address of the attachment.",
  guard: data("emails:read"),
  returns: { 200: AttachmentList },
  errors: ["unavailable"],
  handle: ({ ctx, params }) => listAttachments(ctx, params.id),
});

routes.endpoint("get", "/api/emails/{id}/attachments/{n}", {
  operationId: "getEmailAttachment",
  showsSignIn: true,
  summary: "Download an attachment",
  description: `Returns the file as its sender attached it. ${SANDBOXED}`,
  guard: data("emails:read"),
  params: AttachmentParams,
  query: AttachmentQuery,
  returns: {
    200: { type: "*/*", description: "The file, with its own media type" },
    206: { type: "*/*", description: "The part of it that `Range` names" },
    304: null,
  },
  errors: ["range_not_satisfiable", "unavailable"],
  handle: async ({ c, ctx, params, query }) => sendFile(c, await openAttachment(ctx, params.id, params.n), query),
});

routes.endpoint("get", "/api/emails/{id}/attachments/{n}/preview", {
  operationId: "previewEmailAttachment",
  showsSignIn: true,
  summary: "Show an attachment in a frame",
  description:
    "Returns a PDF, a picture or a text for an `<iframe>` of the web console; text of every kind, HTML included, comes as plain text. " +
    "It has a policy of its own: it runs no script and loads nothing. Every other file is 404. " +
    "Takes the cookie of the console's session, because a frame cannot send a header.",
  guard: dataInFrame("emails:read"),
  params: AttachmentParams,
  returns: {
    200: { type: "*/*", description: "The file" },
    206: { type: "*/*", description: "The part of it that `Range` names" },
    304: null,
  },
  errors: ["refresh_reused", "range_not_satisfiable", "unavailable"],
  handle: async ({ c, ctx, params }) => {
    const file = await openPreview(ctx, params.id, params.n);
    c.set("securityHeaders", { "X-Frame-Options": "SAMEORIGIN" });
    return sendFile(c, file, { inline: true, framed: true });
  },
});

routes.endpoint("get", "/api/emails/{id}/raw", {
  operationId: "getRawEmail",
  showsSignIn: true,
  summary: "Download the raw message",
  description:
    "Returns the message exactly as it arrived, with all headers and attachments. For an email that this service " +
    "sent or a program stored, the message is composed from the stored fields without `bcc`, and the response has " +
    "the " +
    `header \`X-Raw-Message\`. ${SANDBOXED}`,
  guard: data("emails:read"),
  returns: {
    200: { type: "message/rfc822", description: "The message" },
    206: { type: "message/rfc822", description: "The part of it that `Range` names" },
    304: null,
  },
  errors: ["range_not_satisfiable", "unavailable"],
  handle: async ({ c, ctx, params }) => sendFile(c, await openRaw(ctx, params.id)),
});
