import { SwaggerUI } from "@hono/swagger-ui";
import { randomToken } from "../lib/crypto.ts";

/** The page of the API reference, and the content security policy it needs. */
export function docsPage() {
  const nonce = randomToken();
  const policy =
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
  return { page: pageWith(nonce), policy };
}

function pageWith(nonce: string) {
  const start = `
    window.ui = SwaggerUIBundle({
      url: "/api-docs", dom_id: "#swagger-ui", deepLinking: true, tryItOutEnabled: true,
      displayRequestDuration: true, persistAuthorization: false, validatorUrl: null,
      filter: true, docExpansion: "none", defaultModelsExpandDepth: 0,
    });`;
  return SwaggerUI({
    url: "/api-docs",
    // A nonce is made of letters, digits, - and _: nothing here needs escaping.
    manuallySwaggerUIHtml: () => `<!doctype html>
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
    <a href="/docs/licenses.txt">Third-party licenses</a>
  </body>
</html>`,
  });
}
