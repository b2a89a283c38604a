import type { Context } from "../../../context.ts";
import type { CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { composePost } from "../../../lib/caption-limits.ts";
import { outsideAddressProblem } from "../../../lib/outside-address.ts";
import { webhookSecretProblem } from "../../../lib/webhook-signature.ts";
import { errorFields, log } from "../../../log.ts";
import { failed } from "../../../providers/social/call.ts";
import { postToDiscord } from "../../../providers/social/discord.ts";
import { postToFacebook } from "../../../providers/social/facebook.ts";
import { postToInstagram } from "../../../providers/social/instagram.ts";
import type { Post, PostResult, SocialTimeouts } from "../../../providers/social/post.ts";
import { postToWebhook } from "../../../providers/social/webhook.ts";
import { postToX } from "../../../providers/social/x.ts";
import type { OpenCredential } from "../credentials/encrypted.ts";
import { withXToken } from "../credentials/x-token.ts";
import type { CaptionRow } from "./record.ts";

/** What a platform may show beside the text. */
interface PostDetails {
  title: string | null;
  url: string | null;
  imageUrl: string | null;
  format: "embed" | "plain";
}

function toPost(caption: CaptionRow, details: PostDetails): Post {
  return {
    captionId: caption.id,
    kind: caption.kind,
    text: composePost(caption.text, caption.hashtags),
    hashtags: caption.hashtags,
    sessionId: caption.sessionId,
    milestoneId: caption.milestoneId,
    ...details,
  };
}

/** Sends the post once. After an unexpected error the post may exist only if the request that creates it had left. */
export async function sendPost(
  ctx: Context,
  credential: OpenCredential,
  caption: CaptionRow,
  details: PostDetails,
  timeouts: SocialTimeouts,
): Promise<PostResult> {
  const { id: captionId, platform } = caption;
  let mayExist = false;
  const onPublish = (isSent: boolean) => {
    mayExist = isSent;
  };
  try {
    return await SENDERS[platform](ctx, credential, toPost(caption, details), { ...timeouts, onPublish });
  } catch (error) {
    log("error", "caption_post_failed", { platform, captionId, ...errorFields(error) });
    const outcome = mayExist ? "Check the platform before you approve it again." : "Nothing was posted.";
    return { result: "failed", error: `An internal error occurred while posting. ${outcome}`, uncertain: mayExist };
  }
}

type Sender = (ctx: Context, credential: OpenCredential, post: Post, timeouts: SocialTimeouts) => Promise<PostResult>;

const SENDERS: Record<CaptionPlatform, Sender> = {
  discord: async (ctx, { fields: { webhookUrl = "" } }, post, timeouts) =>
    refusedAddress(ctx, webhookUrl) ?? postToDiscord(webhookUrl, post, timeouts),
  webhook: async (ctx, { fields: { url = "", secret } }, post, timeouts) =>
    refusedAddress(ctx, url) ?? refusedSecret(secret) ?? postToWebhook({ url, secret }, post, timeouts),
  x: async (ctx, credential, post, timeouts) => {
    const result = await withXToken(ctx, credential, timeouts, (accessToken) =>
      postToX(ctx.config.X_API_URL, accessToken, post, timeouts),
    );
    return "noToken" in result ? failed(`${result.error} Nothing was posted.`) : result;
  },
  facebook: ({ config }, { fields: { pageId = "", accessToken = "" } }, post, timeouts) =>
    postToFacebook({ baseUrl: config.GRAPH_API_URL, pageId, accessToken }, post, timeouts),
  instagram: ({ config }, { fields: { accountId = "", accessToken = "" } }, post, timeouts) =>
    postToInstagram({ baseUrl: config.GRAPH_API_URL, accountId, accessToken }, post, timeouts),
};

/** The address may have been saved while private hosts were allowed. */
function refusedAddress(ctx: Context, address: string): PostResult | null {
  const problem = outsideAddressProblem(address, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  return problem === null ? null : failed(`The saved address ${problem}. Nothing was posted.`);
}

/** The secret may have been saved before it was checked. */
function refusedSecret(secret: string | undefined): PostResult | null {
  const problem = secret === undefined ? null : webhookSecretProblem(secret);
  return problem === null ? null : failed(`The saved secret ${problem}. Nothing was posted.`);
}
