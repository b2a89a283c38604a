import { signal } from "@preact/signals";
import { isProblem } from "./problem.ts";
import { forgetBookmark, transmit } from "./transport.ts";

/*
 * Who is signed in. The access token lives in this module only; the refresh token in a cookie that no script can read.
 * All tabs share one session: one of them refreshes at a time, and tells the others.
 */

interface User {
  id: number;
  email: string;
  name: string;
}

type SessionState =
  | { status: "unknown" }
  /** The service did not answer when the page started, so nobody knows. */
  | { status: "unreachable" }
  | { status: "out" /** Whether it ended while it was in use. */; hasEnded: boolean }
  | { status: "in"; user: User };

interface SignedIn {
  token: string;
  user: User;
}

interface Challenge {
  twoFactorRequired: true;
  challengeToken: string;
}

type Told = { kind: "in"; token: string; user: User } | { kind: "out"; hasEnded: boolean };

export const session = signal<SessionState>({ status: "unknown" });

const CONSOLE = { "X-POA-Console": "1", "Content-Type": "application/json" };
const LOCK = "poa-session";

/** How long before its end a token is replaced: a request may be on its way for a while. */
const AHEAD_MS = 60_000;

let token: string | null = null;
/** By the clock of the machine, which goes on while it sleeps. */
let renewAt = 0;
const channel = new BroadcastChannel("poa-session");
const onEnd = new Set<() => void>();

channel.onmessage = ({ data }: MessageEvent<Told>) => {
  if (data.kind === "in") enter(data);
  else leave(data.hasEnded);
};

/** Calls `forget` when the session ends, here or in another tab: for caches. */
export function whenSignedOut(forget: () => void): void {
  onEnd.add(forget);
}

/** The token for a request, replaced before its end. What an old one would be refused for, nobody has to repeat. */
export async function accessToken(): Promise<string | null> {
  if (token !== null && Date.now() >= renewAt) {
    await refresh(token).catch((error) => {
      // If the service could not be asked, the old one may still do.
      if (token === null) throw error;
    });
  }
  return token;
}

/** Two clocks may differ, so only the time between the token's beginning and its end counts. */
function lifetimeOf(given: string): number {
  const [, claims = ""] = given.split(".");
  const { iat, exp }: { iat: number; exp: number } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
  return (exp - iat) * 1000;
}

function enter(given: SignedIn): void {
  // Somebody else signed in, in another tab: nothing of the one before may stay.
  if (session.value.status === "in" && session.value.user.id !== given.user.id) for (const forget of onEnd) forget();
  token = given.token;
  renewAt = Date.now() + lifetimeOf(given.token) - AHEAD_MS;
  session.value = { status: "in", user: given.user };
}

function leave(hasEnded: boolean): void {
  token = null;
  forgetBookmark();
  for (const forget of onEnd) forget();
  session.value = { status: "out", hasEnded };
}

function tell(message: Told): void {
  channel.postMessage(message);
}

async function call<T>(path: string, body?: object): Promise<T> {
  const response = await transmit({
    method: "POST",
    path,
    headers: CONSOLE,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return response.json();
}

/** Resumes the session of the cookie, at the start of a page. Another cookie, which scripts can read, says if there is one. */
export async function resume(): Promise<void> {
  if (!/(?:^|; )__Host-poa-in=/.test(document.cookie)) {
    session.value = { status: "out", hasEnded: false };
    return;
  }
  // The page that says so stays while it is tried again.
  const isKnown = () => session.value.status === "in" || session.value.status === "out";
  try {
    await refresh(null);
  } catch (error) {
    if (!isKnown()) session.value = { status: "unreachable" };
    else if (!isProblem(error)) throw error;
  }
}

/**
 * Gets a new access token, unless another request or tab has already replaced the one that was refused. Ends the session
 * if the cookie no longer counts.
 */
export function refresh(refused: string | null): Promise<void> {
  return navigator.locks.request(LOCK, async () => {
    if (token !== null && token !== refused) return;
    const wasIn = session.value.status === "in";
    try {
      const answer = await call<SignedIn>("/api/auth/session/refresh");
      enter(answer);
      tell({ kind: "in", ...answer });
    } catch (error) {
      if (isProblem(error) && (error.status === 401 || error.status === 403)) {
        leave(wasIn);
        if (wasIn) tell({ kind: "out", hasEnded: true });
      }
      throw error;
    }
  });
}

/** Signs in, or returns the challenge for the second factor. */
export async function signIn(email: string, password: string): Promise<Challenge | null> {
  return begin(await call<SignedIn | Challenge>("/api/auth/session", { email, password }));
}

export async function completeSignIn(
  challengeToken: string,
  factor: { code: string } | { backupCode: string },
): Promise<void> {
  begin(await call<SignedIn>("/api/auth/session/2fa", { challengeToken, ...factor }));
}

function begin(answer: SignedIn | Challenge): Challenge | null {
  if ("twoFactorRequired" in answer) return answer;
  enter(answer);
  tell({ kind: "in", token: answer.token, user: answer.user });
  return null;
}

/**
 * Ends the session everywhere in this browser, and removes what the console has stored in it. If the account is gone,
 * only the cookie is left to be cleared at the service.
 */
export async function signOut({ isGone = false } = {}): Promise<void> {
  await navigator.locks
    .request(LOCK, () =>
      transmit({
        method: "DELETE",
        path: "/api/auth/session",
        headers: CONSOLE,
      }),
    )
    .catch((error) => {
      if (!isGone) throw error;
    });
  localStorage.clear();
  sessionStorage.clear();
  leave(false);
  tell({ kind: "out", hasEnded: false });
}
