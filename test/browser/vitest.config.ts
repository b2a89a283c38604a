import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Apart from the main suite, because it needs Chromium: `npm run test:browser`. */
export default defineConfig({
  test: {
    name: "browser",
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["*.browser.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
