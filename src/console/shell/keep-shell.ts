/** The policy of the document allows one policy of this name (`http/console.ts` of the Worker), for this one address. */
const POLICY = "poa-service-worker";
const ADDRESS = "/app/sw.js";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypes;
  }
}

/** Registers the service worker, which keeps the shell for the time without a network. In development it would keep yesterday's. */
export function keepShell(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const policy = window.trustedTypes?.createPolicy(POLICY, {
    createScriptURL(url) {
      if (url !== ADDRESS) throw new TypeError("Only the service worker is trusted.");
      return url;
    },
  });
  addEventListener("load", () => {
    const url = policy ? policy.createScriptURL(ADDRESS) : ADDRESS;
    // Without one, as in a private window of some browsers, only the offline start is missing.
    navigator.serviceWorker.register(url, { scope: "/app" }).catch(() => {});
  });
}
