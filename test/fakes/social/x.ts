import { createPlatform, type Desk } from "./desk.ts";

/*
 * Tokens look like `{account}.a{n}` and `{account}.r{n}`; the newest pair counts, and a refresh token works once,
 * as with X: an older one is refused and ends the newer ones too.
 */
interface Tokens {
  generation?: number;
  /** The access token of this generation has expired. */
  expired?: number;
  dead?: boolean;
  /** The second until which nothing is taken. */
  limitedUntil?: number;
}

const TOKEN = /^([\w-]+)\.([ar])(\d+)$/;

function bearer(headers: Record<string, string>) {
  return TOKEN.exec((headers.authorization ?? "").replace(/^Bearer /, ""));
}

export function createFakeX() {
  return createPlatform(
    ({ path, headers, body }) =>
      path === "/2/oauth2/token"
        ? (TOKEN.exec(new URLSearchParams(body).get("refresh_token") ?? "")?.[1] ?? null)
        : (bearer(headers)?.[1] ?? null),
    ({ method, path, headers, body }, desk) => {
      if (path === "/2/oauth2/token") return refresh(new URLSearchParams(body), headers, desk);
      const tokens: Tokens = desk.state;
      const [, , kind, generation] = bearer(headers) ?? [];
      const isGood = kind === "a" && Number(generation) === (tokens.generation ?? 1) && !tokens.dead;
      if (!isGood || tokens.expired === Number(generation)) {
        return {
          status: 401,
          body: { title: "Unauthorized", type: "about:blank", status: 401, detail: "Unauthorized" },
        };
      }
      if (method === "GET" && path === "/2/users/me") {
        return { status: 200, body: { data: { id: "42", name: "Ada", username: "ada_live" } } };
      }
      if (method !== "POST" || path !== "/2/tweets") return { status: 404, body: { title: "Not Found" } };
      if (tokens.limitedUntil) {
        const headers = { "x-rate-limit-remaining": "0", "x-rate-limit-reset": String(tokens.limitedUntil) };
        return { status: 429, body: { title: "Too Many Requests", status: 429 }, headers };
      }
      const { text } = JSON.parse(body);
      if (desk.posts.includes(text)) {
        const detail = "You are not allowed to create a Tweet with duplicate content.";
        return { status: 403, body: { detail, type: "about:blank", title: "Forbidden", status: 403 } };
      }
      desk.posts.push(text);
      return { status: 201, body: { data: { id: String(1000 + desk.posts.length), text } } };
    },
  );
}

function refresh(form: URLSearchParams, headers: Record<string, string>, desk: Desk) {
  const tokens: Tokens = desk.state;
  const [, name, kind, generation] = TOKEN.exec(form.get("refresh_token") ?? "") ?? [];
  const current = tokens.generation ?? 1;
  const isWellFormed = form.get("grant_type") === "refresh_token" && form.get("client_id") === "client-1";
  const refused = {
    status: 400,
    body: { error: "invalid_request", error_description: "Value passed for the token was invalid." },
  };
  if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded") || !isWellFormed || kind !== "r")
    return refused;
  if (Number(generation) !== current || tokens.dead) {
    tokens.dead = true;
    return refused;
  }
  tokens.generation = current + 1;
  return {
    status: 200,
    body: {
      token_type: "bearer",
      expires_in: 7200,
      access_token: `${name}.a${current + 1}`,
      refresh_token: `${name}.r${current + 1}`,
      scope: "tweet.write users.read offline.access",
    },
  };
}
