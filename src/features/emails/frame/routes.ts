import { sendFile } from "../../../http/download.ts";
import { anyone, dataInFrame } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { FrameQuery, PictureParams, PictureQuery } from "./schemas.ts";
import { frameOf, openPicture } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails/{id}/frame", {
  operationId: "getEmailFrame",
  showsSignIn: true,
  summary: "Show an email in a frame",
  description:
    "Returns the HTML of the email as a document for an `<iframe>` of the web console, or its text if it has no HTML. The " +
    "document is sandboxed: it runs no script, and loads only its own pictures. Only elements and attributes that show " +
    "something are kept, and links open in a new tab. Takes the cookie of the console's session, because a frame cannot send a header.",
  guard: dataInFrame("emails:read"),
  query: FrameQuery,
  returns: { 200: { type: "text/html", description: "The document" } },
  errors: ["refresh_reused", "unavailable"],
  handle: async ({ c, ctx, params, query }) => {
    const { document, policy } = await frameOf(ctx, params.id, query);
    c.header("Content-Security-Policy", policy);
    // A link is no reason to ask for the address of its server before somebody follows it.
    c.set("securityHeaders", { "X-Frame-Options": "SAMEORIGIN", "X-DNS-Prefetch-Control": "off" });
    return c.body(document, 200, { "Content-Type": "text/html; charset=utf-8" });
  },
});

routes.endpoint("get", "/api/emails/{id}/frame/{n}", {
  operationId: "getFramePicture",
  summary: "Load a picture of a framed email",
  description:
    "The document of the frame contains the signed addresses of its pictures. They work for an hour, or until the " +
    "session or API key that opened the email ends.",
  guard: anyone,
  params: PictureParams,
  query: PictureQuery,
  returns: {
    200: { type: "*/*", description: "The picture" },
    206: { type: "*/*", description: "The part of it that `Range` names" },
    304: null,
  },
  errors: ["unauthenticated", "misconfigured", "range_not_satisfiable", "unavailable"],
  handle: async ({ c, ctx, params, query }) => sendFile(c, await openPicture(ctx, params, query), { inline: true }),
});
