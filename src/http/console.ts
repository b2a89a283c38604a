import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { AppEnv } from "./app-env.ts";
import { sendAsset } from "./assets.ts";

/**
 * Of every document of the console. Scripts and styles come from files of this origin only, and no text becomes markup
 * or code except through the one policy that registers the service worker.
 */
const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types poa-service-worker";

/** Names contain a hash of the content. */
const FOREVER = "public, max-age=31536000, immutable";

/** `/app`: the web console, which `scripts/console.mjs` builds into the static assets. `/` leads a browser to it. */
export function mountConsole(app: OpenAPIHono<AppEnv>): void {
  app.get("/", (c) => c.redirect(isNavigation(c) ? "/app" : "/docs"));
  app.get("/app/assets/:file{[\\w.-]+}", (c) => sendAsset(c, c.req.path, FOREVER));
  app.get("/app/icons/:file{[\\w.-]+}", (c) => sendAsset(c, c.req.path, "public, max-age=86400"));
  app.get("/app/manifest.webmanifest", (c) => sendAsset(c, c.req.path, "public, max-age=86400"));
  app.get("/app/licenses.txt", (c) => sendAsset(c, c.req.path, "public, max-age=86400"));
  app.get("/app/sw.js", (c) => {
    // Without it, the worker could not answer for `/app` itself.
    c.header("Service-Worker-Allowed", "/app");
    c.header("Content-Security-Policy", CONSOLE_POLICY);
    return sendAsset(c, c.req.path, "no-cache");
  });
  app.get("/app", sendDocument);
  app.get("/app/*", sendDocument);
}

/** The same document for every screen: the console reads the address. */
function sendDocument(c: HonoContext<AppEnv>): Promise<Response> {
  c.header("Content-Security-Policy", CONSOLE_POLICY);
  return sendAsset(c, "/app/", "no-cache");
}

/** A person who opens the address, in contrast to a program. */
function isNavigation(c: HonoContext<AppEnv>): boolean {
  const mode = c.req.header("sec-fetch-mode");
  return mode ? mode === "navigate" : (c.req.header("accept") ?? "").includes("text/html");
}
