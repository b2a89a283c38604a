import { eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { type Also, type PutBack, putRowBack, type Replaced, type Row } from "../../db/put-back.ts";
import { emails } from "../../db/schema/emails.ts";
import { emailDrafts } from "../../db/schema/emails-writing.ts";
import { missedWrite } from "../../db/version.ts";
import { assertType } from "../../lib/cast.ts";
import type { EmailStatus } from "../../lib/email-kinds.ts";
import { draftColumns } from "./drafts/record.ts";
import { learnFromMove } from "./spam.ts";

const { version, isRead, isStarred, status, tags, snoozedUntil, replyNeeded } = emails;
const columns = { version, isRead, isStarred, status, tags, snoozedUntil, replyNeeded };

/** The columns of an email that a person can change. */
export async function emailSnapshot({ db }: Context, id: number): Promise<Row & { version: number }> {
  const [row] = await db.select(columns).from(emails).where(eq(emails.id, id));
  if (!row) throw missedWrite(undefined, `email ${id}`);
  return row;
}

/** Puts an email back where it was, as it was marked. */
export function putEmailBack(ctx: Context, undo: PutBack, also: Also): Promise<Replaced> {
  // Undoing a move to or from spam also reverts the judgment of the sender.
  const within = (current: Row | null, before: Row | null) =>
    current && before && current.status !== before.status
      ? learnFromMove(ctx, sql`${eq(emails.id, undo.id)}`, assertType<EmailStatus>(before.status))
      : [];
  return putRowBack(ctx, emails, undo, { name: "email", columns, within }, also);
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
