import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Apart from the main suite, because it needs Chromium: `npm run test:browser`. */
export default defineConfig({
  test: {
    name: "browser",
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["*.browser.ts"],
    testTimeout: 60_000,
    // A browser on a busy machine can miss a beat. The report names every test that needed a second try.
    retry: 1,
    hookTimeout: 300_000,
  },
});
