import { firstCharacters } from "../../lib/text.ts";
import { call, failed, isSuccess, isTrouble, lost, object, slowDown, textOf, told } from "./call.ts";
import type { Check, Outcome, Post, SocialPace } from "./post.ts";

const HOSTS = ["discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"];
const PATH = /^\/api(?:\/v\d+)?\/webhooks\/\d{5,25}\/[\w-]{10,200}\/?$/;
const TITLE_CHARACTERS = 256;
const EMBED_COLOUR = 0xe53935;

/** A link to one channel's webhook, as Discord hands it out. */
export function isDiscordWebhook(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname, port } = new URL(url);
  return protocol === "https:" && port === "" && HOSTS.includes(hostname) && PATH.test(pathname);
}

export async function postToDiscord(webhookUrl: string, post: Post, pace: SocialPace): Promise<Outcome> {
  const target = new URL(webhookUrl);
  // Without it Discord answers before it knows whether the message will be there.
  target.searchParams.set("wait", "true");
  const answer = await call({ url: target.href, method: "POST", json: message(post) }, pace);
  if (answer === null || isTrouble(answer)) return lost("Discord", answer);
  if (answer.status === 429) return slowDown("Discord", answer);
  if (isGone(answer.status)) return failed("Discord has no such webhook any more.", { refused: true });
  if (!isSuccess(answer)) {
    const why = told(answer.json.message, secretsOf(webhookUrl)) || `status ${answer.status}`;
    return failed(`Discord refused the post: ${why}`);
  }
  const [id, channel] = [textOf(answer.json.id), textOf(answer.json.channel_id)];
  if (!id || !channel) return lost("Discord", answer);
  return { result: "posted", url: await messageUrl(webhookUrl, channel, id, pace) };
}

/** Mentions never ring: a title may say @everyone. */
function message({ text, format, title, url, imageUrl }: Post) {
  const quiet = { allowed_mentions: { parse: [] } };
  if (format === "plain") return { content: text, ...quiet };
  const embed = {
    title: title ? firstCharacters(title, TITLE_CHARACTERS) : undefined,
    url: url ?? undefined,
    description: text,
    color: EMBED_COLOUR,
    image: imageUrl ? { url: imageUrl } : undefined,
  };
  return { embeds: [embed], ...quiet };
}

/** The server's number is part of the link, and only the webhook itself tells it. */
async function messageUrl(webhookUrl: string, channel: string, id: string, pace: SocialPace): Promise<string | null> {
  const answer = await call({ url: bare(webhookUrl), method: "GET" }, { ...pace, patienceMs: 0 });
  const guild = textOf(object(answer?.json).guild_id);
  return guild ? `https://discord.com/channels/${guild}/${channel}/${id}` : null;
}

export async function checkDiscord(webhookUrl: string, pace: SocialPace): Promise<Check> {
  const answer = await call({ url: bare(webhookUrl), method: "GET" }, pace);
  if (answer && isGone(answer.status)) return { result: "refused", error: "Discord has no such webhook." };
  if (!answer || !isSuccess(answer) || !textOf(answer.json.id)) {
    return { result: "trouble", error: `Discord ${answer ? `answered ${answer.status}` : "did not answer in time"}.` };
  }
  return { result: "connected", account: textOf(answer.json.name) };
}

function isGone(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

function bare(webhookUrl: string): string {
  const { origin, pathname } = new URL(webhookUrl);
  return origin + pathname;
}

function secretsOf(webhookUrl: string): string[] {
  return [webhookUrl, new URL(webhookUrl).pathname.split("/").findLast(Boolean) ?? ""];
}
