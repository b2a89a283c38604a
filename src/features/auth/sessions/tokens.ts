import { errors, jwtVerify, SignJWT } from "jose";
import type { Config } from "../../../config.ts";
import type { Context } from "../../../context.ts";
import { equalBytes, hmacSha256, randomToken } from "../../../lib/crypto.ts";
import { fromBase64Url, toBase64Url, toBytes } from "../../../lib/encoding.ts";
import { AppError } from "../../../lib/errors.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetime.ts";

const ALGORITHM = "HS256";
const TYPE = "at+jwt";
const ISSUER = "personal-operations-assistant";
const AUDIENCE = "personal-operations-assistant";

const keys = new WeakMap<Config, Promise<CryptoKey>>();

/** Imported once, because importing a key costs more than using it. */
function signingKey({ config }: Context): Promise<CryptoKey> {
  let key = keys.get(config);
  if (!key) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    key = crypto.subtle.importKey("raw", toBytes(config.secret("JWT_SECRET")), hmac, false, ["sign", "verify"]);
    keys.set(config, key);
  }
  return key;
}

export async function signAccessToken(ctx: Context, userId: number, sessionId: string): Promise<string> {
  const issuedAt = Math.floor(ctx.now.getTime() / 1000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(String(userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .setJti(randomToken())
    .sign(await signingKey(ctx));
}

/** Every option is set, because jose's defaults accept other algorithms and tokens without an expiry. */
export async function verifyAccessToken(ctx: Context, token: string): Promise<{ userId: number; sessionId: string }> {
  try {
    const { payload } = await jwtVerify(token, await signingKey(ctx), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "sid", "iat", "exp", "jti"],
      currentDate: ctx.now,
    });
    if (typeof payload.sid !== "string")
      throw new AppError("unauthenticated", "The access token names no session. Sign in again.");
    return { userId: Number(payload.sub), sessionId: payload.sid };
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new AppError("token_expired", "The access token has expired. Get a new one from /api/auth/refresh.");
    }
    if (error instanceof errors.JOSEError)
      throw new AppError("unauthenticated", "The access token is not valid. Sign in again.");
    throw error;
  }
}

/** `<session id>.<rotation>.<signature>` */
export function refreshToken(ctx: Context, sessionId: string, counter: number): string {
  return `${sessionId}.${counter}.${toBase64Url(refreshSignature(ctx, sessionId, counter))}`;
}

export function readRefreshToken(ctx: Context, token: string): { sessionId: string; counter: number } {
  const [, sessionId = "", digits = "", signature = ""] = /^([\w-]+)\.(0|[1-9]\d{0,14})\.([\w-]+)$/.exec(token) ?? [];
  const given = fromBase64Url(signature);
  const counter = Number(digits);
  if (!sessionId || !given || !equalBytes(given, refreshSignature(ctx, sessionId, counter))) {
    throw new AppError("unauthenticated", "The refresh token is not valid. Sign in again.");
  }
  return { sessionId, counter };
}

function refreshSignature(ctx: Context, sessionId: string, counter: number): Uint8Array {
  return hmacSha256(ctx.config.secret("JWT_SECRET"), `refresh\n${sessionId}\n${counter}`);
}
