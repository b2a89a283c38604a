import type { SQL } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isShownBy, type StoredAttachment } from "../../../lib/attachments.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { newObjectKey, writeObjectFrom } from "../../files/objects.ts";
import { announceFiles, keepAnnounced } from "../../files/service.ts";
import { attachmentFile, isStored } from "../attachments/service.ts";
import { attachmentsOf } from "../content.ts";
import type { EmailRow } from "../record.ts";
import { MAX_ATTACHMENTS } from "../sending/schemas.ts";
import { MAX_MESSAGE_BYTES, returnUploads } from "./service.ts";

/** What the copies are for. */
interface Destination {
  /** The files that are attached already. */
  attached: readonly { size: number }[];
  /** Null as long as that is not known. */
  html: string | null;
  /** Whether the original's text is there too: its pictures are left out otherwise. */
  quote: boolean;
}

/** Copies that no record refers to yet. Unless one does within an hour, they are deleted. */
type Copies = readonly (StoredAttachment & { key: string })[];

/** Which attachments go along when an email is forwarded. */
export async function copiedAttachments(ctx: Context, original: EmailRow, quote: boolean) {
  const all = await attachmentsOf(ctx, original);
  return all.filter((each) => each.size > 0 && isStored(original, each) && (quote || !each.inline));
}

/**
 * Copies the attachments of an email, for one that forwards it: each email has objects of its own, so that either can be
 * deleted without the other. Those whose content was never stored are left out, since only their names are known.
 */
export async function copyAttachments(
  ctx: Context,
  original: EmailRow,
  { attached, html, quote }: Destination,
): Promise<Copies> {
  const found = await copiedAttachments(ctx, original, quote);
  if (found.length === 0) return [];
  checkLimits(original, [...attached, ...found]);
  const copies = found.map(({ name, type, size, contentId }) => ({
    ...{ name, type, size },
    ...(contentId && isSafe(contentId) && { contentId }),
    ...(contentId && html && isSafe(contentId) && isShownBy(html, contentId) && { inline: true as const }),
    key: newObjectKey(ctx, "uploads"),
  }));
  await announceFiles(
    ctx,
    copies.map(({ key }) => key),
    "r2",
  );
  for (const [index, { key, size }] of copies.entries()) {
    const source = found[index];
    if (source) await writeObjectFrom(ctx, key, await attachmentFile(ctx, original, source).read(null), size);
  }
  return copies;
}

/** A name from outside becomes a header. */
function isSafe(contentId: string): boolean {
  return /^[!-;=?-~]+$/.test(contentId);
}

function checkLimits({ id }: EmailRow, files: readonly { size: number }[]): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const excess =
    files.length > MAX_ATTACHMENTS
      ? `there would be ${files.length} attachments, and an email can have ${MAX_ATTACHMENTS}`
      : bytes > MAX_MESSAGE_BYTES
        ? `the attachments would have ${bytes} bytes, and those of an email can have ${MAX_MESSAGE_BYTES}`
        : null;
  if (excess === null) return;
  const message = `must be false to forward email ${id}: ${excess}. Attach the ones you need`;
  throw validationFailed({ path: "includeAttachments", message });
}

/** The statements with which an email takes copies over, for the batch that stores it. */
export function keepCopies(ctx: Context, copies: Copies) {
  if (copies.length === 0) return [];
  return keepAnnounced(
    ctx,
    copies.map(({ key }) => key),
  );
}

/** The same for a draft, after the statement that stores it. */
export function giveCopies(ctx: Context, copies: Copies, draftId: SQL) {
  return [...keepCopies(ctx, copies), ...returnUploads(ctx, copies, draftId)];
}
