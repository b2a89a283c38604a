import { and, eq, isNull, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import { missedWrite } from "../../../db/version.ts";
import type { EmailInput } from "../../../engine/email/email.ts";
import type { EmailAnalysis } from "../../../lib/email-kinds.ts";
import { ask } from "../../ai-models/ask.ts";
import type { EmailRow } from "../record.ts";
import { requireMail } from "../store.ts";
import { analysisQuestion } from "./question.ts";

/** What the active model, or the built-in engine, makes of a mail. */
export async function analyse(ctx: Context, mail: EmailInput): Promise<EmailAnalysis> {
  const { answer, engine } = await ask(ctx, analysisQuestion(mail));
  return { ...answer, engine };
}

/** A stored mail as the engine takes it; its times are counted from when it arrived. */
export function mailInput(
  row: Pick<EmailRow, "body" | "subject" | "fromName" | "fromEmail" | "receivedAt">,
  timeZone: string,
): EmailInput {
  return {
    content: row.body,
    subject: row.subject,
    from: { name: row.fromName || null, email: row.fromEmail },
    reference: row.receivedAt,
    timeZone,
  };
}

/** The stored analysis, made on the first call. */
export async function readAnalysis(ctx: Context, id: number, timeZone = timeZoneOf(ctx)): Promise<EmailAnalysis> {
  const row = await requireMail(ctx, id);
  return row.analysis ?? store(ctx, row, timeZone, true);
}

/** Makes the analysis anew. */
export async function repeatAnalysis(ctx: Context, id: number, timeZone = timeZoneOf(ctx)): Promise<EmailAnalysis> {
  return store(ctx, await requireMail(ctx, id), timeZone, false);
}

/** Of parallel first calls one writes; all answer with what is then stored. */
async function store(ctx: Context, row: EmailRow, timeZone: string, onlyFirst: boolean): Promise<EmailAnalysis> {
  const analysis = await analyse(ctx, mailInput(row, timeZone));
  const isThis = eq(emails.id, row.id);
  const [, [stored]] = await ctx.db.batch([
    ctx.db
      .update(emails)
      .set({ analysis, urgency: analysis.urgency.level, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
      .where(onlyFirst ? and(isThis, isNull(emails.analysis)) : isThis),
    ctx.db.select({ analysis: emails.analysis }).from(emails).where(isThis),
  ]);
  if (!stored?.analysis) throw missedWrite(undefined, `mail ${row.id}`);
  return stored.analysis;
}
