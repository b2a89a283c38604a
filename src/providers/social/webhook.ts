import { signatureHeaders } from "../../lib/webhook-signature.ts";
import { call, failed, isSuccess, isTrouble, lost, slowDown } from "./call.ts";
import type { Check, Outcome, Post, SocialPace } from "./post.ts";

interface Receiver {
  url: string;
  secret?: string | undefined;
}

/** Signed as Standard Webhooks says. The id is the caption's own, so that a receiver can tell a repeated post. */
export async function postToWebhook(receiver: Receiver, post: Post, pace: SocialPace): Promise<Outcome> {
  const { captionId, kind, text, hashtags, title, url, imageUrl, sessionId, milestoneId } = post;
  const data = { captionId, kind, text, hashtags, title, url, thumbnailUrl: imageUrl, sessionId, milestoneId };
  const answer = await send(receiver, `msg_caption_${captionId}`, "caption.post", data, pace);
  if (answer === null || isTrouble(answer)) return lost("The webhook", answer);
  if (answer.status === 429) return slowDown("The webhook", answer);
  if (isSuccess(answer)) return { result: "posted", url: null };
  return failed(`The webhook answered ${answer.status}.`, { refused: isRefusal(answer.status) });
}

export async function checkWebhook(receiver: Receiver, pace: SocialPace): Promise<Check> {
  const answer = await send(receiver, `msg_ping_${crypto.randomUUID()}`, "ping", {}, pace);
  if (answer && isSuccess(answer)) return { result: "connected", account: new URL(receiver.url).hostname };
  if (answer && isRefusal(answer.status)) return { result: "refused", error: `The webhook answered ${answer.status}.` };
  const what = answer ? `answered ${answer.status}` : "did not answer in time";
  return { result: "trouble", error: `The webhook ${what}.` };
}

function isRefusal(status: number): boolean {
  return [401, 403, 404, 410].includes(status);
}

function send({ url, secret }: Receiver, id: string, type: string, data: object, pace: SocialPace) {
  const sentAt = new Date();
  const json = { type, timestamp: new Date(Math.floor(sentAt.getTime() / 1000) * 1000).toISOString(), data };
  const headers = signatureHeaders({ id, sentAt, body: JSON.stringify(json) }, secret ? [secret] : []);
  return call({ url, method: "POST", headers, json }, pace);
}
