import { and, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { captions } from "../../../db/schema/stream-captions.ts";
import { builtinBecause, type Engine } from "../../../lib/ai-kinds.ts";
import { AppError } from "../../../lib/errors.ts";
import type { QueueMessageOf } from "../../../lib/queue-messages.ts";
import { log } from "../../../log.ts";
import { askModel } from "../../ai-models/ask.ts";
import { attemptEndsAt, BACKGROUND_LIMITS, MODEL_ATTEMPTS, nextAttemptIn } from "../../ai-models/later.ts";
import { recordCall } from "../../ai-models/tokens/usage.ts";
import { selectVoices } from "../credentials/voice.ts";
import type { PlatformCaption } from "./model-writer.ts";
import { captionQuestion } from "./question.ts";
import type { CaptionRow } from "./record.ts";
import { type CaptionTopic, loadTopic, topicKey } from "./topic.ts";

type Attempt = QueueMessageOf<"stream.captions">;

const MAX_SENT = 100;

/** After captions are written with `owesModel`. */
export function sendToModel(ctx: Context, topic: CaptionTopic): void {
  ctx.enqueue([{ kind: "stream.captions", topic: topicKey(topic), attempt: 1 }]);
}

/** For the cron: captions whose message was lost, or whose attempt died. */
export async function rewriteOverdue(ctx: Context): Promise<void> {
  const due = await ctx.db
    .selectDistinct({ topic: captions.topic, attempts: captions.modelAttempts })
    .from(captions)
    .where(lte(captions.modelDueAt, ctx.now))
    .limit(MAX_SENT);
  const messages = due.map(
    ({ topic, attempts }): Attempt => ({ kind: "stream.captions", topic, attempt: attempts + 1 }),
  );
  if (await ctx.enqueue(messages)) return;
  for (const message of messages) {
    if (ctx.signal?.aborted) return;
    await rewriteCaptions(ctx, message);
  }
}

/**
 * Replaces the built-in writer's captions of a topic by a model's, unless a person or a dispatch was there first. If the
 * model fails for now, the next attempt is planned; after the last one the built-in writer's captions stay.
 */
export async function rewriteCaptions(ctx: Context, message: Attempt): Promise<void> {
  const { attempt } = message;
  const claimed = await claim(ctx, message);
  const [first] = claimed;
  if (!first) return;
  if (attempt > MODEL_ATTEMPTS) return keepBuiltin(ctx, message, builtinBecause("interrupted"));
  const topic = await topicOf(ctx, first);
  if (!topic) return keepBuiltin(ctx, message, builtinBecause("topic_deleted"));
  const voices = (await selectVoices(ctx)).filter((voice) =>
    claimed.some(({ platform }) => platform === voice.platform),
  );
  const asked = await askModel(ctx, captionQuestion(topic, voices, "", BACKGROUND_LIMITS));
  if ("answer" in asked) return replaceTexts(ctx, claimed, asked.answer, asked.engine);
  const seconds = nextAttemptIn(attempt, asked.retryAfter);
  if (seconds === null) return keepBuiltin(ctx, message, asked.engine);
  log("warn", "captions_postponed", {
    topic: message.topic,
    attempt,
    seconds,
    reason: asked.engine.fallbackReason,
    requestId: ctx.requestId,
  });
  const dueAt = new Date(Date.now() + seconds * 1000);
  await ctx.db.update(captions).set({ modelDueAt: dueAt }).where(isOwedAfter(message.topic, attempt));
  ctx.enqueue([{ ...message, attempt: attempt + 1 }], { lane: "retries", delaySeconds: seconds });
}

/** Only one message of each attempt gets the captions. */
function claim(ctx: Context, { topic, attempt }: Attempt): Promise<CaptionRow[]> {
  return ctx.db
    .update(captions)
    .set({ modelAttempts: attempt, modelDueAt: attemptEndsAt(ctx.now) })
    .where(isOwedAfter(topic, attempt - 1))
    .returning();
}

function isOwedAfter(topic: string, attempts: number) {
  return and(eq(captions.topic, topic), eq(captions.modelAttempts, attempts), isNotNull(captions.modelDueAt));
}

/** Null if the milestone was deleted. */
async function topicOf(ctx: Context, { kind, sessionId, milestoneId }: CaptionRow): Promise<CaptionTopic | null> {
  try {
    return await loadTopic(ctx, { kind, sessionId: sessionId ?? undefined, milestoneId: milestoneId ?? undefined });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Of each caption that nobody has changed since it was claimed. */
async function replaceTexts(
  ctx: Context,
  claimed: readonly CaptionRow[],
  texts: readonly PlatformCaption[],
  engine: Engine,
): Promise<void> {
  const updates = claimed.flatMap(({ id, platform, version }) => {
    const written = texts.find((each) => each.platform === platform);
    if (!written) return [];
    const { text, hashtags } = written;
    return ctx.db
      .update(captions)
      .set({ text, hashtags, engine, modelDueAt: null, version: version + 1, updatedAt: new Date() })
      .where(and(eq(captions.id, id), eq(captions.version, version)));
  });
  const [update, ...more] = updates;
  if (update) await ctx.db.batch([update, ...more]);
}

async function keepBuiltin(ctx: Context, { topic, attempt }: Attempt, engine: Engine): Promise<void> {
  await ctx.db
    .update(captions)
    .set({ engine, modelDueAt: null, version: sql`${captions.version} + 1`, updatedAt: new Date() })
    .where(isOwedAfter(topic, attempt));
  ctx.defer(recordCall(ctx, { task: "caption", engine, inputTokens: 0, outputTokens: 0, durationMs: 0 }));
}
