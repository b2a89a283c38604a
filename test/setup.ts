import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach } from "vitest";
import { captureLogs, expectLogsHoldNoSecret } from "./harness.ts";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
captureLogs();
afterEach(expectLogsHoldNoSecret);
