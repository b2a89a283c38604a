import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import type { Context } from "../../../context.ts";
import { selectRows } from "../../../db/bulk.ts";
import { captions, streamCredentials } from "../../../db/schema/stream-captions.ts";
import { writeCaption } from "../../../engine/captions/writer.ts";
import { CAPTION_PLATFORMS, type CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { AppError } from "../../../lib/errors.ts";
import { ask } from "../../ai-models/ask.ts";
import { selectVoices } from "../credentials/voice.ts";
import { INSTRUCTIONS, modelPrompt, type PlatformCaption, type PlatformVoice, repaired } from "./model-writer.ts";
import { type CaptionRow, toCaption } from "./record.ts";
import type { NewCaptions, WrittenCaptions } from "./schemas.ts";
import { type CaptionTopic, factsOf, loadTopic, topicKey } from "./topic.ts";

interface WriteOptions {
  /** Default: the platforms with a credential. */
  platforms?: readonly CaptionPlatform[] | undefined;
  /** Text the captions should also mention. */
  notes?: string | undefined;
  /** Rewrites captions that are still pending. Without it existing captions stay, so that a call can be repeated. */
  replace?: boolean;
  withoutModel?: boolean;
  /** A statement of the caller to run in the same batch. */
  alsoWrite?: BatchItem<"sqlite">;
}

/** For a person who asks for captions: rewrites those that are still pending. */
export async function generateCaptions(
  ctx: Context,
  { platforms, notes, ...ids }: NewCaptions,
): Promise<WrittenCaptions> {
  const topic = await loadTopic(ctx, ids);
  const result = await writeCaptions(ctx, topic, { platforms, notes, replace: true });
  if (result.data.length > 0) return result;
  const detail = "No platform is connected. Save a credential with POST /api/stream/credentials, or send `platforms`.";
  throw new AppError("no_platform_connected", detail);
}

/** Writes one caption for each platform. Parallel and repeated calls leave one caption per topic and platform. */
export async function writeCaptions(
  ctx: Context,
  topic: CaptionTopic,
  options: WriteOptions,
): Promise<WrittenCaptions> {
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
  const rows = await newRows(ctx, topic, wanted, options);
  const [written, all] = await ctx.db.batch([
    upsert(ctx, rows, replace),
    selectCaptions(ctx, topic),
    ...(alsoWrite ? [alsoWrite] : []),
  ]);
  return result(all, written.length);
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
        version: sql`${captions.version} + 1`,
        updatedAt: excluded("updated_at"),
      },
      setWhere: replace ? eq(captions.status, "pending") : sql`0`,
    })
    .returning({ id: captions.id });
}

const ModelCaptions = z.object({
  captions: z.array(z.object({ platform: z.enum(CAPTION_PLATFORMS), text: z.string(), hashtags: z.array(z.string()) })),
});

/** One model call for all platforms, so that the captions differ from each other. */
async function newRows(
  ctx: Context,
  topic: CaptionTopic,
  voices: readonly (PlatformVoice & { autoApprove: boolean })[],
  { notes = "", withoutModel = false }: WriteOptions,
) {
  const { kind, session, milestone } = topic;
  const facts = factsOf(topic);
  const { answer, engine } = await ask<{ captions: PlatformCaption[] }>(ctx, {
    task: "caption",
    instructions: INSTRUCTIONS,
    prompt: modelPrompt(kind, facts, voices, notes),
    schema: ModelCaptions,
    needsNoModel: withoutModel,
    check: (given) => {
      const list = voices.map((voice) => repaired(given.captions, voice, facts, notes));
      return list.every((caption) => caption !== null) ? { captions: list } : null;
    },
    builtin: () => ({
      captions: voices.map((voice) => ({
        platform: voice.platform,
        ...writeCaption({ kind, platform: voice.platform, facts, voice, notes }),
      })),
    }),
  });
  return answer.captions.map((caption) => ({
    ...caption,
    kind,
    sessionId: session?.id,
    milestoneId: milestone?.id,
    topic: topicKey(topic),
    status: voices.find(({ platform }) => platform === caption.platform)?.autoApprove ? "approved" : "pending",
    uncertain: false,
    attempts: 0,
    engine,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }));
}
