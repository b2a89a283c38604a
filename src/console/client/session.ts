import { signal } from "@preact/signals";
import { isProblem } from "./problem.ts";
import { forgetBookmark, transmit } from "./transport.ts";

/*
 * Who is signed in. The access token lives in this module only; the refresh token in a cookie that no script can read.
 * All tabs share one session: one of them refreshes at a time, and tells the others.
 */

export interface User {
  id: number;
  email: string;
  name: string;
}

export type SessionState =
  | { status: "unknown" }
  /** The service did not answer when the page started, so nobody knows. */
  | { status: "unreachable" }
  | { status: "out" /** Whether it ended while it was in use. */; hasEnded: boolean }
  | { status: "in"; user: User };

interface SignedIn {
  token: string;
  user: User;
}

export interface Challenge {
  twoFactorRequired: true;
  challengeToken: string;
}

type Told = { kind: "in"; token: string; user: User } | { kind: "out" };

export const session = signal<SessionState>({ status: "unknown" });

const CONSOLE = { "X-POA-Console": "1", "Content-Type": "application/json" };
const LOCK = "poa-session";

let token: string | null = null;
const channel = new BroadcastChannel("poa-session");
const onEnd = new Set<() => void>();

channel.onmessage = ({ data }: MessageEvent<Told>) => {
  if (data.kind === "in") enter(data);
  else leave(false);
};

/** Calls `forget` when the session ends, here or in another tab: for caches. */
export function whenSignedOut(forget: () => void): void {
  onEnd.add(forget);
}

export function accessToken(): string | null {
  return token;
}

function enter(given: SignedIn): void {
  // Somebody else signed in, in another tab: nothing of the one before may stay.
  if (session.value.status === "in" && session.value.user.id !== given.user.id) for (const forget of onEnd) forget();
  token = given.token;
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

/** Resumes the session of the cookie, at the start of a page. */
export async function resume(): Promise<void> {
  session.value = { status: "unknown" };
  try {
    await refresh(null);
  } catch (error) {
    if (session.value.status === "unknown") session.value = { status: "unreachable" };
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
        if (wasIn) tell({ kind: "out" });
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
        headers: { ...CONSOLE, ...(token && !isGone && { Authorization: `Bearer ${token}` }) },
      }),
    )
    .catch((error) => {
      if (!isGone) throw error;
    });
  localStorage.clear();
  sessionStorage.clear();
  leave(false);
  tell({ kind: "out" });
}
