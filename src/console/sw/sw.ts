/*
 * The service worker: keeps the shell of the console, so that it opens without a network, and shows reminders (push.ts).
 * Data is never kept here: requests to the API pass it by. The build fills in the files and their version (scripts/vite.config.mjs).
 */

import { listenForPush } from "./push.ts";

declare const SHELL: readonly string[];
declare const VERSION: string;
declare const self: ServiceWorkerGlobalScope;

const CACHE = `poa-shell-${VERSION}`;
/** How long a navigation waits for the network before the kept document is shown. */
const PATIENCE_MS = 4000;

/** Not in the types of the web worker library, nor in every browser. */
interface StaticRoutes {
  addRoutes?(rule: { condition: { urlPattern: string }; source: "network" }): Promise<void>;
}

self.addEventListener("install", (event: ExtendableEvent & StaticRoutes) => {
  // Requests to the API need not wait until this worker runs: not at the start, and not when a page is being closed.
  event.waitUntil(event.addRoutes?.({ condition: { urlPattern: "/api/*" }, source: "network" }) ?? Promise.resolve());
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("poa-shell-") && name !== CACHE))
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !/^\/app(?:\/|$)/.test(pathname)) return;
  if (request.destination === "document") event.respondWith(documentFor(request));
  else if (pathname.startsWith("/app/assets/")) event.respondWith(kept(request));
});

/** The newest document, or the kept one if the network does not answer in time. */
async function documentFor(request: Request): Promise<Response> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.status < 500) return response;
    return (await caches.match("/app")) ?? response;
  } catch (error) {
    const document = await caches.match("/app");
    if (document) return document;
    throw error;
  }
}

/** Names of assets have their hash in them, so a kept one is always right. */
async function kept(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

listenForPush();
