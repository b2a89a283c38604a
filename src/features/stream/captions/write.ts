import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { selectRows } from "../../../db/bulk.ts";
import { captions, streamCredentials } from "../../../db/schema/stream-captions.ts";
import { BUILTIN_ENGINE, builtinBecause, type Engine } from "../../../lib/ai-kinds.ts";
import { CAPTION_PLATFORMS, type CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { ask, askBuiltin } from "../../ai-models/ask.ts";
import { selectVoices } from "../credentials/voice.ts";
import type { PlatformCaption, PlatformVoice } from "./model-writer.ts";
import { captionQuestion } from "./question.ts";
import { type CaptionRow, toCaption } from "./record.ts";
import type { NewCaptions, WrittenCaptions } from "./schemas.ts";
import { type CaptionTopic, loadTopic, topicKey } from "./topic.ts";

interface WriteOptions {
  /** Default: the platforms with a credential. */
  platforms?: readonly CaptionPlatform[] | undefined;
  /** Rewrites captions that are still pending. Without it existing captions stay, so that a call can be repeated. */
  replace?: boolean;
  /** A statement of the caller to run in the same batch. */
  alsoWrite?: BatchItem<"sqlite">;
  /** Writes the texts. */
  write(voices: readonly PlatformVoice[]): Promise<Written>;
}

interface Written {
  captions: readonly PlatformCaption[];
  engine: Engine;
  /** Set if a model is to be asked for other texts. */
  modelDueAt?: Date;
}

/** For a person who asks for captions and waits for the model: rewrites those that are still pending. */
export async function generateCaptions(
  ctx: Context,
  { platforms, notes, ...ids }: NewCaptions,
): Promise<WrittenCaptions> {
  const topic = await loadTopic(ctx, ids);
  const result = await writeCaptions(ctx, topic, {
    platforms,
    replace: true,
    async write(voices) {
      const { answer: texts, engine } = await ask(ctx, captionQuestion(topic, voices, notes));
      return { captions: texts, engine };
    },
  });
  if (result.data.length > 0) return result;
  const detail = "No platform is connected. Save a credential with POST /api/stream/credentials, or send `platforms`.";
  throw new AppError("no_platform_connected", detail);
}

/**
 * For a report, which does not wait for a model: the built-in writer's captions. With `owesModel`, a message is to be
 * sent that has a model replace them.
 */
export function writeCaptionsAtOnce(
  ctx: Context,
  topic: CaptionTopic,
  { owesModel, alsoWrite }: Pick<WriteOptions, "alsoWrite"> & { owesModel: boolean },
): Promise<WrittenCaptions> {
  return writeCaptions(ctx, topic, {
    alsoWrite,
    async write(voices) {
      const question = captionQuestion(topic, voices);
      // The call is recorded when it is known whether these texts stay.
      if (owesModel) return { captions: await question.builtin(), engine: MODEL_PENDING, modelDueAt: ctx.now };
      const { answer: texts, engine } = await askBuiltin(ctx, question, BUILTIN_ENGINE);
      return { captions: texts, engine };
    },
  });
}

const MODEL_PENDING = builtinBecause("model_pending");

/** Writes one caption for each platform. Parallel and repeated calls leave one caption per topic and platform. */
async function writeCaptions(ctx: Context, topic: CaptionTopic, options: WriteOptions): Promise<WrittenCaptions> {
  const { replace = false, alsoWrite } = options;
  const [voices, credentials, existing] = await ctx.db.batch([
    selectVoices(ctx),
    ctx.db.select({ platform: streamCredentials.platform }).from(streamCredentials),
    selectCaptions(ctx, topic),
  ]);
  const connected = credentials.map(({ platform }) => platform);
  const platforms = CAPTION_PLATFORMS.filter((platform) => (options.platforms ?? connected).includes(platform));
  const result = (rows: readonly CaptionRow[], written: number) => {
    const data = rows.filter(({ platform }) => platforms.includes(platform)).map(toCaption);
    return { data, written, kept: data.length - written };
  };
  const isWanted = (platform: CaptionPlatform) => {
    const status = existing.find((row) => row.platform === platform)?.status;
    return status === undefined || (replace && status === "pending");
  };
  const wanted = voices.filter(({ platform }) => platforms.includes(platform) && isWanted(platform));
  if (wanted.length === 0) {
    if (alsoWrite) await ctx.db.batch([alsoWrite]);
    return result(existing, 0);
  }
  const rows = newRows(ctx, topic, wanted, await options.write(wanted));
  const [, written, all] = await runBatch(ctx.db, [
    isStillThere(ctx, topic),
    upsert(ctx, rows, replace),
    selectCaptions(ctx, topic),
    ...(alsoWrite ? [alsoWrite] : []),
  ]);
  return result(all, written.length);
}

/** The words of a caption are those of its stream or milestone, which may be deleted by now, with the account. */
function isStillThere({ db }: Context, { session, milestone }: CaptionTopic) {
  const sessions = sql`EXISTS (SELECT 1 FROM stream_sessions WHERE id = ${session?.id ?? null})`;
  const milestones = sql`EXISTS (SELECT 1 FROM stream_milestones
    WHERE id = ${milestone?.id ?? null} AND label IS ${milestone?.label ?? null})`;
  const isThere = sql`${session ? sessions : sql`1`} AND ${milestone ? milestones : sql`1`}`;
  const gone = () =>
    validationFailed({ path: session ? "sessionId" : "milestoneId", message: "was deleted meanwhile" });
  return assertThat(db, "topic_is_there", isThere, gone);
}

function selectCaptions(ctx: Context, topic: CaptionTopic) {
  return ctx.db
    .select()
    .from(captions)
    .where(and(eq(captions.topic, topicKey(topic)), inArray(captions.platform, [...CAPTION_PLATFORMS])))
    .orderBy(asc(captions.id))
    .limit(CAPTION_PLATFORMS.length);
}

/** Captions that were approved or skipped meanwhile are not overwritten. */
function upsert(ctx: Context, rows: readonly Record<string, unknown>[], replace: boolean) {
  const excluded = (column: string) => sql.raw(`excluded.${column}`);
  return ctx.db
    .insert(captions)
    .select(selectRows(captions, rows))
    .onConflictDoUpdate({
      target: [captions.topic, captions.platform],
      set: {
        text: excluded("text"),
        hashtags: excluded("hashtags"),
        status: excluded("status"),
        engine: excluded("engine"),
        modelDueAt: excluded("model_due_at"),
        modelAttempts: excluded("model_attempts"),
        version: sql`${captions.version} + 1`,
        updatedAt: excluded("updated_at"),
      },
      setWhere: replace ? eq(captions.status, "pending") : sql`0`,
    })
    .returning({ id: captions.id });
}

function newRows(
  ctx: Context,
  topic: CaptionTopic,
  voices: readonly (PlatformVoice & { autoApprove: boolean })[],
  { captions: texts, engine, modelDueAt }: Written,
) {
  const { kind, session, milestone } = topic;
  return texts.map((caption) => ({
    ...caption,
    kind,
    sessionId: session?.id,
    milestoneId: milestone?.id,
    topic: topicKey(topic),
    status: voices.find(({ platform }) => platform === caption.platform)?.autoApprove ? "approved" : "pending",
    uncertain: false,
    attempts: 0,
    engine,
    modelDueAt,
    modelAttempts: 0,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }));
}
