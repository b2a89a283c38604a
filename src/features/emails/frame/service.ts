import type { Context } from "../../../context.ts";
import { fromBase64Url, toBase64Url } from "../../../lib/encoding.ts";
import { AppError } from "../../../lib/errors.ts";
import { isSignature, sign } from "../../../lib/secrets.ts";
import { holderOf, mayStillRead } from "../../people/holders.ts";
import { type EmailFile, openAttachment } from "../attachments/service.ts";
import { attachmentsOf, contentOf } from "../content.ts";
import { requireEmail } from "../store.ts";
import { htmlDocument, textDocument } from "./document.ts";
import type { FrameQuery } from "./schemas.ts";

/** How long the pictures of an open email can be loaded. */
const PICTURE_MS = 60 * 60 * 1000;

interface Frame {
  document: string;
  policy: string;
}

/** The email as a document for a frame, with the policy that it must be sent with. */
export async function frameOf(ctx: Context, id: number, { images, quotes }: FrameQuery): Promise<Frame> {
  const row = await requireEmail(ctx, id);
  const { body, html } = await contentOf(ctx, row);
  const own = `${ctx.baseUrl}/api/emails/${id}/frame/`;
  const policy = policyOf(images === "all" ? `${own} https: http:` : own);
  if (html === null) return { document: textDocument(body), policy };
  const pictures = new Map<string, string>();
  for (const [index, { contentId }] of (await attachmentsOf(ctx, row)).entries()) {
    if (contentId) pictures.set(contentId, pictureAddress(ctx, { id, n: index + 1 }));
  }
  const options = { pictures, showsRemote: images === "all", foldsQuotes: quotes === "folded" };
  return { document: htmlDocument(html, options), policy };
}

/** Without scripts, forms and an origin of its own; links open in a new tab. */
function policyOf(pictures: string): string {
  return (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
    `img-src data: ${pictures}; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
  );
}

interface Picture {
  id: number;
  n: number;
}

interface Access {
  /** The session or API key that opened the email. */
  holder: string;
  expires: number;
}

/**
 * A picture within the email. Its address is signed, because the document in the frame has no origin: browsers send no
 * cookies for it. It ends with the session that the email was opened in.
 */
export async function openPicture(
  ctx: Context,
  picture: Picture,
  { signature, ...access }: Access & { signature: string },
): Promise<EmailFile> {
  const given = fromBase64Url(signature);
  const isGenuine = given && isSignature(ctx.config.secrets("JWT_SECRET"), signedText(picture, access), given);
  if (!isGenuine || access.expires <= ctx.now.getTime() || !(await mayStillRead(ctx, access.holder))) {
    throw new AppError("unauthenticated", "The address of the picture is no longer valid. Open the email again.");
  }
  return openAttachment(ctx, picture.id, picture.n);
}

function pictureAddress(ctx: Context, picture: Picture): string {
  const access = { holder: holderOf(ctx.actor), expires: ctx.now.getTime() + PICTURE_MS };
  const signature = toBase64Url(sign(ctx.config.secrets("JWT_SECRET"), signedText(picture, access)));
  const { holder, expires } = access;
  const query = new URLSearchParams({ expires: String(expires), signature, ...(holder && { holder }) });
  return `${ctx.baseUrl}/api/emails/${picture.id}/frame/${picture.n}?${query}`;
}

function signedText({ id, n }: Picture, { holder, expires }: Access): string {
  return `picture in frame\n${id}\n${n}\n${holder}\n${expires}`;
}
