import { type Context, timeZoneOf } from "../../context.ts";
import type { StoredAttachment } from "../../lib/attachments.ts";
import { assertType } from "../../lib/cast.ts";
import { toBytes } from "../../lib/encoding.ts";
import { AppError } from "../../lib/errors.ts";
import { byteLength } from "../../lib/text.ts";
import { log } from "../../log.ts";
import { newObjectKey, readObject, writeObject } from "../files/objects.ts";
import { type EmailRow, withheldFrom } from "./record.ts";

/** What an email says. */
export interface Content {
  body: string;
  html: string | null;
}

/** The message as it arrived. */
export interface StoredMessage {
  key: string;
  size: number;
}

/** The columns that say where the content of an email is. */
type ContentColumns = Pick<EmailRow, "id" | "body" | "html" | "contentKey" | "snippet" | "signIn">;

/** The object with the content of a long email. */
interface ContentObject extends Content {
  /** Those that are too many for the row. */
  attachments?: StoredAttachment[];
}

/**
 * Body and HTML together stay in the row up to this size: most emails that people write are shorter. Everything longer is
 * an object, because a database holds 10 GB. See "How the database grows" in docs/performance.md.
 */
const INLINE_BYTES = 2000;
/** After the key of the message: so one index finds the email of both objects. */
export const CONTENT_SUFFIX = ".content";
/** The row has the first ones, since every list returns them. */
const ATTACHMENTS_IN_ROW = 100;

export interface PlacedContent {
  contentKey: string | null;
  contentSize: number | null;
  body: string | null;
  html: string | null;
  attachments: StoredAttachment[];
}

/**
 * Says where the content of a new email is stored, and writes it there if that is not its row. Call it before the batch
 * that stores the row: an object without a row is removed at night, a row without its object would be a loss.
 */
export async function placeContent(
  ctx: Context,
  { body, html, attachments, raw }: Content & { attachments: StoredAttachment[]; raw?: StoredMessage },
): Promise<PlacedContent> {
  const inRow = attachments.slice(0, ATTACHMENTS_IN_ROW);
  const length = body.length + (html?.length ?? 0);
  // A character has at most three bytes, so most texts need not be counted.
  const isShort =
    3 * length <= INLINE_BYTES || (length <= INLINE_BYTES && byteLength(body + (html ?? "")) <= INLINE_BYTES);
  if (isShort && inRow.length === attachments.length)
    return { contentKey: null, contentSize: null, body, html, attachments };
  const contentKey = `${raw?.key ?? newObjectKey(ctx, "emails")}${CONTENT_SUFFIX}`;
  const object: ContentObject = { body, html, ...(inRow.length < attachments.length && { attachments }) };
  const bytes = toBytes(JSON.stringify(object));
  // Reads the actor: a request that finds out later whom it is for begins again, and would leave the object behind.
  timeZoneOf(ctx);
  await writeObject(ctx, contentKey, bytes);
  return { contentKey, contentSize: bytes.length, body: null, html: null, attachments: inRow };
}

/** The body and HTML of an email, from its row or from its object. Everybody who shows them calls this. */
export async function contentOf(ctx: Context, row: ContentColumns): Promise<Content> {
  const withheld = withheldFrom(ctx, row);
  return withheld ? { body: withheld.text, html: null } : wholeContent(ctx, row);
}

/** The same for what the service does with an email without showing it. */
export async function wholeContent(ctx: Context, row: ContentColumns): Promise<Content> {
  return (
    (await findContent(ctx, row)) ?? {
      body: `${row.snippet}\n\n[The rest of this email is missing from the file store.]`,
      html: null,
    }
  );
}

/** The same for whoever passes them on: what is missing must not leave as something else. */
export async function requireContent(ctx: Context, row: ContentColumns): Promise<Content> {
  const content = await findContent(ctx, row);
  if (!content) throw new MissingContent(`The text of email ${row.id} is missing from the file store.`);
  return content;
}

/** Something that was stored is not there any more. To try again does not help. */
export class MissingContent extends AppError {
  constructor(detail: string) {
    super("unavailable", detail);
  }
}

async function findContent(ctx: Context, row: ContentColumns): Promise<Content | null> {
  return row.body === null ? readContent(ctx, row) : { body: row.body, html: row.html };
}

/** All attachments of an email, also those that are too many for its row. */
export async function attachmentsOf(
  ctx: Context,
  row: ContentColumns & Pick<EmailRow, "attachments">,
): Promise<readonly StoredAttachment[]> {
  if (row.contentKey === null || row.attachments.length < ATTACHMENTS_IN_ROW) return row.attachments;
  return (await readContent(ctx, row))?.attachments ?? row.attachments;
}

async function readContent(ctx: Context, { id, contentKey }: ContentColumns): Promise<ContentObject | null> {
  const object = contentKey === null ? null : await readObject(ctx, contentKey);
  if (object) return assertType<ContentObject>(await object.json());
  log("error", "email_content_missing", { emailId: id, requestId: ctx.requestId });
  return null;
}
