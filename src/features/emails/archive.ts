import { sql } from "drizzle-orm";
import type { ArchivedTable, Row } from "../../db/archive.ts";
import { EMAIL_CONTENT } from "../../db/archived-shapes.ts";
import { inParts } from "../../db/bulk.ts";
import { emails, emailTotals } from "../../db/schema/emails.ts";
import { emailUploads } from "../../db/schema/emails-writing.ts";
import type { StoredAttachment } from "../../lib/attachments.ts";
import { assertType } from "../../lib/cast.ts";
import { searchableText } from "../../lib/searchable-text.ts";
import { newObjectKey } from "../files/objects.ts";
import { CONTENT_SUFFIX } from "./content.ts";
import { NOTHING_SENT } from "./delivery.ts";
import { draftsInstead } from "./drafts/sending.ts";
import { indexImported } from "./search-index.ts";

type StoredEmail = Pick<typeof emails.$inferSelect, "id" | "rawKey" | "contentKey" | "attachments">;

function emailOf(row: Row): StoredEmail {
  return assertType<StoredEmail>(row);
}

/** Those beyond are emails that were not sent, which can be made drafts. */
const MAX_DRAFTS = 100;
const WAITED = `${NOTHING_SENT} It was waiting to be sent when it was exported.`;
const CUT_OFF = "It was being sent when it was exported, so it may have been sent.";

/** An import sends nothing. */
function unsent(row: Row): Row | null {
  if (row.delivery !== "scheduled" && row.delivery !== "sending") return null;
  return { ...row, delivery: "failed", deliveryError: row.delivery === "scheduled" ? WAITED : CUT_OFF };
}

/** The attachments that are objects of their own; the others are in the message. */
function ownFiles({ attachments }: StoredEmail): string[] {
  return [...new Set(attachments.flatMap(({ key }) => key ?? []))];
}

/** An email in an archive: its row, the message as it arrived (`12.eml`), and what is too long for the row. */
export const archivedEmails: ArchivedTable = {
  table: emails,
  fileBytes: sql`coalesce(${emails.rawSize}, 0)`,
  reserve: ({ db }, lastId) => [db.update(emailTotals).set({ lastId: sql`max(last_id, ${lastId})` })],

  settle: {
    reason:
      "These emails were not sent yet when the archive was made. The service that made it may have sent them since, so this " +
      "service does not: scheduled emails are now drafts, and the others are marked as failed. Check which ones still have " +
      "to be sent, and send those yourself.",
    row: unsent,
  },

  finish: (ctx) => draftsInstead(ctx, WAITED, MAX_DRAFTS),

  files(row) {
    const email = emailOf(row);
    const { id, rawKey, contentKey } = email;
    return [
      ...(rawKey === null ? [] : [{ store: "r2" as const, key: rawKey, name: `${id}.eml` }]),
      ...(contentKey === null ? [] : [{ store: "r2" as const, key: contentKey, name: `${id}.content.json` }]),
      ...ownFiles(email).map((key, index) => ({ store: "r2" as const, key, name: `${id}.attachment-${index + 1}` })),
    ];
  },

  document: { keyOf: (row) => emailOf(row).contentKey, shape: EMAIL_CONTENT },

  withKeys(row, keyOf) {
    const { rawKey, contentKey, attachments } = emailOf(row);
    return {
      ...row,
      rawKey: rawKey && keyOf(rawKey),
      contentKey: contentKey && keyOf(contentKey),
      attachments: attachments.map(({ key, ...attachment }): StoredAttachment => {
        const known = key === undefined ? null : keyOf(key);
        return known === null ? attachment : { ...attachment, key: known };
      }),
    };
  },

  /** The content is found by the key of its message. */
  newKeys(ctx, row) {
    const email = emailOf(row);
    const base = newObjectKey(ctx, "emails");
    const keys = new Map(ownFiles(email).map((key) => [key, newObjectKey(ctx, "uploads")]));
    if (email.rawKey !== null) keys.set(email.rawKey, base);
    if (email.contentKey !== null) keys.set(email.contentKey, `${base}${CONTENT_SUFFIX}`);
    return keys;
  },

  /** A trigger indexes only emails whose body is in the row. */
  async derive(ctx, rows, read) {
    const long: { id: number; body: string }[] = [];
    for (const row of rows) {
      const content = assertType<{ body: string } | null>(await read(row));
      if (content) long.push({ id: emailOf(row).id, body: searchableText(content.body) });
    }
    return inParts(long, (each) => each).map((some) => indexImported(ctx, some));
  },
};

/** Files that wait to be attached, with those of drafts. */
export const archivedUploads: ArchivedTable = {
  table: emailUploads,
  fileBytes: sql`${emailUploads.size}`,
  files: (row) => [{ store: "r2", key: String(row.key), name: String(row.id) }],
  newKeys: (ctx, row) => {
    const day = newObjectKey(ctx, "uploads").split("/").slice(0, -1).join("/");
    return new Map([[String(row.key), `${day}/${row.id}`]]);
  },
  withKeys: (row, keyOf) => ({ ...row, key: keyOf(String(row.key)) ?? row.key }),
};
