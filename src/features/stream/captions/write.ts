import { and, asc, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import type { Context } from "../../../context.ts";
import { selectRows } from "../../../db/bulk.ts";
import { captions, streamCredentials } from "../../../db/schema/stream-captions.ts";
import { type WrittenCaption, writeCaption } from "../../../engine/captions/writer.ts";
import type { Voice } from "../../../lib/caption-kinds.ts";
import { CAPTION_PLATFORMS, type CaptionKind, type CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { ask } from "../../ai-models/ask.ts";
import { selectVoices } from "../credentials/voice.ts";
import { INSTRUCTIONS, modelPrompt, repaired } from "./model-writer.ts";
import { type CaptionRow, toCaption } from "./record.ts";
import type { Caption } from "./schemas.ts";
import { type Subject, subjectOf } from "./topic.ts";

export interface CaptionOrder {
  kind: CaptionKind;
  sessionId: number | null;
  milestoneId: number | null;
}

export interface CaptionWishes {
  /** Those with a credential when left out. */
  platforms?: readonly CaptionPlatform[] | undefined;
  /** What the captions should also say. */
  notes?: string | undefined;
  /** Writes anew what is still pending. Without it, what is there stays, so that an order can be repeated. */
  replace?: boolean;
  /** The built-in writer writes, whatever model there is. */
  withoutModel?: boolean;
}

const MAX_CAPTIONS_A_SUBJECT = CAPTION_PLATFORMS.length;

/** Writes one pending caption for each platform. However often and however parallel, each has one. */
export async function writeCaptions(ctx: Context, order: CaptionOrder & CaptionWishes): Promise<Caption[]> {
  return (await orderCaptions(ctx, order)).data;
}

export async function orderCaptions(
  ctx: Context,
  order: CaptionOrder & CaptionWishes,
): Promise<{ data: Caption[]; written: number; kept: number }> {
  const subject = await subjectOf(ctx, order);
  const [voices, credentials, existing] = await ctx.db.batch([
    selectVoices(ctx),
    ctx.db.select({ platform: streamCredentials.platform }).from(streamCredentials),
    selectCaptions(ctx, subject),
  ]);
  const connected = credentials.map(({ platform }) => platform);
  const platforms = CAPTION_PLATFORMS.filter((platform) => (order.platforms ?? connected).includes(platform));
  const isWanted = (platform: CaptionPlatform) => {
    const status = existing.find((row) => row.platform === platform)?.status;
    return status === undefined || (order.replace === true && status === "pending");
  };
  const wanted = voices.filter(({ platform }) => platforms.includes(platform) && isWanted(platform));
  if (wanted.length === 0) return told(existing, platforms, 0);

  const { answer, engine } = await compose(ctx, order, subject, wanted);
  const rows = wanted.flatMap(({ platform, autoApprove }) => {
    const caption = answer.find((each) => each.platform === platform);
    if (!caption) return [];
    return {
      kind: order.kind,
      sessionId: subject.sessionId,
      milestoneId: subject.milestoneId,
      platform,
      subject: subject.key,
      text: caption.text,
      hashtags: caption.hashtags,
      status: autoApprove ? "approved" : "pending",
      uncertain: false,
      attempts: 0,
      engine,
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    };
  });
  const [written, all] = await ctx.db.batch([upsert(ctx, rows, order.replace === true), selectCaptions(ctx, subject)]);
  return told(all, platforms, written.length);
}

function told(rows: readonly CaptionRow[], platforms: readonly CaptionPlatform[], written: number) {
  const data = rows.filter(({ platform }) => platforms.includes(platform)).map(toCaption);
  return { data, written, kept: data.length - written };
}

function selectCaptions(ctx: Context, { key }: Subject) {
  return ctx.db
    .select()
    .from(captions)
    .where(and(eq(captions.subject, key), inArray(captions.platform, [...CAPTION_PLATFORMS])))
    .orderBy(asc(captions.id))
    .limit(MAX_CAPTIONS_A_SUBJECT);
}

/** What somebody has decided on since it was read is left alone by the statement itself. */
function upsert(ctx: Context, rows: readonly Record<string, unknown>[], replace: boolean) {
  const excluded = (column: string) => sql.raw(`excluded.${column}`);
  return ctx.db
    .insert(captions)
    .select(selectRows(captions, rows))
    .onConflictDoUpdate({
      target: [captions.subject, captions.platform],
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

type PlatformVoice = Voice & { platform: CaptionPlatform };
type PlatformCaption = WrittenCaption & { platform: CaptionPlatform };

const Answer = z.object({
  captions: z.array(z.object({ platform: z.enum(CAPTION_PLATFORMS), text: z.string(), hashtags: z.array(z.string()) })),
});

/** One call for all platforms: a model that knows them all does not say the same thing five times. */
async function compose(
  ctx: Context,
  order: CaptionOrder & CaptionWishes,
  subject: Subject,
  voices: readonly PlatformVoice[],
) {
  const notes = order.notes ?? "";
  const { answer, engine } = await ask<{ captions: PlatformCaption[] }>(ctx, {
    task: "caption",
    instructions: INSTRUCTIONS,
    prompt: modelPrompt(order.kind, subject, voices, notes),
    schema: Answer,
    needsNoModel: order.withoutModel === true,
    check: (given) => {
      const list = voices.map((voice) => repaired(given.captions, voice, subject, notes));
      return list.every((caption) => caption !== null) ? { captions: list } : null;
    },
    builtin: () => ({
      captions: voices.map((voice) => ({
        platform: voice.platform,
        ...writeCaption({ kind: order.kind, platform: voice.platform, subject, voice, notes }),
      })),
    }),
  });
  return { answer: answer.captions, engine };
}
