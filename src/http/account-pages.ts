import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app-env.ts";

/*
 * The pages that emails link to: forgotten password, new password, address to confirm. They work without the console,
 * which will have them at the same paths.
 */

const PATHS = ["/app/forgot", "/app/reset", "/app/verify"] as const;

export function mountAccountPages(app: OpenAPIHono<AppEnv>): void {
  for (const path of PATHS) {
    app.get(path, async (c) => {
      const { accountPage } = await import("./account-page.ts");
      const { html, policy } = await accountPage(path);
      c.header("Content-Security-Policy", policy);
      return c.html(html);
    });
  }
}
