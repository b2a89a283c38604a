import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Most tests run inside workerd; those of the tools around the service run in Node. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: at("../wrangler.toml") },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations(at("../migrations")),
                JWT_SECRET: "test-only-jwt-secret-0123456789-abcdef",
                PASSWORD_PEPPER: "test-only-pepper-0123456789-abcdefghij",
                ENCRYPTION_KEY: "test-only-encryption-key-0123456789-abc",
                ALLOW_PRIVATE_HOSTS: "true",
                // Nothing leaves this machine: tests that need the provider name the fake one.
                BOOKINGSVC_BASE_URL: "http://127.0.0.1:9/v2",
              },
            },
          })),
        ],
        test: {
          name: "worker",
          root: at("."),
          include: ["**/*.test.ts"],
          exclude: ["tooling/**", "browser/**"],
          setupFiles: [at("setup.ts")],
          globalSetup: [at("fakes/global-setup.ts")],
          // One isolate for all files: loading the service anew for each would take longer than its tests.
          isolate: false,
          // Bundled once: as the hundreds of files it comes in, it would be slow to load and noisy.
          deps: { optimizer: { ssr: { enabled: true, include: ["stripe"] } } },
        },
      },
      {
        test: { name: "tooling", root: at("."), include: ["tooling/**/*.test.ts"], testTimeout: 60_000 },
      },
    ],
  },
});
