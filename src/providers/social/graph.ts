import { type Answer, call, failed, isSuccess, isTrouble, lost, object, slowDown, told } from "./call.ts";
import type { Check, Outcome, SocialPace } from "./post.ts";

const VERSION = "v24.0";
/** The codes by which the Graph API says that a token is over, or that there were too many calls. */
const TOKEN_CODES = [102, 190];
const LIMIT_CODES = [4, 9, 17, 32, 341, 613];

/** One call of the Graph API. The token travels in a header, so that no log of addresses holds it. */
export function graph(
  { baseUrl, accessToken }: { baseUrl: string; accessToken: string },
  request: { path: string; query?: Record<string, string>; form?: Record<string, string> },
  pace: SocialPace,
): Promise<Answer> {
  const query = request.query ? `?${new URLSearchParams(request.query)}` : "";
  return call(
    {
      url: `${baseUrl}/${VERSION}/${request.path}${query}`,
      method: request.form ? "POST" : "GET",
      headers: { authorization: `Bearer ${accessToken}` },
      ...(request.form && { form: request.form }),
    },
    pace,
  );
}

/** Why a call did not do what it was for; null when it did. `sent`: the call itself makes the post. */
export function graphFailure(
  platform: string,
  answer: Answer,
  accessToken: string,
  { sent }: { sent: boolean },
): Outcome | null {
  if (answer === null || isTrouble(answer)) {
    if (sent) return lost(platform, answer);
    return failed(
      `${platform} ${answer ? `answered ${answer.status}` : "did not answer in time"}. Nothing was posted.`,
    );
  }
  const { code, message } = object(answer.json.error);
  if (answer.status === 429 || LIMIT_CODES.includes(Number(code))) return slowDown(platform, answer);
  if (TOKEN_CODES.includes(Number(code)) || answer.status === 401) {
    return failed(`${platform} refused the access token.`, { refused: true });
  }
  if (code !== undefined || !isSuccess(answer)) {
    return failed(`${platform} refused the post: ${told(message, [accessToken]) || `status ${answer.status}`}`);
  }
  return null;
}

/** The name of an account, by which its token shows that it works. */
export async function checkGraph(
  platform: string,
  access: { baseUrl: string; accessToken: string },
  accountId: string,
  field: "name" | "username",
  pace: SocialPace,
): Promise<Check> {
  const answer = await graph(access, { path: accountId, query: { fields: field } }, pace);
  if (answer === null || isTrouble(answer) || answer.status === 429) {
    return {
      result: "trouble",
      error: `${platform} ${answer ? `answered ${answer.status}` : "did not answer in time"}.`,
    };
  }
  const { code, message } = object(answer.json.error);
  if (LIMIT_CODES.includes(Number(code))) return { result: "trouble", error: `${platform} asks to slow down.` };
  if (code !== undefined || !isSuccess(answer)) {
    const why = told(message, [access.accessToken]) || `status ${answer.status}`;
    return { result: "refused", error: `${platform} refused the credential: ${why}` };
  }
  const account = answer.json[field];
  return { result: "connected", account: typeof account === "string" ? account : null };
}
