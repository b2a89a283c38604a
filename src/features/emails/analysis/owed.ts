import { and, asc, eq, isNotNull, lte } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import { builtinBecause, type Engine } from "../../../lib/ai-kinds.ts";
import type { QueueMessageOf } from "../../../lib/queue-messages.ts";
import { log } from "../../../log.ts";
import { askBuiltin, askModel } from "../../ai-models/ask.ts";
import { attemptEndsAt, BACKGROUND_LIMITS, MODEL_ATTEMPTS, nextAttemptIn } from "../../ai-models/later.ts";
import { readOwnerReading } from "../../people/owners.ts";
import { contentOf } from "../content.ts";
import { toEngineInput } from "../record.ts";
import { analysisQuestion } from "./question.ts";
import { saveAnalysis } from "./service.ts";

type Attempt = QueueMessageOf<"email.analysis">;

const MAX_SENT = 500;

/** After the email is stored with `owesAnalysis`. */
export function sendToAnalysis(ctx: Context, id: number): void {
  ctx.enqueue([{ kind: "email.analysis", id, attempt: 1 }]);
}

/** For the cron: analyses whose message was lost, or whose attempt died. Returns how many were due. */
export async function analyseOverdue(ctx: Context): Promise<number> {
  const due = await ctx.db
    .select({ id: emails.id, attempts: emails.analysisAttempts })
    .from(emails)
    .where(lte(emails.analysisDueAt, ctx.now))
    .orderBy(asc(emails.analysisDueAt))
    .limit(MAX_SENT);
  const messages = due.map(({ id, attempts }): Attempt => ({ kind: "email.analysis", id, attempt: attempts + 1 }));
  if (await ctx.enqueue(messages)) return due.length;
  for (const message of messages) {
    if (!ctx.signal?.aborted) await analyseOwed(ctx, message);
  }
  return due.length;
}

/**
 * Analyzes an email that owes it. If the model fails for now, the next attempt is planned; the last one takes the
 * built-in engine, so that no analysis stays owed.
 */
export async function analyseOwed(ctx: Context, { id, attempt }: Attempt): Promise<void> {
  const row = await claim(ctx, id, attempt);
  if (!row) return;
  if (attempt > MODEL_ATTEMPTS + 1) return giveUp(ctx, id);
  const content = await contentOf(ctx, row).catch(() => null);
  if (!content) return waitForContent(ctx, { id, attempt });
  const email = { ...row, ...content, from: { name: row.fromName, email: row.fromEmail } };
  const input = toEngineInput(email, await readOwnerReading(ctx));
  const question = analysisQuestion(input, BACKGROUND_LIMITS);
  const asked = attempt > MODEL_ATTEMPTS ? { engine: INTERRUPTED, retryAfter: null } : await askModel(ctx, question);
  if (!("answer" in asked)) {
    const seconds = nextAttemptIn(attempt, asked.retryAfter);
    if (seconds !== null) return postpone(ctx, { id, attempt }, seconds, asked.engine);
  }
  const { answer, engine } = "answer" in asked ? asked : await askBuiltin(ctx, question, asked.engine);
  // The first result is kept: a person or an attempt that was taken for dead may have been faster.
  await saveAnalysis({ ...ctx, now: new Date() }, id, { ...answer, engine }, true);
}

/** Every attempt of the model died before it had a result. */
const INTERRUPTED = builtinBecause("interrupted");

/** Only one message of each attempt gets the email. */
async function claim(ctx: Context, id: number, attempt: number) {
  const {
    body,
    html,
    contentKey,
    snippet,
    signIn,
    subject,
    fromName,
    fromEmail,
    to,
    receivedAt,
    kind,
    authentication,
  } = emails;
  const content = { id: emails.id, body, html, contentKey, snippet, signIn };
  const [row] = await ctx.db
    .update(emails)
    .set({ analysisAttempts: attempt, analysisDueAt: attemptEndsAt(ctx.now) })
    .where(isOwedAfter(id, attempt - 1))
    .returning({ ...content, subject, fromName, fromEmail, to, receivedAt, kind, authentication });
  return row;
}

const FILE_STORE_WAIT_MS = 15 * 60_000;

/** The file store does not respond, which is no failure of the model: the attempt does not count. */
async function waitForContent(ctx: Context, { id, attempt }: Omit<Attempt, "kind">): Promise<void> {
  const dueAt = new Date(Date.now() + FILE_STORE_WAIT_MS);
  await ctx.db
    .update(emails)
    .set({ analysisAttempts: attempt - 1, analysisDueAt: dueAt })
    .where(isOwedAfter(id, attempt));
}

function isOwedAfter(id: number, attempts: number) {
  return and(eq(emails.id, id), eq(emails.analysisAttempts, attempts), isNotNull(emails.analysisDueAt));
}

async function postpone(
  ctx: Context,
  { id, attempt }: Omit<Attempt, "kind">,
  seconds: number,
  { fallbackReason }: Engine,
) {
  log("warn", "analysis_postponed", {
    emailId: id,
    attempt,
    seconds,
    reason: fallbackReason,
    requestId: ctx.requestId,
  });
  const dueAt = new Date(Date.now() + seconds * 1000);
  await ctx.db.update(emails).set({ analysisDueAt: dueAt }).where(isOwedAfter(id, attempt));
  ctx.enqueue([{ kind: "email.analysis", id, attempt: attempt + 1 }], { lane: "retries", delaySeconds: seconds });
}

/** Even the built-in engine died on it. A person can still ask for the analysis. */
async function giveUp(ctx: Context, id: number): Promise<void> {
  log("error", "analysis_given_up", { emailId: id, requestId: ctx.requestId });
  await ctx.db.update(emails).set({ analysisDueAt: null }).where(eq(emails.id, id));
}
