import { signatureHeaders } from "../../lib/webhook-signature.ts";
import { call, commonFailure, failed, isSuccess, unavailable } from "./call.ts";
import type { CredentialCheck, Post, PostResult, SocialTimeouts } from "./post.ts";

interface Receiver {
  url: string;
  secret?: string | undefined;
}

/** Signed as in Standard Webhooks. The message id contains the caption's id, so that a receiver recognises a repeat. */
export async function postToWebhook(receiver: Receiver, post: Post, timeouts: SocialTimeouts): Promise<PostResult> {
  const { captionId, kind, text, hashtags, title, url, imageUrl, sessionId, milestoneId } = post;
  const data = { captionId, kind, text, hashtags, title, url, thumbnailUrl: imageUrl, sessionId, milestoneId };
  const message = { id: `msg_caption_${captionId}`, type: "caption.post", data, publishes: true };
  const response = await send(receiver, message, timeouts);
  const failure = commonFailure("The webhook", response);
  if (failure) return failure;
  if (isSuccess(response)) return { result: "posted", url: null };
  const isRefused = isRefusal(response.status);
  return failed(
    `The webhook responded with status ${response.status}.`,
    isRefused ? { isCredentialRefused: true } : {},
  );
}

export async function checkWebhook(receiver: Receiver, timeouts: SocialTimeouts): Promise<CredentialCheck> {
  const message = { id: `msg_ping_${crypto.randomUUID()}`, type: "ping", data: {}, publishes: false };
  const response = await send(receiver, message, timeouts);
  if (isSuccess(response)) return { result: "connected", account: new URL(receiver.url).hostname };
  if (!isRefusal(response.status)) return unavailable("The webhook", response);
  return { result: "refused", error: `The webhook responded with status ${response.status}.` };
}

function isRefusal(status: number): boolean {
  return [401, 403, 404, 410].includes(status);
}

interface Message {
  id: string;
  type: string;
  data: object;
  publishes: boolean;
}

function send({ url, secret }: Receiver, { id, type, data, publishes }: Message, timeouts: SocialTimeouts) {
  const sentAt = new Date();
  const json = { type, timestamp: new Date(Math.floor(sentAt.getTime() / 1000) * 1000).toISOString(), data };
  const headers = signatureHeaders({ id, sentAt, body: JSON.stringify(json) }, secret ? [secret] : []);
  return call({ url, method: "POST", headers, json, publishes }, timeouts);
}
