import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, Timestamp } from "../../../http/schemas.ts";
import { ClientIp, UserAgent } from "../../audit/schemas.ts";

export const AccessToken = doc(
  z.string(),
  "Access token, sent as `Authorization: Bearer <token>`. Expires after 15 minutes, or when its session ends.",
  "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…",
);
const REFRESH_TOKEN = "Yk3v…cQ.0.wX9…zA";
const RefreshToken = doc(
  z.string(),
  "Refresh token for `/api/auth/refresh`. Every refresh replaces it.",
  REFRESH_TOKEN,
);
const SESSION_ID = "Yk3vJ0m7T1uVq2hN5b8xcQ";
const SessionId = doc(z.string(), "Id of the session.", SESSION_ID);
const sessionTimes = {
  createdAt: doc(Timestamp, "Time of sign-in."),
  expiresAt: doc(Timestamp, "When the session ends. Every refresh extends it, up to 90 days after sign-in."),
};

export const User = named("User", () => ({
  id: doc(Id, "Id of the account."),
  email: doc(z.string(), "Email address of the account, used to sign in.", "ada@example.com"),
  name: doc(z.string(), "Full name.", "Ada Lovelace"),
}));

const tokens = { token: AccessToken, refreshToken: RefreshToken };
export const SignedIn = named("SignedIn", () => ({
  ...tokens,
  deviceToken: doc(
    z.string(),
    "Identifies this device at the next sign-in, so that other people's failed attempts do not delay " +
      "it. It grants no access by itself. Keep the latest one, also after signing out.",
    "pT8kV2mXq1uYc7hN4b9xsw.1.1794821400000.hQ3…dE",
  ),
  user: doc(User, "The signed-in account."),
}));

export const Refresh = z
  .object({ refreshToken: doc(z.string().min(1).max(2000), "The latest refresh token.") })
  .openapi("Refresh", { example: { refreshToken: REFRESH_TOKEN } });
export const RefreshedTokens = named("RefreshedTokens", () => tokens);

export const Me = named("Me", () => ({
  user: z
    .object({
      ...User.shape,
      role: doc(z.enum(["owner", "member"]), "Role of the account. The owner manages the service.", "owner"),
      emailVerified: doc(z.boolean(), "Whether the email address is verified.", false),
      twoFactorEnabled: doc(z.boolean(), "Whether signing in needs a second factor.", false),
      createdAt: doc(Timestamp, "When the account was created."),
    })
    .openapi({ description: "The signed-in account." }),
  session: z.object({ id: SessionId, ...sessionTimes }).openapi({ description: "The session of the access token." }),
}));

const Session = named("SessionRecord", () => ({
  id: SessionId,
  current: doc(z.boolean(), "Whether this is the session of the request.", true),
  ip: ClientIp,
  userAgent: UserAgent,
  ...sessionTimes,
  lastSeenAt: doc(Timestamp, "Time of the latest request, accurate to 5 minutes."),
}));
export const SessionList = listOf(Session, "SessionList");
export const SessionParams = z.object({ id: doc(z.string().min(1).max(100), "Id of the session.", SESSION_ID) });
export const SessionsEnded = named("SessionsEnded", () => ({
  sessionsEnded: doc(z.int(), "Number of other sessions that were ended.", 2),
}));
