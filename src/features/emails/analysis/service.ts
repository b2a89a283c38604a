import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import { missedWrite } from "../../../db/version.ts";
import type { EmailInput } from "../../../engine/email/email.ts";
import type { EmailAnalysis } from "../../../lib/email-kinds.ts";
import { lowerBound } from "../../../lib/time-zone.ts";
import { ask } from "../../ai-models/ask.ts";
import { readingFor } from "../../people/reading.ts";
import { replyNeededAfter } from "../answered.ts";
import { toEngineInput } from "../record.ts";
import type { Email } from "../schemas.ts";
import { getEmail } from "../service.ts";
import { analysisQuestion } from "./question.ts";
import type { EmailSource } from "./schemas.ts";

/** The email that a request names or contains, as the engine reads it. */
export async function readEmailSource(
  ctx: Context,
  { emailId, content = "", subject, from, receivedAt = ctx.now, timeZone }: EmailSource,
): Promise<{ input: EmailInput; html: string | null }> {
  const reading = readingFor(ctx, timeZone);
  if (emailId === undefined) {
    const reference = lowerBound(reading.timeZone, receivedAt);
    return { input: { content, subject, from, reference, ...reading }, html: null };
  }
  const email = await getEmail(ctx, emailId);
  return { input: toEngineInput(email, reading), html: email.html };
}

/** Analyzes an email with the active model or the built-in engine. Nothing is stored. */
export async function analyse(ctx: Context, email: EmailInput): Promise<EmailAnalysis> {
  const { answer, engine } = await ask(ctx, analysisQuestion(email));
  return { ...answer, engine };
}

/** The stored analysis, created on the first call. */
export async function readAnalysis(ctx: Context, id: number, timeZone?: string): Promise<EmailAnalysis> {
  const email = await getEmail(ctx, id);
  return email.analysis ?? analyseAndSave(ctx, email, timeZone, true);
}

/** Replaces the stored analysis by a new one. */
export async function repeatAnalysis(ctx: Context, id: number, timeZone?: string): Promise<EmailAnalysis> {
  return analyseAndSave(ctx, await getEmail(ctx, id), timeZone, false);
}

/** Of parallel first calls only one writes; all return what is then stored. */
async function analyseAndSave(ctx: Context, email: Email, timeZone: string | undefined, onlyFirst: boolean) {
  const analysis = await analyse(ctx, toEngineInput(email, readingFor(ctx, timeZone)));
  const [, [stored]] = await ctx.db.batch([
    saveAnalysis(ctx, email.id, analysis, onlyFirst),
    ctx.db.select({ analysis: emails.analysis }).from(emails).where(eq(emails.id, email.id)),
  ]);
  if (!stored?.analysis) throw missedWrite(undefined, `email ${email.id}`);
  return stored.analysis;
}

/** The statement that stores an analysis, after which none is owed. */
export function saveAnalysis(ctx: Context, id: number, analysis: EmailAnalysis, onlyFirst: boolean) {
  const isThis = eq(emails.id, id);
  return ctx.db
    .update(emails)
    .set({
      analysis,
      urgency: analysis.urgency.level,
      category: analysis.category,
      replyNeeded: replyNeededAfter(analysis.replyNeeded),
      analysisDueAt: null,
      version: sql`${emails.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(onlyFirst ? and(isThis, isNull(emails.analysis)) : isThis);
}
