import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "./caller.ts";
import type { IsOver, Part, Stage } from "./part.ts";

const PAUSE_MS = 400;
/** A token whose answer was lost is honoured this long; a server that is down longer costs a new sign-in. */
const GRACE_MS = 9000;

/** Someone who stays signed in: a rotation whose answer was lost must be repeatable, and each new token must work. */
export function openSessions({ newCaller }: Stage): Part {
  return { load: (isOver) => staySignedIn(newCaller("guest"), isOver) };
}

async function staySignedIn(caller: Caller, isOver: IsOver): Promise<void> {
  const account = { email: "grace@example.com", password: "correct horse battery staple", name: "Grace" };
  let { body: tokens } = await caller.surely({ method: "POST", path: "/api/auth/register", body: account });
  // A registration that was done and whose answer was lost.
  if (!tokens.token) tokens = await signIn(caller, account);
  while (!isOver()) {
    const started = Date.now();
    const body = { refreshToken: tokens.refreshToken };
    const rotated = await caller.surely({ method: "POST", path: "/api/auth/refresh", body });
    if (rotated.status === 401 && Date.now() - started > GRACE_MS) tokens = await signIn(caller, account);
    else if (caller.expect(rotated, [200], "a refresh")) tokens = rotated.body;
    const headers = { authorization: `Bearer ${tokens.token}` };
    const me = await caller.surely({ path: "/api/auth/me", headers });
    caller.expect(me, [200], "the new token");
    await sleep(PAUSE_MS);
  }
}

async function signIn(caller: Caller, { email, password }: { email: string; password: string }) {
  const { body } = await caller.surely({ method: "POST", path: "/api/auth/login", body: { email, password } });
  return body;
}
