import { toBase64, toBytes } from "../../lib/encoding.ts";
import {
  call,
  commonFailure,
  failed,
  isServerFailure,
  isSuccess,
  object,
  type PlatformResponse,
  platformMessage,
  textOf,
  unavailable,
  unknownResult,
} from "./call.ts";
import type { CredentialCheck, Post, PostResult, SocialTimeouts } from "./post.ts";

/** `expired`: X refused the access token, and nothing was posted. */
export async function postToX(
  baseUrl: string,
  accessToken: string,
  post: Post,
  timeouts: SocialTimeouts,
): Promise<PostResult | "expired"> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const request = { url: `${baseUrl}/2/tweets`, method: "POST" as const, headers, json: { text: post.text } };
  const response = await call({ ...request, publishes: true }, timeouts);
  if (response.status === 401) return "expired";
  const failure = commonFailure("X", response);
  if (failure) return failure;
  if (!isSuccess(response)) return refusal(response, accessToken);
  const id = textOf(object(response.json.data).id);
  return id ? { result: "posted", url: `https://x.com/i/web/status/${id}` } : unknownResult("X", response);
}

function refusal({ status, json }: PlatformResponse, accessToken: string): PostResult {
  const detail = platformMessage(json.detail ?? json.title, [accessToken]);
  if (status === 403 && /duplicate/i.test(detail)) {
    return failed("X refused the post because the account has already posted the same text.");
  }
  return failed(`X refused the post: ${detail || `status ${status}`}`);
}

interface XTokens {
  accessToken: string;
  refreshToken: string;
}

/** Exchanges the refresh token, which works once; null if X refuses it. */
export async function refreshX(
  baseUrl: string,
  credential: { refreshToken: string; clientId: string; clientSecret?: string | undefined },
  timeouts: SocialTimeouts,
): Promise<XTokens | null | "unavailable"> {
  const { refreshToken, clientId, clientSecret } = credential;
  const response = await call(
    {
      url: `${baseUrl}/2/oauth2/token`,
      method: "POST",
      headers: clientSecret ? { authorization: `Basic ${toBase64(toBytes(`${clientId}:${clientSecret}`))}` } : {},
      form: { grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId },
    },
    { ...timeouts, maxWaitMs: 0 },
  );
  if (isServerFailure(response) || response.status === 429) return "unavailable";
  const accessToken = textOf(response.json.access_token);
  if (!isSuccess(response) || !accessToken) return null;
  return { accessToken, refreshToken: textOf(response.json.refresh_token) ?? refreshToken };
}

export async function checkX(
  baseUrl: string,
  accessToken: string,
  timeouts: SocialTimeouts,
): Promise<CredentialCheck | "expired"> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await call({ url: `${baseUrl}/2/users/me`, method: "GET", headers }, timeouts);
  if (response.status === 401) return "expired";
  if (response.status === 403) {
    const why = platformMessage(response.json.detail, [accessToken]) || "forbidden";
    return { result: "refused", error: `X refused the token: ${why}` };
  }
  if (!isSuccess(response)) return unavailable("X", response);
  const name = textOf(object(response.json.data).username);
  return { result: "connected", account: name && `@${name}` };
}
