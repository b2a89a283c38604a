import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Config } from "../config.ts";
import { toBytes, toHex } from "../lib/encoding.ts";
import { type AppEnv, contextOf } from "./app-env.ts";
import { sendAsset } from "./assets.ts";
import { isNotModified } from "./etag.ts";
import type { describe } from "./openapi.ts";
import type { Tag } from "./route.ts";

/** The document as it is sent. */
interface Document {
  bytes: Uint8Array<ArrayBuffer>;
  tag: string;
}

/** Encoded once: it has some 800 KB, and the runtime would encode a text for each response. */
async function finished(...described: Parameters<typeof describe>): Promise<Document> {
  const { describe } = await import("./openapi.ts");
  const bytes = new Uint8Array(toBytes(JSON.stringify(describe(...described))));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return { bytes, tag: toHex(new Uint8Array(digest)).slice(0, 32) };
}

/** `/api-docs` and `/docs`, with every file served by this Worker. */
export function mountDocs(app: OpenAPIHono<AppEnv>, tags: readonly Tag[], version: string): void {
  const documents = new WeakMap<Config, Promise<Document>>();

  app.get("/api-docs", async (c) => {
    const { config } = contextOf(c);
    let document = documents.get(config);
    if (!document) {
      document = finished(app, tags, config, version);
      documents.set(config, document);
    }
    const { bytes, tag } = await document;
    // Set on the context: headers of the middleware win over those given to `c.body`.
    c.header("Cache-Control", "no-cache");
    if (isNotModified(c, tag)) return c.body(null, 304);
    return c.body(bytes, 200, { "Content-Type": "application/json" });
  });

  app.get("/docs", async (c) => {
    const { docsPage } = await import("./docs-page.ts");
    const { page, policy } = docsPage();
    c.header("Content-Security-Policy", policy);
    return c.html(page);
  });

  app.get("/docs/:file{[a-z0-9-]+\\.(?:js|css|png|txt)}", (c) => sendAsset(c, c.req.path, "public, max-age=3600"));
}
