import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { isOneOf, selectRows } from "../../../db/bulk.ts";
import { emailDrafts, emailUploads } from "../../../db/schema/emails-writing.ts";
import { isShownBy, type StoredAttachment } from "../../../lib/attachments.ts";
import type { ByteSpan } from "../../../lib/byte-range.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import type { OutgoingAttachment } from "../../../providers/mail.ts";
import { newObjectKey, readObject } from "../../files/objects.ts";
import { abandonFile, keepFile, keepFiles } from "../../files/service.ts";
import { storeUpload } from "../../transfers/store-upload.ts";
import type { EmailFile } from "../attachments/service.ts";
import { MissingContent } from "../content.ts";
import { requireShown } from "../record.ts";
import type { UploadedAttachment, UploadQuery } from "./schemas.ts";

export type UploadRow = typeof emailUploads.$inferSelect;

/** Long enough to write an email. */
const UNUSED_MS = DAY_MS;
export const MAX_MESSAGE_BYTES = 25 * 1024 * 1024;

const TYPES: Record<string, string> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  txt: "text/plain",
  csv: "text/csv",
  html: "text/html",
  ics: "text/calendar",
  json: "application/json",
  zip: "application/zip",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

function toUpload({ id, name, type, size, contentId, expiresAt }: UploadRow): UploadedAttachment {
  return { id, name, type, size, contentId, expiresAt: expiresAt?.toISOString() ?? null };
}

/** Stores a file as it arrives. */
export async function uploadAttachment(
  ctx: Context,
  { name, type, contentId }: UploadQuery,
  body: ReadableStream<Uint8Array>,
): Promise<UploadedAttachment> {
  const key = newObjectKey(ctx, "uploads");
  const size = await storeUpload(ctx, key, body);
  if (size === 0) {
    ctx.defer(abandonFile(ctx, key));
    throw validationFailed({ path: "", message: "The file is empty" });
  }
  const row = {
    id: idOf(key),
    key,
    name,
    type: type ?? TYPES[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream",
    size,
    contentId: contentId ?? null,
    draftId: null,
    expiresAt: new Date(ctx.now.getTime() + UNUSED_MS),
    createdAt: ctx.now,
  };
  await runBatch(ctx.db, [...keepFile(ctx, key), ctx.db.insert(emailUploads).values(row)]);
  return toUpload(row);
}

function idOf(key: string): string {
  return key.split("/").at(-1) ?? key;
}

/** A file that is not sent yet. That of a draft is shown to whom the draft is shown. */
export async function openUploaded(ctx: Context, id: string): Promise<EmailFile> {
  const [row] = await ctx.db
    .select({ upload: emailUploads, signIn: emailDrafts.signIn })
    .from(emailUploads)
    .leftJoin(emailDrafts, eq(emailDrafts.id, emailUploads.draftId))
    .where(eq(emailUploads.id, id));
  if (!row)
    throw new AppError("not_found", "There is no uploaded file with this id: it was sent, removed or has expired.");
  requireShown(ctx, row);
  const { key, name, type, size } = row.upload;
  const read = async (span: ByteSpan | null) => {
    const object = await readObject(
      ctx,
      key,
      span ? { offset: span.first, length: span.last - span.first + 1 } : undefined,
    );
    if (!object) throw new AppError("not_found", "The content of this file is missing from the file store.");
    return object.body;
  };
  return { name, type, size, tag: id, read };
}

/** The statement that reads uploads, for a batch. */
export function selectUploads(ctx: Context, ids: readonly string[]) {
  return ctx.db.select().from(emailUploads).where(isOneOf(emailUploads.id, ids));
}

/** In the order that the client gave. Each can be used once. */
export function requireUploads(
  ids: readonly string[],
  found: readonly UploadRow[],
  draftId: number | null,
): UploadRow[] {
  const byId = new Map(found.map((row) => [row.id, row]));
  return ids.map((id, index) => {
    const row = byId.get(id);
    if (row && (row.draftId === null || row.draftId === draftId)) return row;
    throw validationFailed({ path: `attachmentIds.${index}`, message: NOT_AVAILABLE });
  });
}

const NOT_AVAILABLE = "is not an uploaded file: it does not exist, has expired or was already used";

/** How uploads are stored with an email. A picture is inline if the HTML shows it. */
export function toStored(uploads: readonly UploadRow[], html: string | null): StoredAttachment[] {
  checkSizes(uploads);
  return uploads.map(({ key, name, type, size, contentId }) => ({
    ...{ name, type, size, key },
    ...(contentId && { contentId }),
    ...(contentId && html && isShownBy(html, contentId) && { inline: true as const }),
  }));
}

function checkSizes(uploads: readonly UploadRow[]): void {
  let total = 0;
  for (const [index, { name, size }] of uploads.entries()) {
    total += size;
    if (total > MAX_MESSAGE_BYTES) {
      const message = `is too large: with ${name}, the attachments have more than ${MAX_MESSAGE_BYTES} bytes`;
      const { message: detail, extras } = validationFailed({ path: `attachmentIds.${index}`, message });
      throw new AppError("validation_failed", detail, { ...extras, quotes: "outside" });
    }
  }
}

/** The statements with which an email takes files over, for the batch that stores it. Of two that try, one succeeds. */
export function consumeUploads(ctx: Context, uploads: readonly UploadRow[]) {
  if (uploads.length === 0) return [];
  const ids = uploads.map(({ id }) => id);
  const areThere = sql`(SELECT count(*) FROM email_uploads WHERE ${isOneOf(emailUploads.id, ids)}) = ${ids.length}`;
  const used = () => validationFailed({ path: "attachmentIds", message: "has a file that was used meanwhile" });
  return [
    assertThat(ctx.db, "uploads_are_there", areThere, used),
    ctx.db.delete(emailUploads).where(isOneOf(emailUploads.id, ids)),
    keepFiles(
      ctx,
      uploads.map(({ key }) => key),
    ),
  ];
}

/** The statements with which a draft gets the files of an email back, after the one that deletes the email. */
export function returnUploads(ctx: Context, attachments: readonly StoredAttachment[], draftId: SQL) {
  const rows = attachments.flatMap(({ key, name, type, size, contentId = null }) =>
    key === undefined
      ? []
      : [{ id: idOf(key), key, name, type, size, contentId, draftId: null, expiresAt: null, createdAt: ctx.now }],
  );
  if (rows.length === 0) return [];
  return [
    ctx.db.insert(emailUploads).select(selectRows(emailUploads, rows)),
    ctx.db
      .update(emailUploads)
      .set({ draftId: sql`${draftId}` })
      .where(
        isOneOf(
          emailUploads.id,
          rows.map(({ id }) => id),
        ),
      ),
    keepFiles(
      ctx,
      rows.map(({ key }) => key),
    ),
  ];
}

/** The statements that give a draft exactly these files. */
export function attachToDraft(ctx: Context, draftId: SQL, ids: readonly string[]) {
  const isWanted = isOneOf(emailUploads.id, ids);
  const isFree = sql`(draft_id IS NULL OR draft_id = ${draftId})`;
  const areThere = sql`(SELECT count(*) FROM email_uploads WHERE ${isWanted} AND ${isFree}) = ${new Set(ids).size}`;
  const refusal = () => validationFailed({ path: "attachmentIds", message: `has one that ${NOT_AVAILABLE}` });
  return [
    assertThat(ctx.db, "uploads_are_free", areThere, refusal),
    ctx.db.delete(emailUploads).where(and(sql`draft_id = ${draftId}`, sql`NOT ${isWanted}`)),
    ctx.db
      .update(emailUploads)
      .set({ draftId: sql`${draftId}`, expiresAt: null })
      .where(isWanted),
  ];
}

/** The bytes of an email's attachments, to send it. Throws 503 if one cannot be read. */
export async function loadAttachments(
  ctx: Context,
  attachments: readonly StoredAttachment[],
): Promise<OutgoingAttachment[]> {
  const loaded: OutgoingAttachment[] = [];
  for (const { key, name, type, contentId, inline } of attachments) {
    const object = key === undefined ? null : await readObject(ctx, key);
    if (!object) throw new MissingContent(`The attachment ${name} is missing from the file store.`);
    loaded.push({
      name,
      type,
      content: new Uint8Array(await object.arrayBuffer()),
      contentId: inline ? contentId : null,
    });
  }
  return loaded;
}
