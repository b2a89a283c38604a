import { getTableColumns, sql } from "drizzle-orm";
import { emailDrafts } from "../../../db/schema/emails-writing.ts";
import { assertType } from "../../../lib/cast.ts";
import { htmlToText } from "../../../lib/html-text.ts";
import { snippetOf } from "../../../lib/text.ts";
import { type Reader, withheldFrom } from "../record.ts";
import type { UploadedAttachment } from "../uploads/schemas.ts";
import type { Draft } from "./schemas.ts";

/** With the files of the draft, in one query. */
export const draftColumns = {
  ...getTableColumns(emailDrafts),
  attachments: sql<UploadedAttachment[]>`(SELECT json_group_array(json_object('id', id, 'name', name, 'type', type,
    'size', size, 'contentId', content_id, 'expiresAt', null))
    FROM (SELECT * FROM email_uploads WHERE draft_id = email_drafts.id ORDER BY created_at, rowid))`
    .mapWith((json) => assertType<UploadedAttachment[]>(JSON.parse(String(json))))
    .as("attachments"),
};

type DraftColumns = typeof emailDrafts.$inferSelect;
export type DraftRow = DraftColumns & { attachments: UploadedAttachment[] };

/** As this reader may see it. */
export function toDraft(reader: Reader, { signIn, ...draft }: DraftRow): Draft {
  const withheld = withheldFrom(reader, { signIn });
  const row = withheld
    ? { ...draft, subject: withheld.subject, body: withheld.text, html: null, attachments: [] }
    : draft;
  return {
    ...row,
    delivery: "draft",
    snippet: snippetOf(row.body || htmlToText((row.html ?? "").slice(0, 20_000))),
    sendAt: row.sendAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
