import { call, isSuccess, object, textOf, told } from "./call.ts";
import type { Check, SocialPace } from "./post.ts";

/** Reads the channel's name, the cheapest call there is: one unit of the day's quota. */
export async function checkYoutube(
  baseUrl: string,
  { apiKey, channelId }: { apiKey: string; channelId: string },
  pace: SocialPace,
): Promise<Check> {
  const query = new URLSearchParams({ part: "snippet", id: channelId });
  const request = {
    url: `${baseUrl}/channels?${query}`,
    method: "GET",
    headers: { "x-goog-api-key": apiKey },
  } as const;
  const answer = await call(request, pace);
  if (!answer || answer.status >= 500 || answer.status === 429) {
    return { result: "trouble", error: `YouTube ${answer ? `answered ${answer.status}` : "did not answer in time"}.` };
  }
  const { message, errors } = object(answer.json.error);
  const reason = textOf(object(Array.isArray(errors) ? errors[0] : null).reason);
  if (reason === "quotaExceeded") return { result: "trouble", error: "YouTube's quota of today is used up." };
  if (!isSuccess(answer)) {
    return { result: "refused", error: `YouTube refused the key: ${told(message, [apiKey]) || answer.status}` };
  }
  const channel = object(Array.isArray(answer.json.items) ? answer.json.items[0] : null);
  if (!textOf(channel.id)) return { result: "refused", error: "YouTube has no such channel." };
  return { result: "connected", account: textOf(object(channel.snippet).title) };
}
