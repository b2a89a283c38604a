import { and, asc, eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { anyOf } from "../../../db/bulk.ts";
import { captions, streamCredentials } from "../../../db/schema/stream-captions.ts";
import type { CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { type Outcome, SOCIAL_PACE, type SocialPace } from "../../../providers/social/post.ts";
import { markInvalid, type OpenCredential, opened } from "../credentials/encrypted.ts";
import { selectVoices } from "../credentials/voice.ts";
import { endStaleClaims } from "./claims.ts";
import type { CaptionRow } from "./record.ts";
import type { Dispatched, DispatchResult } from "./schemas.ts";
import { sendPost, toPost } from "./send-post.ts";
import { shownBeside } from "./topic.ts";

const MAX_CAPTIONS = 50;
const AT_ONCE = 4;
/** No further post is begun after this long; what is left waits for the next dispatch. */
const TIME_MS = 25_000;

interface Dispatch {
  ctx: Context;
  pace: SocialPace;
  credentials: Map<CaptionPlatform, OpenCredential>;
  formats: Map<CaptionPlatform, "embed" | "plain">;
  beside: Awaited<ReturnType<typeof shownBeside>>;
  endsAt: number;
}

/**
 * Posts what is approved. A caption is claimed by a compare-and-swap before anything is sent, so that of parallel
 * dispatches one posts it; nothing is ever sent again unless a person approves it again.
 */
export async function dispatchCaptions(
  ctx: Context,
  { captionIds }: { captionIds?: readonly number[] | undefined },
  pace: SocialPace = SOCIAL_PACE,
): Promise<Dispatched> {
  const [, chosen, credentialRows, voices] = await ctx.db.batch([
    endStaleClaims(ctx),
    selectCandidates(ctx, captionIds),
    ctx.db.select().from(streamCredentials),
    selectVoices(ctx),
  ]);
  const list = chosen.slice(0, MAX_CAPTIONS);
  const needed = new Set<string>(list.map(({ platform }) => platform));
  const open = await Promise.all(
    credentialRows.filter(({ platform }) => needed.has(platform)).map((row) => opened(ctx, row)),
  );
  const dispatch: Dispatch = {
    ctx,
    pace,
    credentials: new Map(open.flatMap((each) => (each.platform === "youtube" ? [] : [[each.platform, each]]))),
    formats: new Map(voices.map(({ platform, format }) => [platform, format])),
    beside: await shownBeside(ctx, list),
    endsAt: Date.now() + TIME_MS,
  };
  const posting = inTurns(list, (caption) => dispatchOne(dispatch, caption));
  // Whoever asked may hang up: what has been sent is written down all the same.
  ctx.defer(posting);
  const results = await posting;
  const unknown = (captionIds ?? []).filter((id) => !list.some((caption) => caption.id === id));
  for (const id of unknown) results.push(notPosted(id, null, "There is no such caption."));
  const count = (result: DispatchResult["result"]) => results.filter((each) => each.result === result).length;
  return {
    results,
    posted: count("posted"),
    failed: count("failed"),
    notPosted: count("not_posted"),
    more: chosen.length > MAX_CAPTIONS,
  };
}

function selectCandidates(ctx: Context, ids: readonly number[] | undefined) {
  return ctx.db
    .select()
    .from(captions)
    .where(ids === undefined ? eq(captions.status, "approved") : sql`${captions.id} IN ${anyOf(ids)}`)
    .orderBy(asc(captions.id))
    .limit(MAX_CAPTIONS + 1);
}

async function inTurns<Item, Result>(list: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const entries = list.entries();
  const worker = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

async function dispatchOne(dispatch: Dispatch, { id, platform, status }: CaptionRow): Promise<DispatchResult> {
  const { ctx, pace } = dispatch;
  if (status !== "approved") return notPosted(id, platform, `The caption is ${status}; only approved ones are posted.`);
  const credential = dispatch.credentials.get(platform);
  if (!credential) return notPosted(id, platform, `No ${platform} credential is saved. The caption stays approved.`);
  if (Date.now() > dispatch.endsAt) return notPosted(id, platform, "The time was up. Dispatch again.");
  const claimed = await claim(ctx, id);
  if (!claimed) return notPosted(id, platform, "Another dispatch took it, or it was skipped.");
  const beside = { ...dispatch.beside(claimed), format: dispatch.formats.get(platform) ?? "plain" };
  const outcome = await sendPost(ctx, platform, credential, toPost(claimed, beside), pace);
  await settle(ctx, claimed, outcome);
  if (outcome.result === "failed" && outcome.refused) await markInvalid(ctx, credential);
  return toResult(claimed, outcome);
}

/** Gives the caption as it is at this moment: what is posted is what is approved now. */
async function claim(ctx: Context, id: number): Promise<CaptionRow | undefined> {
  const now = new Date();
  const [claimed] = await ctx.db
    .update(captions)
    .set({
      status: "posting",
      claimedAt: now,
      attempts: sql`${captions.attempts} + 1`,
      version: sql`${captions.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(captions.id, id), eq(captions.status, "approved")))
    .returning();
  return claimed;
}

/** Only while the claim holds: one that was given up in the meantime stays as it was left. */
async function settle(ctx: Context, claimed: CaptionRow, outcome: Outcome): Promise<void> {
  const now = new Date();
  const result =
    outcome.result === "posted"
      ? { status: "posted" as const, postUrl: outcome.url, postedAt: now, error: null, uncertain: false, retryAt: null }
      : {
          status: "failed" as const,
          error: outcome.error,
          uncertain: outcome.uncertain,
          retryAt: outcome.retryAt ?? null,
        };
  await ctx.db
    .update(captions)
    .set({ ...result, claimedAt: null, version: claimed.version + 1, updatedAt: now })
    .where(and(eq(captions.id, claimed.id), eq(captions.status, "posting"), eq(captions.version, claimed.version)));
}

function toResult({ id, platform }: CaptionRow, outcome: Outcome): DispatchResult {
  if (outcome.result === "posted") {
    return {
      captionId: id,
      platform,
      result: "posted",
      uncertain: false,
      postUrl: outcome.url,
      error: null,
      retryAt: null,
    };
  }
  const { uncertain, error, retryAt } = outcome;
  return {
    captionId: id,
    platform,
    result: "failed",
    uncertain,
    postUrl: null,
    error,
    retryAt: retryAt?.toISOString() ?? null,
  };
}

function notPosted(captionId: number, platform: CaptionPlatform | null, error: string): DispatchResult {
  return { captionId, platform, result: "not_posted", uncertain: false, postUrl: null, error, retryAt: null };
}
