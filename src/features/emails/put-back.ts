import { eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Also, type PutBack, putRowBack, type Replaced, type Row } from "../../db/put-back.ts";
import { emails } from "../../db/schema/emails.ts";
import { emailDrafts } from "../../db/schema/emails-writing.ts";
import { missedWrite } from "../../db/version.ts";
import { assertType } from "../../lib/cast.ts";
import { draftColumns } from "./drafts/record.ts";

const { version, isRead, isStarred, status, tags, snoozedUntil, replyNeeded } = emails;
const columns = { version, isRead, isStarred, status, tags, snoozedUntil, replyNeeded };

/** What a person changes of an email. */
export async function emailSnapshot({ db }: Context, id: number): Promise<Row & { version: number }> {
  const [row] = await db.select(columns).from(emails).where(eq(emails.id, id));
  if (!row) throw missedWrite(undefined, `email ${id}`);
  return row;
}

/** Puts an email back where it was, as it was marked. */
export function putEmailBack(ctx: Context, undo: PutBack, also: Also): Promise<Replaced> {
  return putRowBack(ctx, emails, undo, { name: "email", columns }, also);
}

const { attachments: _, ...ownColumns } = draftColumns;

export async function draftSnapshot({ db }: Context, id: number): Promise<Row & { version: number }> {
  const [row] = await db.select(ownColumns).from(emailDrafts).where(eq(emailDrafts.id, id));
  if (!row) throw missedWrite(undefined, `draft ${id}`);
  return assertType(row);
}

/** Deletes a draft that was written, or puts one back that was deleted, without its attachments. */
export function putDraftBack(ctx: Context, undo: PutBack, also: Also): Promise<Replaced> {
  return putRowBack(ctx, emailDrafts, undo, { name: "draft", columns: ownColumns }, also);
}
