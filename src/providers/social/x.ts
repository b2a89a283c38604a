import { toBase64, toBytes } from "../../lib/encoding.ts";
import { type Answer, call, failed, isSuccess, isTrouble, lost, object, slowDown, textOf, told } from "./call.ts";
import type { Check, Outcome, Post, SocialPace } from "./post.ts";

/** `expired`: the access token is no longer taken; the post was not. */
export async function postToX(
  baseUrl: string,
  accessToken: string,
  post: Post,
  pace: SocialPace,
): Promise<Outcome | "expired"> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await call({ url: `${baseUrl}/2/tweets`, method: "POST", headers, json: { text: post.text } }, pace);
  if (answer === null || isTrouble(answer)) return lost("X", answer);
  if (answer.status === 401) return "expired";
  if (answer.status === 429) return slowDown("X", answer);
  if (!isSuccess(answer)) return refusal(answer, accessToken);
  const id = textOf(object(answer.json.data).id);
  return id ? { result: "posted", url: `https://x.com/i/web/status/${id}` } : lost("X", answer);
}

function refusal(answer: NonNullable<Answer>, accessToken: string): Outcome {
  const detail = told(answer.json.detail ?? answer.json.title, [accessToken]);
  if (answer.status === 403 && /duplicate/i.test(detail)) {
    return failed("X refused the post because the account has just posted the same text.");
  }
  return failed(`X refused the post: ${detail || `status ${answer.status}`}`);
}

export interface XTokens {
  accessToken: string;
  refreshToken: string;
}

/** New tokens for the old refresh token, which works once; null when X no longer takes it. */
export async function refreshX(
  baseUrl: string,
  credential: { refreshToken: string; clientId: string; clientSecret?: string | undefined },
  pace: SocialPace,
): Promise<XTokens | null | "trouble"> {
  const { refreshToken, clientId, clientSecret } = credential;
  const answer = await call(
    {
      url: `${baseUrl}/2/oauth2/token`,
      method: "POST",
      headers: clientSecret ? { authorization: `Basic ${toBase64(toBytes(`${clientId}:${clientSecret}`))}` } : {},
      form: { grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId },
    },
    { ...pace, patienceMs: 0 },
  );
  if (answer === null || isTrouble(answer) || answer.status === 429) return "trouble";
  const accessToken = textOf(answer.json.access_token);
  if (!isSuccess(answer) || !accessToken) return null;
  return { accessToken, refreshToken: textOf(answer.json.refresh_token) ?? refreshToken };
}

export async function checkX(baseUrl: string, accessToken: string, pace: SocialPace): Promise<Check | "expired"> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await call({ url: `${baseUrl}/2/users/me`, method: "GET", headers }, pace);
  if (answer?.status === 401) return "expired";
  if (answer?.status === 403) {
    return {
      result: "refused",
      error: `X refused the token: ${told(answer.json.detail, [accessToken]) || "forbidden"}`,
    };
  }
  if (!answer || !isSuccess(answer)) {
    return { result: "trouble", error: `X ${answer ? `answered ${answer.status}` : "did not answer in time"}.` };
  }
  const name = textOf(object(answer.json.data).username);
  return { result: "connected", account: name && `@${name}` };
}
