import {
  call,
  failed,
  isServerFailure,
  isSuccess,
  notPosted,
  object,
  type PlatformResponse,
  platformMessage,
  rateLimited,
  textOf,
  unavailable,
  unknownResult,
} from "./call.ts";
import type { CredentialCheck, PostResult, SocialTimeouts } from "./post.ts";

const VERSION = "v24.0";
/** Error codes of the Graph API for an invalid token and for too many calls. */
const TOKEN_CODES = [102, 190];
const LIMIT_CODES = [4, 9, 17, 32, 341, 613];

interface GraphCall {
  path: string;
  query?: Record<string, string>;
  form?: Record<string, string>;
  publishes?: true;
}

/** One call of the Graph API. The token is in a header, because logs contain addresses. */
export function graph(
  { baseUrl, accessToken }: { baseUrl: string; accessToken: string },
  { path, query, form, publishes }: GraphCall,
  timeouts: SocialTimeouts,
): Promise<PlatformResponse> {
  const url = `${baseUrl}/${VERSION}/${path}${query ? `?${new URLSearchParams(query)}` : ""}`;
  const headers = { authorization: `Bearer ${accessToken}` };
  return call(
    { url, headers, method: form ? "POST" : "GET", ...(form && { form }), ...(publishes && { publishes }) },
    timeouts,
  );
}

/** Why a call failed, or null. `publishes`: the call creates the post, so that without a response it may exist. */
export function graphFailure(
  platform: string,
  response: PlatformResponse,
  accessToken: string,
  { publishes }: { publishes: boolean },
): PostResult | null {
  if (isServerFailure(response)) return (publishes ? unknownResult : notPosted)(platform, response);
  const { code, message } = object(response.json.error);
  if (response.status === 429 || LIMIT_CODES.includes(Number(code))) return rateLimited(platform, response);
  if (TOKEN_CODES.includes(Number(code)) || response.status === 401) {
    return failed(`${platform} refused the access token.`, { isCredentialRefused: true });
  }
  if (code === undefined && isSuccess(response)) return null;
  return failed(`${platform} refused the post: ${reason(message, accessToken, response)}`);
}

function reason(message: unknown, accessToken: string, { status }: PlatformResponse): string {
  return platformMessage(message, [accessToken]) || `status ${status}`;
}

/** Reads the account's name, which needs a valid token. */
export async function checkGraph(
  platform: string,
  access: { baseUrl: string; accessToken: string },
  accountId: string,
  field: "name" | "username",
  timeouts: SocialTimeouts,
): Promise<CredentialCheck> {
  const response = await graph(access, { path: accountId, query: { fields: field } }, timeouts);
  const { code, message } = object(response.json.error);
  if (response.status === 429 || isServerFailure(response)) return unavailable(platform, response);
  if (LIMIT_CODES.includes(Number(code))) {
    return { result: "unavailable", error: `${platform} limits the rate of calls.` };
  }
  if (code === undefined && isSuccess(response)) return { result: "connected", account: textOf(response.json[field]) };
  const why = reason(message, access.accessToken, response);
  return { result: "refused", error: `${platform} refused the credential: ${why}` };
}
