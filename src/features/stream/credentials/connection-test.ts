import type { Context } from "../../../context.ts";
import { streamCredentials } from "../../../db/schema/stream-captions.ts";
import type { CredentialPlatform } from "../../../lib/caption-kinds.ts";
import { outsideAddressProblem } from "../../../lib/outside-address.ts";
import { webhookSecretProblem } from "../../../lib/webhook-signature.ts";
import { checkDiscord } from "../../../providers/social/discord.ts";
import { checkFacebook } from "../../../providers/social/facebook.ts";
import { checkInstagram } from "../../../providers/social/instagram.ts";
import { type CredentialCheck, SOCIAL_TIMEOUTS, type SocialTimeouts } from "../../../providers/social/post.ts";
import { checkWebhook } from "../../../providers/social/webhook.ts";
import { checkX } from "../../../providers/social/x.ts";
import { createYouTube, YouTubeError } from "../../../providers/social/youtube.ts";
import { type CredentialRow, decryptCredential, loadRow, type OpenCredential, sameCredential } from "./encrypted.ts";
import type { CredentialTest } from "./schemas.ts";
import { noCredential, toCredential } from "./service.ts";
import { withXToken } from "./x-token.ts";

/** A person waits for the result, so a rate-limited call is not repeated. */
const TIMEOUTS: SocialTimeouts = { ...SOCIAL_TIMEOUTS, maxWaitMs: 0 };

/** Makes a harmless call with the credential and stores whether the platform accepted it. */
export async function testCredential(ctx: Context, platform: CredentialPlatform): Promise<CredentialTest> {
  const row = await loadRow(ctx, platform);
  if (!row) throw noCredential(platform);
  const credential = await decryptCredential(ctx, row);
  const check = await CHECKS[platform](ctx, credential);
  const stored = (await storeCheck(ctx, check.used ?? credential, check)) ?? (await loadRow(ctx, platform));
  return {
    ok: check.result === "connected",
    error: check.result === "connected" ? null : check.error,
    credential: toCredential(platform, stored),
  };
}

/** Undefined if nothing was stored: the platform gave no verdict, or the credential was replaced meanwhile. */
async function storeCheck(
  ctx: Context,
  credential: OpenCredential,
  check: CredentialCheck,
): Promise<CredentialRow | undefined> {
  if (check.result === "unavailable") return undefined;
  const isConnected = check.result === "connected";
  const [row] = await ctx.db
    .update(streamCredentials)
    .set({
      status: isConnected ? "connected" : "invalid",
      ...(isConnected && { account: check.account }),
      checkedAt: ctx.now,
    })
    .where(sameCredential(credential))
    .returning();
  return row;
}

/** `used`: the credential after its token was renewed. */
type Checked = CredentialCheck & { used?: OpenCredential };

const CHECKS: Record<CredentialPlatform, (ctx: Context, credential: OpenCredential) => Promise<Checked>> = {
  youtube: ({ config }, { fields: { apiKey = "", channelId = "" } }) =>
    checkYouTube(config.YOUTUBE_API_URL, apiKey, channelId),
  discord: async (ctx, { fields: { webhookUrl = "" } }) =>
    refusedAddress(ctx, webhookUrl) ?? checkDiscord(webhookUrl, TIMEOUTS),
  x: async (ctx, credential) => {
    const check = await withXToken(ctx, credential, TIMEOUTS, async (accessToken, used) => {
      const result = await checkX(ctx.config.X_API_URL, accessToken, TIMEOUTS);
      return result === "expired" ? result : { ...result, used };
    });
    return "noToken" in check ? { result: check.noToken, error: check.error } : check;
  },
  facebook: ({ config }, { fields: { pageId = "", accessToken = "" } }) =>
    checkFacebook({ baseUrl: config.GRAPH_API_URL, pageId, accessToken }, TIMEOUTS),
  instagram: ({ config }, { fields: { accountId = "", accessToken = "" } }) =>
    checkInstagram({ baseUrl: config.GRAPH_API_URL, accountId, accessToken }, TIMEOUTS),
  webhook: async (ctx, { fields: { url = "", secret } }) =>
    refusedAddress(ctx, url) ?? refusedSecret(secret) ?? checkWebhook({ url, secret }, TIMEOUTS),
};

/** The address may have been saved while private hosts were allowed. */
function refusedAddress({ config }: Context, address: string): CredentialCheck | null {
  const problem = outsideAddressProblem(address, { allowPrivate: config.ALLOW_PRIVATE_HOSTS });
  return problem === null ? null : { result: "refused", error: `The saved address ${problem}.` };
}

/** The secret may have been saved before it was checked. */
function refusedSecret(secret: string | undefined): CredentialCheck | null {
  const problem = secret === undefined ? null : webhookSecretProblem(secret);
  return problem === null ? null : { result: "refused", error: `The saved secret ${problem}.` };
}

async function checkYouTube(baseUrl: string, apiKey: string, channelId: string): Promise<CredentialCheck> {
  try {
    const { title } = await createYouTube(baseUrl, apiKey).channel(channelId);
    return { result: "connected", account: title };
  } catch (error) {
    if (!(error instanceof YouTubeError)) throw error;
    if (error.problem === "key_refused") return { result: "refused", error: "YouTube refused the API key." };
    if (error.problem === "channel_not_found") {
      return { result: "refused", error: "YouTube does not know this channel." };
    }
    const why = error.problem === "quota_exceeded" ? "has no quota left today" : "is not available right now";
    return { result: "unavailable", error: `YouTube ${why}.` };
  }
}
