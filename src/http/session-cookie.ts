import type { Context as HonoContext } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { AppEnv } from "./app-env.ts";

/** The refresh token of the console's session. Scripts cannot read it, and no other site can make a browser send it. */
const SESSION_COOKIE = "__Host-Http-poa";
/** Shows that this browser has signed in before. It is kept after signing out. */
const DEVICE_COOKIE = "__Host-Http-poa-device";

/** Tells the pages of the console that there is a session, so that they need not ask for one that cannot be there. */
const HINT_COOKIE = "__Host-poa-in";

const OPTIONS = { httpOnly: true, secure: true, sameSite: "Strict", path: "/" } as const;

export function sessionCookieOf(c: HonoContext<AppEnv>): string | undefined {
  return getCookie(c, SESSION_COOKIE);
}

export function deviceCookieOf(c: HonoContext<AppEnv>): string | undefined {
  return getCookie(c, DEVICE_COOKIE);
}

export function keepSession(c: HonoContext<AppEnv>, refreshToken: string, maxAge: number): void {
  setCookie(c, SESSION_COOKIE, refreshToken, { ...OPTIONS, maxAge });
  setCookie(c, HINT_COOKIE, "1", { ...OPTIONS, httpOnly: false, maxAge });
}

export function keepDevice(c: HonoContext<AppEnv>, deviceToken: string, maxAge: number): void {
  setCookie(c, DEVICE_COOKIE, deviceToken, { ...OPTIONS, maxAge });
}

export function forgetSession(c: HonoContext<AppEnv>): void {
  deleteCookie(c, SESSION_COOKIE, OPTIONS);
  deleteCookie(c, HINT_COOKIE, { ...OPTIONS, httpOnly: false });
}
