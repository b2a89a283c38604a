import type { Context } from "../../../context.ts";
import { composePost } from "../../../engine/captions/limits.ts";
import type { CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { outsideAddressProblem } from "../../../lib/outside-address.ts";
import { errorFields, log } from "../../../log.ts";
import { postToDiscord } from "../../../providers/social/discord.ts";
import { postToFacebook } from "../../../providers/social/facebook.ts";
import { postToInstagram } from "../../../providers/social/instagram.ts";
import type { Outcome, Post, SocialPace } from "../../../providers/social/post.ts";
import { postToWebhook } from "../../../providers/social/webhook.ts";
import { postToX } from "../../../providers/social/x.ts";
import type { OpenCredential } from "../credentials/encrypted.ts";
import { withXToken } from "../credentials/x-token.ts";
import type { CaptionRow } from "./record.ts";

/** What a platform may show beside the text. */
export interface Beside {
  title: string | null;
  url: string | null;
  imageUrl: string | null;
  format: "embed" | "plain";
}

export function toPost(caption: CaptionRow, beside: Beside): Post {
  return {
    captionId: caption.id,
    kind: caption.kind,
    text: composePost(caption.text, caption.hashtags),
    hashtags: caption.hashtags,
    sessionId: caption.sessionId,
    milestoneId: caption.milestoneId,
    ...beside,
  };
}

/** Sends a post to its platform, once. Whatever goes wrong on our side leaves it open whether it arrived. */
export async function sendPost(
  ctx: Context,
  platform: CaptionPlatform,
  credential: OpenCredential,
  post: Post,
  pace: SocialPace,
): Promise<Outcome> {
  try {
    return await SENDERS[platform](ctx, credential, post, pace);
  } catch (error) {
    log("error", "caption_post_failed", { platform, captionId: post.captionId, ...errorFields(error) });
    return { result: "failed", error: "Something went wrong on our side while posting.", uncertain: true };
  }
}

type Sender = (ctx: Context, credential: OpenCredential, post: Post, pace: SocialPace) => Promise<Outcome>;

const SENDERS: Record<CaptionPlatform, Sender> = {
  discord: async (ctx, { fields: { webhookUrl = "" } }, post, pace) =>
    notOutside(ctx, webhookUrl) ?? postToDiscord(webhookUrl, post, pace),
  webhook: async (ctx, { fields: { url = "", secret } }, post, pace) =>
    notOutside(ctx, url) ?? postToWebhook({ url, secret }, post, pace),
  x: async (ctx, credential, post, pace) => {
    const outcome = await withXToken(ctx, credential, pace, (accessToken) =>
      postToX(ctx.config.X_API_URL, accessToken, post, pace),
    );
    // An expired token means that X looked at nothing else: nothing was posted.
    return "noToken" in outcome ? notSent(`${outcome.error} Nothing was posted.`) : outcome;
  },
  facebook: ({ config }, { fields: { pageId = "", accessToken = "" } }, post, pace) =>
    postToFacebook({ baseUrl: config.GRAPH_API_URL, pageId, accessToken }, post, pace),
  instagram: ({ config }, { fields: { accountId = "", accessToken = "" } }, post, pace) =>
    postToInstagram({ baseUrl: config.GRAPH_API_URL, accountId, accessToken }, post, pace),
};

function notSent(error: string): Outcome {
  return { result: "failed", error, uncertain: false };
}

/** An address that was saved while private hosts were allowed is not called once they no longer are. */
function notOutside(ctx: Context, address: string): Outcome | null {
  const problem = outsideAddressProblem(address, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  return problem === null ? null : notSent(`The saved address ${problem}. Nothing was posted.`);
}
