import { errors, jwtVerify, SignJWT } from "jose";
import type { Context } from "../../../context.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { fromBase64Url, toBase64Url, toBytes } from "../../../lib/encoding.ts";
import { AppError } from "../../../lib/errors.ts";
import { isSignature, type Secret, type Secrets, secretById, sign } from "../../../lib/secrets.ts";
import { ACCESS_TOKEN_SECONDS } from "./lifetime.ts";

const ALGORITHM = "HS256";
const TYPE = "at+jwt";
const ISSUER = "personal-operations-assistant";
const AUDIENCE = "personal-operations-assistant";

const keys = new WeakMap<Secret, Promise<CryptoKey>>();

/** Imported once, because importing a key costs more than using it. */
function hmacKey(secret: Secret): Promise<CryptoKey> {
  let key = keys.get(secret);
  if (!key) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    key = crypto.subtle.importKey("raw", toBytes(secret.value), hmac, false, ["sign", "verify"]);
    keys.set(secret, key);
  }
  return key;
}

/** The header names the secret, so that a token is checked once, against the current or the previous one. */
function namedKey(secrets: Secrets, id: string | undefined): Promise<CryptoKey> {
  const secret = secretById(secrets, id ?? "");
  if (!secret) throw new errors.JWSSignatureVerificationFailed();
  return hmacKey(secret);
}

export async function signAccessToken(ctx: Context, userId: number, sessionId: string): Promise<string> {
  const issuedAt = Math.floor(ctx.now.getTime() / 1000);
  const [current] = ctx.config.secrets("JWT_SECRET");
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: current.id })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(String(userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .setJti(randomToken())
    .sign(await hmacKey(current));
}

interface Claims {
  userId: number;
  sessionId: string;
}

/** The claims of tokens whose signature was right, until they expire. */
const verified = new WeakMap<Secrets, Map<string, Claims & { expiresAt: number }>>();
const MAX_VERIFIED = 1000;

/**
 * A signature that was right once stays right as long as the secrets are the same, so an isolate verifies each token
 * once. Whether it has expired is looked at each time, and whether its session exists, the database says.
 */
export async function verifyAccessToken(ctx: Context, token: string): Promise<Claims> {
  // A missing secret is the service's fault, whatever the token.
  const secrets = ctx.config.secrets("JWT_SECRET");
  const known = verified.get(secrets)?.get(token);
  if (known && ctx.now.getTime() < known.expiresAt) return known;
  const { expiresAt, ...claims } = await claimsOf(ctx, secrets, token);
  const all = verified.get(secrets) ?? new Map<string, Claims & { expiresAt: number }>();
  if (all.size >= MAX_VERIFIED) all.clear();
  verified.set(secrets, all.set(token, { ...claims, expiresAt }));
  return claims;
}

/** Every option is set, because jose's defaults accept other algorithms and tokens without an expiry. */
async function claimsOf(ctx: Context, secrets: Secrets, token: string): Promise<Claims & { expiresAt: number }> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => namedKey(secrets, kid), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "sid", "iat", "exp", "jti"],
      currentDate: ctx.now,
    });
    if (typeof payload.sid !== "string")
      throw new AppError("unauthenticated", "The access token has no session. Sign in again.");
    return { userId: Number(payload.sub), sessionId: payload.sid, expiresAt: Number(payload.exp) * 1000 };
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      throw new AppError(
        "token_expired",
        "The access token has expired. Get a new one from /api/auth/refresh, without an Authorization header.",
      );
    }
    if (error instanceof errors.JOSEError)
      throw new AppError("unauthenticated", "The access token is not valid. Sign in again.");
    throw error;
  }
}

/** `<session id>.<rotation>.<signature>` */
export function refreshToken(ctx: Context, sessionId: string, counter: number): string {
  const signature = sign(ctx.config.secrets("JWT_SECRET"), signedText(sessionId, counter));
  return `${sessionId}.${counter}.${toBase64Url(signature)}`;
}

export function readRefreshToken(ctx: Context, token: string): { sessionId: string; counter: number } {
  const [, sessionId = "", digits = "", signature = ""] = /^([\w-]+)\.(0|[1-9]\d{0,14})\.([\w-]+)$/.exec(token) ?? [];
  const given = fromBase64Url(signature);
  const counter = Number(digits);
  const secrets = ctx.config.secrets("JWT_SECRET");
  if (!sessionId || !given || !isSignature(secrets, signedText(sessionId, counter), given)) {
    throw new AppError("unauthenticated", "The refresh token is not valid. Sign in again.");
  }
  return { sessionId, counter };
}

function signedText(sessionId: string, counter: number): string {
  return `refresh\n${sessionId}\n${counter}`;
}
