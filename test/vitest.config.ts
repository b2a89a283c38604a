import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { watchPatterns } from "./ai/patterns/plugin.ts";
import { RuntimeLines } from "./runtime-lines.ts";
import { SlowestFiles } from "./slowest-files.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const runtime = cloudflareTest(async () => ({
  // The source, and not the build that wrangler.toml names.
  main: at("../src/index.ts"),
  wrangler: { configPath: at("../wrangler.toml") },
  miniflare: {
    bindings: {
      TEST_MIGRATIONS: await readD1Migrations(at("../migrations")),
      JWT_SECRET: "test-only-jwt-secret-0123456789-abcdef",
      PASSWORD_PEPPER: "test-only-pepper-0123456789-abcdefghij",
      VAPID_PRIVATE_KEY: "dGVzdC1vbmx5LXZhcGlkLWtleS0wMTIzNDU2Nzg5YWI",
      ENCRYPTION_KEY: "test-only-encryption-key-0123456789-abc",
      ALLOW_PRIVATE_HOSTS: "true",
      PUBLIC_URL: "http://poa.test",
      // Nothing leaves this machine: tests that need the provider name the fake one.
      BOOKINGSVC_BASE_URL: "http://127.0.0.1:9/v2",
    },
  },
}));

/** The seed of every property test, and how often the fuzz calls each operation. */
const fuzz = { seed: Number(process.env.FUZZ_SEED ?? 1), runs: Number(process.env.FUZZ_RUNS ?? 6) };

/** Whether the files that tests compare with are written anew. */
const updates = process.argv.some((option) => option === "-u" || option === "--update");

/** Bundled before the tests: loaded file by file, they would be a third of what a worker has to load. */
const PACKAGES = [
  "@ai-sdk/anthropic/internal",
  "@ai-sdk/google/internal",
  "@ai-sdk/openai-compatible",
  "@hono/zod-openapi",
  "@hono/swagger-ui",
  "@noble/hashes/hkdf.js",
  "@noble/hashes/hmac.js",
  "@noble/hashes/sha2.js",
  "@noble/hashes/utils.js",
  "ai",
  "bcryptjs",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "entities/decode",
  "fast-check",
  "hono",
  "hono/cookie",
  "hono/cors",
  "hono/http-exception",
  "ical.js",
  "jose",
  "otplib",
  "postal-mime",
  "standardwebhooks",
  "stripe",
  "uqr",
  "zod",
];
const deps = { optimizer: { ssr: { enabled: true, include: PACKAGES } } };

/** Files whose one test takes half a minute come first: at the end, only one core would be busy. */
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/ai/conversations");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Long enough for any machine: a test waits for a condition, and a busy machine must not decide whether it passes. */
const patience = { testTimeout: 900_000, hookTimeout: 900_000 };

/**
 * Each project has two tiers: `*.test.ts` is what every change must pass (`npm test`), `*.rare.test.ts` guards rare
 * properties at a higher price (`npm run test:all`), and `*.sampled.test.ts` runs in both (`sampled.ts`).
 */
const RARE = "**/*.rare.test.ts";
/** Packages have tests, too: those of the official MCP tools are installed below `tooling`. */
const OF_PACKAGES = "**/node_modules/**";
const SAMPLED = "**/*.sampled.test.ts";
/** Runs alone, with every pattern of the chat watched. */
const PATTERNS = "ai/patterns.rare.test.ts";
/** Makes the upload. */
const UPLOAD = [at("tooling/global-setup.ts")];
/** Knows the mail servers that `npm run test:mail` has started, without which this project is not there. */
const MAIL = [at("mail/global-setup.ts")];
/**
 * What the project `built` runs against the Worker as it is uploaded, in the second tier: what holds for every operation,
 * and passwords, which elsewhere are hashed with few rounds (cheap-passwords.ts).
 */
const CONTRACT = [
  "contract.test.ts",
  "http/walk.test.ts",
  "auth/{register,login,password-reset,weak-passwords}.test.ts",
];

/**
 * Source maps stay with vitest, which is where the lines of a failure are looked up. Sent along inside each module they
 * would be more than half of what a worker has to receive before its first test; this comment says they are there.
 */
const withoutInlineMaps: Plugin = {
  name: "without-inline-maps",
  enforce: "post",
  transform: (code) => ({ code: `${code}\n//# sourceMappingSource=vite-generated\n`, map: null }),
};

/** Packages and the upload without their own maps, some of which name sources that are not there. */
const withoutPackageMaps: Plugin = {
  name: "without-package-maps",
  load: async (id) =>
    /\/(?:node_modules|upload-\w+)\/.*\.m?js$/.test(id) ? { code: await readFile(id, "utf8"), map: null } : undefined,
};

interface Chosen {
  tier: "every" | "rare";
  include: string[];
  exclude?: string[];
  globalSetup?: string[];
  plugins?: Plugin[];
}

/** Most tests run inside workerd. */
const worker = (name: string, { tier, include, exclude = [], globalSetup = [], plugins = [] }: Chosen) => ({
  plugins: [runtime, withoutInlineMaps, withoutPackageMaps, ...plugins],
  test: {
    name,
    root: at("."),
    include,
    exclude: [OF_PACKAGES, "tooling/**", "browser/**", ...exclude],
    setupFiles: [at("setup.ts")],
    globalSetup: [at("fakes/global-setup.ts"), ...globalSetup],
    provide: { fuzz, tier, updates },
    // One isolate for all the files of a worker: loading the service anew for each would take longer than its tests.
    isolate: false,
    ...patience,
    deps,
  },
});

/** Those of the tools around the service run in Node; in the second tier also those of the upload. */
const tooling = (name: string, include: string, exclude: string[], globalSetup: string[] = []) => ({
  test: {
    name,
    root: at("."),
    include: [include],
    exclude: [OF_PACKAGES, ...exclude],
    globalSetup,
    // Node's SQLite is used to look into databases.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    ...patience,
  },
});

export default defineConfig({
  test: {
    // Half as many again as there are cores: a fifth of the time a worker waits, for a fake server or for vitest.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: LongOnesFirst },
    // What a test logs is worth reading when it has failed.
    silent: "passed-only",
    reporters: [new RuntimeLines(), new SlowestFiles(), "default"],
    projects: [
      worker("worker", { tier: "every", include: ["**/*.test.ts"], exclude: [RARE] }),
      tooling("tooling", "tooling/**/*.test.ts", [RARE]),
      worker("worker-rare", { tier: "rare", include: [RARE, SAMPLED], exclude: [PATTERNS] }),
      worker("patterns", { tier: "rare", include: [PATTERNS], plugins: [watchPatterns] }),
      worker("built", { tier: "every", include: CONTRACT, globalSetup: UPLOAD }),
      ...(process.env.MAIL_SERVERS
        ? [worker("mail", { tier: "every", include: ["**/*.mail.ts"], globalSetup: MAIL })]
        : []),
      tooling("tooling-rare", `tooling/${RARE}`, [], UPLOAD),
    ],
  },
});
