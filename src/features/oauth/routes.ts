import type { RouteConfig } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { type Context, type RateLimitName, withinRate } from "../../context.ts";
import { actorBehind } from "../../http/admission/check.ts";
import { type AppEnv, contextOf } from "../../http/app-env.ts";
import { createRouter } from "../../http/router.ts";
import { sessionCookieOf } from "../../http/session-cookie.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError } from "../../lib/errors.ts";
import { resourceMetadata, serverMetadata } from "../../lib/oauth-metadata.ts";
import { cookieCredential } from "../auth/authenticate.ts";
import type { HeldSession } from "../auth/sessions/service.ts";
import { registerClient } from "./clients.ts";
import { OAuthError } from "./errors.ts";
import { arrive, proceed, type Step } from "./flow.ts";
import { errorPage } from "./page.ts";
import { DESCRIBED } from "./schemas.ts";
import { revokeToken, tokensFor } from "./token.ts";

export const routes = createRouter();
for (const described of DESCRIBED) {
  const { middleware: _, ...declared } = assertType<RouteConfig>(described);
  routes.openAPIRegistry.registerPath(declared);
}

type C = HonoContext<AppEnv>;

for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
  routes.get(path, (c) => published(c, resourceMetadata(contextOf(c).baseUrl)));
}
routes.get("/.well-known/oauth-authorization-server", (c) => published(c, serverMetadata(contextOf(c).baseUrl)));

/** For every origin: agents in browsers need it, and it says nothing about anybody. */
function published(c: C, body: object) {
  c.header("Access-Control-Allow-Origin", "*");
  return c.json(body);
}

routes.post("/oauth/register", (c) =>
  answered(c, "auth", async (ctx) => {
    const text = await c.req.text();
    return [await registerClient(ctx, parsed(text)), 201];
  }),
);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not JSON.");
  }
}

routes.post("/oauth/token", (c) => answered(c, "public", async (ctx) => [await tokensFor(ctx, await formOf(c)), 200]));

routes.post("/oauth/revoke", (c) =>
  answered(c, "public", async (ctx) => {
    await revokeToken(ctx, await formOf(c));
    return [null, 200];
  }),
);

/** Read as bytes: of `text()` the runtime warns at each call, since a form is no text for it. */
const fieldsOf = async (c: C) => new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()));

/** A form in which nothing is said twice. */
async function formOf(c: C): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header("content-type") ?? "")) {
    throw new OAuthError("invalid_request", "Send application/x-www-form-urlencoded.");
  }
  const form = await fieldsOf(c);
  const twice = [...form.keys()].find((name, at, all) => all.indexOf(name) !== at);
  if (twice !== undefined) throw new OAuthError("invalid_request", `The parameter ${twice} is there twice.`);
  return form;
}

const SLOW_DOWN = "Too many requests from this address. Try again in a minute.";

/** JSON for programs, errors as the standard has them. */
async function answered(
  c: C,
  limit: RateLimitName,
  run: (ctx: Context) => Promise<[body: object | null, status: 200 | 201]>,
) {
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Pragma", "no-cache");
  const ctx = contextOf(c);
  try {
    if (!(await withinRate(ctx, limit))) throw new OAuthError("slow_down", SLOW_DOWN);
    const [body, status] = await run(ctx);
    return body === null ? c.body(null, status) : c.json(body, status);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error.status === 429) c.header("Retry-After", "60");
    return c.json(error.body, error.status);
  }
}

routes.get("/oauth/authorize", (c) => {
  const { search, searchParams } = new URL(c.req.url);
  const arrival = {
    session: () => sessionHere(c),
    isFromElsewhere: c.req.header("sec-fetch-site") === "cross-site" && sessionCookieOf(c) === undefined,
    address: `/oauth/authorize${search}`,
  };
  return shown(c, "public", (ctx) => arrive(ctx, searchParams, arrival));
});

/** The console's session in this browser. */
async function sessionHere(c: C): Promise<HeldSession | null> {
  const cookie = sessionCookieOf(c);
  if (cookie === undefined) return null;
  const ctx = contextOf(c);
  try {
    const actor = await actorBehind(ctx, await cookieCredential(ctx, cookie));
    return actor.kind === "session" ? { sessionId: actor.session.id, userId: actor.user.id } : null;
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return null;
    throw error;
  }
}

routes.post("/oauth/authorize", (c) =>
  shown(c, "auth", async (ctx) => {
    if (!isFromOurPage(c, ctx)) return { page: await errorPage("The form was sent by another page.", 403) };
    return proceed(ctx, new URL(c.req.url).searchParams, await fieldsOf(c));
  }),
);

/** Pages send no referrer, so that their origin is `null`, and browsers say where a form comes from in another header. */
function isFromOurPage(c: C, { baseUrl }: Context): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  return origin === undefined || origin === "null" || origin === new URL(baseUrl).origin;
}

async function shown(c: C, limit: RateLimitName, run: (ctx: Context) => Promise<Step>) {
  // A window that an agent has opened must find its way back to it.
  c.set("securityHeaders", { "Cross-Origin-Opener-Policy": "unsafe-none" });
  const ctx = contextOf(c);
  const isAllowed = await withinRate(ctx, limit);
  if (!isAllowed) c.header("Retry-After", "60");
  const step = isAllowed ? await run(ctx) : { page: await errorPage(SLOW_DOWN, 429) };
  if ("location" in step) return c.redirect(step.location, 303);
  const { html, policy, status } = step.page;
  c.header("Content-Security-Policy", policy);
  return c.html(html, assertType<StatusCode & 200>(status));
}
