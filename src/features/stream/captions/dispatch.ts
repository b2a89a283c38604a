import { and, asc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../../context.ts";
import { isOneOf } from "../../../db/bulk.ts";
import { streamMilestones, streamSessions } from "../../../db/schema/stream.ts";
import { captions, streamCredentials } from "../../../db/schema/stream-captions.ts";
import type { CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { withIsoTimes } from "../../../lib/iso-times.ts";
import { milestoneLabel } from "../../../lib/milestone-card.ts";
import { type PostResult, SOCIAL_TIMEOUTS, type SocialTimeouts } from "../../../providers/social/post.ts";
import { markInvalid, type OpenCredential, openCredential } from "../credentials/encrypted.ts";
import { selectVoices } from "../credentials/voice.ts";
import type { CaptionRow } from "./record.ts";
import type { Dispatched, DispatchOrder, DispatchResult } from "./schemas.ts";
import { sendPost } from "./send-post.ts";

const MAX_CAPTIONS = 50;
const PARALLEL_POSTS = 4;
/** No further post starts after this time; the rest waits for the next dispatch. */
const TIME_MS = 25_000;
/** Longer than any dispatch runs. */
const CLAIM_MS = 5 * 60_000;

interface Dispatch {
  ctx: Context;
  timeouts: SocialTimeouts;
  /** Null for one that cannot be decrypted: it stops only its own captions. */
  credentials: Map<string, OpenCredential | null>;
  formats: Map<CaptionPlatform, "embed" | "plain">;
  endsAt: number;
}

/**
 * Posts approved captions. Each is claimed by a compare-and-swap before anything is sent, so that only one of several
 * parallel dispatches posts it. Nothing is sent again unless a person approves it again.
 */
export async function dispatchCaptions(
  ctx: Context,
  { captionIds }: DispatchOrder,
  timeouts: SocialTimeouts = SOCIAL_TIMEOUTS,
): Promise<Dispatched> {
  requireScopes(ctx, ["stream:read"]);
  const [, found, credentialRows, voices] = await ctx.db.batch([
    failAbandoned(ctx),
    selectCandidates(ctx, captionIds),
    ctx.db.select().from(streamCredentials),
    selectVoices(ctx),
  ]);
  const list = found.slice(0, MAX_CAPTIONS);
  const needed = new Set<string>(list.map(({ platform }) => platform));
  const rows = credentialRows.filter(({ platform }) => needed.has(platform));
  const open = await Promise.all(rows.map(async (row) => [row.platform, await openCredential(ctx, row)] as const));
  const dispatch: Dispatch = {
    ctx,
    timeouts,
    credentials: new Map(open),
    formats: new Map(voices.map(({ platform, format }) => [platform, format])),
    endsAt: Date.now() + TIME_MS,
  };
  const posting = inParallel(list, (caption) => dispatchOne(dispatch, caption));
  // The results are stored even if the client disconnects.
  ctx.defer(posting);
  const results = await posting;
  const unknown = (captionIds ?? []).filter((id) => !list.some((caption) => caption.id === id));
  for (const id of unknown) results.push(notPosted(id, null, `There is no caption ${id}.`));
  const count = (result: DispatchResult["result"]) => results.filter((each) => each.result === result).length;
  return {
    results,
    posted: count("posted"),
    failed: count("failed"),
    notPosted: count("not_posted"),
    more: found.length > MAX_CAPTIONS,
  };
}

/** The captions with what a platform may show beside the text. */
function selectCandidates(ctx: Context, ids: readonly number[] | undefined) {
  const { title, url, thumbnailUrl } = streamSessions;
  const { label, metric, threshold } = streamMilestones;
  return ctx.db
    .select({ ...getTableColumns(captions), title, url, thumbnailUrl, label, metric, threshold })
    .from(captions)
    .leftJoin(streamSessions, eq(streamSessions.id, captions.sessionId))
    .leftJoin(streamMilestones, eq(streamMilestones.id, captions.milestoneId))
    .where(ids === undefined ? eq(captions.status, "approved") : isOneOf(captions.id, ids))
    .orderBy(asc(captions.id))
    .limit(MAX_CAPTIONS + 1);
}

type Candidate = Awaited<ReturnType<typeof selectCandidates>>[number];

/** If one fails, the others are finished first: a post that was cut off would be uncertain. */
async function inParallel<Item, Result>(
  list: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  const entries = list.entries();
  const worker = async () => {
    for (const [index, item] of entries) {
      const result = work(item);
      results[index] = result;
      await Promise.allSettled([result]);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_POSTS }, worker));
  return Promise.all(results);
}

async function dispatchOne(dispatch: Dispatch, candidate: Candidate): Promise<DispatchResult> {
  const { ctx, timeouts } = dispatch;
  const { id, platform, status } = candidate;
  if (status !== "approved") return notPosted(id, platform, `The caption is ${status}. Only approved ones are posted.`);
  const credential = dispatch.credentials.get(platform);
  if (credential === undefined) {
    return notPosted(id, platform, `No ${platform} credential is saved. The caption stays approved.`);
  }
  if (credential === null) {
    const problem = `The ${platform} credential was encrypted with another ENCRYPTION_KEY. Save it again.`;
    return notPosted(id, platform, `${problem} The caption stays approved.`);
  }
  if (Date.now() > dispatch.endsAt) return notPosted(id, platform, "This dispatch ran out of time. Dispatch again.");
  const claimed = await claim(ctx, id);
  if (!claimed) return notPosted(id, platform, "Another dispatch posts it, or it was skipped.");
  const { title, url, thumbnailUrl: imageUrl, label, metric, threshold } = candidate;
  const milestone = metric && threshold !== null ? (label ?? milestoneLabel(metric, threshold)) : null;
  const format = dispatch.formats.get(platform) ?? "plain";
  const result = await sendPost(
    ctx,
    credential,
    claimed,
    { title: milestone ?? title, url, imageUrl, format },
    timeouts,
  );
  await storeResult(ctx, claimed, result);
  if (result.result === "failed" && result.isCredentialRefused) await markInvalid(ctx, credential);
  return toDispatchResult(claimed, result);
}

/** Returns the caption as it is now: an edit since the candidates were read is posted. */
async function claim(ctx: Context, id: number): Promise<CaptionRow | undefined> {
  const now = new Date();
  const [claimed] = await ctx.db
    .update(captions)
    .set({
      status: "posting",
      claimedAt: now,
      modelDueAt: null,
      attempts: sql`${captions.attempts} + 1`,
      version: sql`${captions.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(captions.id, id), eq(captions.status, "approved")))
    .returning();
  return claimed;
}

/** Only while the claim holds: a claim that was ended as abandoned stays failed. */
async function storeResult(ctx: Context, claimed: CaptionRow, result: PostResult): Promise<void> {
  const now = new Date();
  const { postUrl, ...failure } = detailsOf(result);
  await ctx.db
    .update(captions)
    .set({
      status: result.result,
      ...(result.result === "posted" && { postUrl, postedAt: now }),
      ...failure,
      claimedAt: null,
      version: claimed.version + 1,
      updatedAt: now,
    })
    .where(and(eq(captions.id, claimed.id), eq(captions.status, "posting"), eq(captions.version, claimed.version)));
}

function detailsOf(result: PostResult) {
  if (result.result === "posted") return { postUrl: result.url, error: null, uncertain: false, retryAt: null };
  const { error, uncertain, retryAt = null } = result;
  return { postUrl: null, error, uncertain, retryAt };
}

function toDispatchResult({ id, platform }: CaptionRow, posted: PostResult): DispatchResult {
  return { captionId: id, platform, result: posted.result, ...withIsoTimes(detailsOf(posted)) };
}

function notPosted(captionId: number, platform: CaptionPlatform | null, error: string): DispatchResult {
  return { captionId, platform, result: "not_posted", uncertain: false, postUrl: null, error, retryAt: null };
}

const ABANDONED =
  "The dispatch stopped before the platform responded. The post may or may not exist: check the platform before you approve it again.";

/** Ends the claims of dispatches that died. How far they got is unknown, so nothing is sent again. */
function failAbandoned(ctx: Context) {
  return ctx.db
    .update(captions)
    .set({
      status: "failed",
      uncertain: true,
      error: ABANDONED,
      claimedAt: null,
      version: sql`${captions.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(and(eq(captions.status, "posting"), lt(captions.claimedAt, new Date(ctx.now.getTime() - CLAIM_MS))));
}

/** For the cron. */
export async function failAbandonedPosts(ctx: Context): Promise<number> {
  return (await failAbandoned(ctx)).meta.changes;
}
