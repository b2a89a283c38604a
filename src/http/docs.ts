import { SwaggerUI } from "@hono/swagger-ui";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import type { Config } from "../config.ts";
import { randomToken } from "../lib/crypto.ts";
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

  app.get("/docs", (c) => {
    const nonce = randomToken();
    c.header(
      "Content-Security-Policy",
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
        "font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    return c.html(page(nonce));
  });

  app.get("/docs/:file{[a-z0-9-]+\\.(?:js|css|png)}", (c) => sendAsset(c, c.req.path, "public, max-age=3600"));
}

function page(nonce: string) {
  const start = raw(`
    window.ui = SwaggerUIBundle({
      url: "/api-docs", dom_id: "#swagger-ui", deepLinking: true, tryItOutEnabled: true,
      displayRequestDuration: true, persistAuthorization: false, validatorUrl: null,
      filter: true, docExpansion: "none", defaultModelsExpandDepth: 0,
    });`);
  return SwaggerUI({
    url: "/api-docs",
    manuallySwaggerUIHtml: () =>
      String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Personal Operations Assistant Service</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script nonce="${nonce}" src="/docs/swagger-ui-bundle.js"></script>
    <script nonce="${nonce}">${start}</script>
  </body>
</html>`),
  });
}
