import { firstCharacters } from "../../lib/text.ts";
import { call, commonFailure, failed, isSuccess, platformMessage, textOf, unavailable, unknownResult } from "./call.ts";
import type { CredentialCheck, Post, PostResult, SocialTimeouts } from "./post.ts";

const HOSTS = ["discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"];
const PATH = /^\/api(?:\/v\d+)?\/webhooks\/\d{5,25}\/[\w-]{10,200}\/?$/;
const TITLE_CHARACTERS = 256;
const EMBED_COLOUR = 0xe53935;

export function isDiscordWebhook(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname, port } = new URL(url);
  return protocol === "https:" && port === "" && HOSTS.includes(hostname) && PATH.test(pathname);
}

export async function postToDiscord(webhookUrl: string, post: Post, timeouts: SocialTimeouts): Promise<PostResult> {
  const target = new URL(webhookUrl);
  // Without `wait` Discord responds before it has stored the message.
  target.searchParams.set("wait", "true");
  const response = await call({ url: target.href, method: "POST", json: message(post), publishes: true }, timeouts);
  const failure = commonFailure("Discord", response);
  if (failure) return failure;
  if (isGone(response.status)) return failed("The Discord webhook no longer exists.", { isCredentialRefused: true });
  if (!isSuccess(response)) {
    const why = platformMessage(response.json.message, secretsOf(webhookUrl)) || `status ${response.status}`;
    return failed(`Discord refused the post: ${why}`);
  }
  const [id, channel] = [textOf(response.json.id), textOf(response.json.channel_id)];
  if (!id || !channel) return unknownResult("Discord", response);
  return { result: "posted", url: await messageUrl(webhookUrl, channel, id, timeouts) };
}

/** A title may contain @everyone: nobody is notified. */
function message({ text, format, title, url, imageUrl }: Post) {
  const noMentions = { allowed_mentions: { parse: [] } };
  if (format === "plain") return { content: text, ...noMentions };
  const embed = {
    title: title ? firstCharacters(title, TITLE_CHARACTERS) : undefined,
    url: url ?? undefined,
    description: text,
    color: EMBED_COLOUR,
    image: imageUrl ? { url: imageUrl } : undefined,
  };
  return { embeds: [embed], ...noMentions };
}

/** The link contains the server's id, which only the webhook itself returns. */
async function messageUrl(webhookUrl: string, channel: string, id: string, timeouts: SocialTimeouts) {
  const { json } = await call({ url: withoutQuery(webhookUrl), method: "GET" }, { ...timeouts, maxWaitMs: 0 });
  const guild = textOf(json.guild_id);
  return guild ? `https://discord.com/channels/${guild}/${channel}/${id}` : null;
}

export async function checkDiscord(webhookUrl: string, timeouts: SocialTimeouts): Promise<CredentialCheck> {
  const response = await call({ url: withoutQuery(webhookUrl), method: "GET" }, timeouts);
  if (isGone(response.status)) return { result: "refused", error: "The Discord webhook does not exist." };
  if (!isSuccess(response) || !textOf(response.json.id)) return unavailable("Discord", response);
  return { result: "connected", account: textOf(response.json.name) };
}

function isGone(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

function withoutQuery(webhookUrl: string): string {
  const { origin, pathname } = new URL(webhookUrl);
  return origin + pathname;
}

function secretsOf(webhookUrl: string): string[] {
  return [webhookUrl, new URL(webhookUrl).pathname.split("/").findLast(Boolean) ?? ""];
}
