import { eq } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamCredentials } from "../../../db/schema/stream-captions.ts";
import type { CredentialPlatform } from "../../../lib/caption-kinds.ts";
import { outsideAddressProblem } from "../../../lib/outside-address.ts";
import { checkDiscord } from "../../../providers/social/discord.ts";
import { checkFacebook } from "../../../providers/social/facebook.ts";
import { checkInstagram } from "../../../providers/social/instagram.ts";
import { type Check, SOCIAL_PACE, type SocialPace } from "../../../providers/social/post.ts";
import { checkWebhook } from "../../../providers/social/webhook.ts";
import { checkX } from "../../../providers/social/x.ts";
import { createYouTube, YouTubeError } from "../../../providers/social/youtube.ts";
import { type CredentialRow, type OpenCredential, opened, sameCredential } from "./encrypted.ts";
import type { Credential } from "./schemas.ts";
import { noCredential, toCredential } from "./service.ts";
import { withXToken } from "./x-token.ts";

/** Someone is waiting, so a platform that asks to slow down is not waited for. */
const PACE: SocialPace = { ...SOCIAL_PACE, patienceMs: 0 };

/** Shows with a harmless call whether the platform takes the credential, and remembers what it said. */
export async function testCredential(
  ctx: Context,
  platform: CredentialPlatform,
): Promise<{ ok: boolean; error: string | null; credential: Credential }> {
  const row = await rowOf(ctx, platform);
  if (!row) throw noCredential(platform);
  const credential = await opened(ctx, row);
  const check = await CHECKS[platform](ctx, credential);
  if (check.result !== "trouble") await remember(ctx, check.used ?? credential, check);
  return {
    ok: check.result === "connected",
    error: check.result === "connected" ? null : check.error,
    credential: toCredential(platform, await rowOf(ctx, platform)),
  };
}

async function rowOf(ctx: Context, platform: CredentialPlatform): Promise<CredentialRow | undefined> {
  const [row] = await ctx.db.select().from(streamCredentials).where(eq(streamCredentials.platform, platform));
  return row;
}

async function remember(ctx: Context, credential: OpenCredential, check: Exclude<Check, { result: "trouble" }>) {
  const learnt =
    check.result === "connected"
      ? { status: "connected" as const, account: check.account }
      : { status: "invalid" as const };
  await ctx.db
    .update(streamCredentials)
    .set({ ...learnt, checkedAt: ctx.now })
    .where(sameCredential(credential));
}

/** `used`: the credential that was tried, when it was renewed on the way. */
type Checked = Check & { used?: OpenCredential };

const CHECKS: Record<CredentialPlatform, (ctx: Context, credential: OpenCredential) => Promise<Checked>> = {
  youtube: ({ config }, { fields: { apiKey = "", channelId = "" } }) =>
    checkYouTube(config.YOUTUBE_API_URL, apiKey, channelId),
  discord: async (ctx, { fields: { webhookUrl = "" } }) =>
    notOutside(ctx, webhookUrl) ?? checkDiscord(webhookUrl, PACE),
  x: async (ctx, credential) => {
    const check = await withXToken(ctx, credential, PACE, async (accessToken, used) => {
      const answer = await checkX(ctx.config.X_API_URL, accessToken, PACE);
      return answer === "expired" ? answer : { ...answer, used };
    });
    if ("noToken" in check) return { result: check.noToken, error: check.error };
    return check;
  },
  facebook: ({ config }, { fields: { pageId = "", accessToken = "" } }) =>
    checkFacebook({ baseUrl: config.GRAPH_API_URL, pageId, accessToken }, PACE),
  instagram: ({ config }, { fields: { accountId = "", accessToken = "" } }) =>
    checkInstagram({ baseUrl: config.GRAPH_API_URL, accountId, accessToken }, PACE),
  webhook: async (ctx, { fields: { url = "", secret } }) => notOutside(ctx, url) ?? checkWebhook({ url, secret }, PACE),
};

/** It may have been saved while private hosts were allowed. */
function notOutside({ config }: Context, address: string): Check | null {
  const problem = outsideAddressProblem(address, { allowPrivate: config.ALLOW_PRIVATE_HOSTS });
  return problem === null ? null : { result: "refused", error: `The saved address ${problem}.` };
}

async function checkYouTube(baseUrl: string, apiKey: string, channelId: string): Promise<Check> {
  try {
    const { title } = await createYouTube(baseUrl, apiKey).channel(channelId);
    return { result: "connected", account: title };
  } catch (error) {
    if (!(error instanceof YouTubeError)) throw error;
    if (error.problem === "key_refused") return { result: "refused", error: "YouTube refused the API key." };
    if (error.problem === "channel_not_found") return { result: "refused", error: "YouTube has no such channel." };
    const why = error.problem === "quota_exceeded" ? "has no quota left for today" : "could not be asked just now";
    return { result: "trouble", error: `YouTube ${why}.` };
  }
}
