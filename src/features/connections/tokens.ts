import type { Context } from "../../context.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { isSignature, sign } from "../../lib/secrets.ts";

/*
 * Tokens are made from the grant, the number of the rotation and a secret of the service. So a client that loses a race
 * between two refreshes can be given the token of the winner, although only the hash of an access token is stored, and
 * nothing at all of a refresh token.
 */

export const ACCESS_TOKEN_PREFIX = "poat_";
const REFRESH_TOKEN_PREFIX = "poar_";

export function accessToken(ctx: Context, grantId: string, counter: number): string {
  const signature = sign(ctx.config.secrets("JWT_SECRET"), textOf("access", grantId, counter));
  return `${ACCESS_TOKEN_PREFIX}${toBase64Url(signature)}`;
}

/** `poar_<grant id>.<rotation>.<signature>` */
export function refreshToken(ctx: Context, grantId: string, counter: number): string {
  const signature = sign(ctx.config.secrets("JWT_SECRET"), textOf("refresh", grantId, counter));
  return `${REFRESH_TOKEN_PREFIX}${grantId}.${counter}.${toBase64Url(signature)}`;
}

/** Null if this service did not make the token. */
export function readRefreshToken(ctx: Context, token: string): { grantId: string; counter: number } | null {
  const [, grantId = "", digits = "", signature = ""] =
    /^poar_([\w-]+)\.(0|[1-9]\d{0,14})\.([\w-]+)$/.exec(token) ?? [];
  const given = fromBase64Url(signature);
  const counter = Number(digits);
  const isOurs =
    grantId && given && isSignature(ctx.config.secrets("JWT_SECRET"), textOf("refresh", grantId, counter), given);
  return isOurs ? { grantId, counter } : null;
}

function textOf(kind: "access" | "refresh", grantId: string, counter: number): string {
  return `agent ${kind}\n${grantId}\n${counter}`;
}
