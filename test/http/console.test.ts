import { describe, expect, it } from "vitest";
import { send } from "./client.ts";

/* How the files of the console are served. test/browser opens the console itself. */

const FILES: Record<string, [type: string, text: string]> = {
  "/app/": ["text/html; charset=utf-8", "<!doctype html><title>Console</title>"],
  "/app/assets/main-1A2B.js": ["text/javascript; charset=utf-8", "export {};"],
  "/app/sw.js": ["text/javascript; charset=utf-8", "self;"],
  "/app/manifest.webmanifest": ["application/manifest+json", "{}"],
  "/app/icons/icon-192.png": ["image/png", "png"],
  "/app/licenses.txt": ["text/plain; charset=utf-8", "# Licenses"],
};

const ASSETS = {
  fetch: async (input: URL | RequestInfo) => {
    const [type, text] = FILES[new URL(String(input)).pathname] ?? [];
    return new Response(text ?? "", { status: text ? 200 : 404, headers: { "Content-Type": type ?? "text/plain" } });
  },
} as unknown as Fetcher;

const open = (path: string, headers: Record<string, string> = {}) => send(path, { headers }, { ASSETS });

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'";

describe("/app", () => {
  it.each(["/app", "/app/", "/app/mail/inbox", "/app/mail/inbox/12", "/app/calendar/week/2026-11-16", "/app/nothing"])(
    "%s is the one document, with the strict policy",
    async (path) => {
      const response = await open(path);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("<title>Console</title>");
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("content-security-policy")).toContain(POLICY);
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(response.headers.get("x-frame-options")).toBe("DENY");
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  it("keeps files with a hash in their name forever, and asks for the service worker each time", async () => {
    const script = await open("/app/assets/main-1A2B.js");
    expect(script.status).toBe(200);
    expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const worker = await open("/app/sw.js");
    expect(worker.headers.get("cache-control")).toBe("no-cache");
    expect(worker.headers.get("service-worker-allowed")).toBe("/app");
    expect((await open("/app/manifest.webmanifest")).headers.get("content-type")).toBe("application/manifest+json");
    expect((await open("/app/icons/icon-192.png")).status).toBe(200);
    expect(await (await open("/app/licenses.txt")).text()).toBe("# Licenses");
  });

  it("answers 404 for a file that is not there, instead of the document", async () => {
    for (const path of ["/app/assets/old-9Z.js", "/app/icons/none.png"]) {
      const response = await open(path);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("/", () => {
  it.each([
    [{ "sec-fetch-mode": "navigate", accept: "text/html" }, "/app"],
    [{ accept: "text/html,application/xhtml+xml,*/*;q=0.8" }, "/app"],
    [{ "sec-fetch-mode": "cors", accept: "*/*" }, "/docs"],
    [{ accept: "application/json" }, "/docs"],
    [{}, "/docs"],
  ])("leads %j to %s", async (headers, target) => {
    const response = await open("/", headers as unknown as Record<string, string>);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(target);
  });
});
