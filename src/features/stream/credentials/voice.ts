import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamVoices } from "../../../db/schema/stream-captions.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { CAPTION_PLATFORMS, type CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Voice, VoiceChanges } from "./schemas.ts";

const PLAIN = { customPrompt: "", callToAction: "", format: "plain", autoApprove: false, version: 1 } as const;

/** The migration inserts the same rows. */
export const FIRST_VOICES: (typeof streamVoices.$inferInsert)[] = [
  { ...PLAIN, hashtags: [], platform: "discord", tone: "friendly", format: "embed" },
  { ...PLAIN, hashtags: [], platform: "x", tone: "hype" },
  { ...PLAIN, hashtags: [], platform: "instagram", tone: "hype" },
  { ...PLAIN, hashtags: [], platform: "facebook", tone: "friendly" },
  { ...PLAIN, hashtags: [], platform: "webhook", tone: "professional" },
];

export async function listVoices(ctx: Context): Promise<{ data: Voice[] }> {
  const rows = await selectVoices(ctx);
  return {
    data: CAPTION_PLATFORMS.flatMap((platform) => rows.filter((row) => row.platform === platform).map(toVoice)),
  };
}

export function selectVoices(ctx: Context) {
  return ctx.db.select().from(streamVoices);
}

export async function changeVoice(
  ctx: Context,
  platform: CaptionPlatform,
  changes: VoiceChanges,
  expected: ExpectedVersions,
): Promise<Voice> {
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const [changed, [current]] = await ctx.db.batch([
    ctx.db
      .update(streamVoices)
      .set({ ...changes, version: sql`${streamVoices.version} + 1`, updatedAt: ctx.now })
      .where(and(eq(streamVoices.platform, platform), versionIs(streamVoices.version, expected)))
      .returning(),
    ctx.db.select({ version: streamVoices.version }).from(streamVoices).where(eq(streamVoices.platform, platform)),
  ]);
  const [row] = changed;
  if (!row) throw missedWrite(current, `voice for ${platform}`);
  return toVoice(row);
}

function toVoice({ updatedAt, ...row }: typeof streamVoices.$inferSelect): Voice {
  return { ...row, updatedAt: updatedAt?.toISOString() ?? null };
}
