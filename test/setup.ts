import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach } from "vitest";
import { captureLogs, expectLogsHoldNoSecret } from "./harness.ts";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
captureLogs();
afterEach(expectLogsHoldNoSecret);
// A connection left behind would make the jobs of later files call a provider that is not there; a webhook, send to one.
afterAll(() => env.DB.exec("DELETE FROM booking_connection; DELETE FROM webhook_endpoints; DELETE FROM outbox"));
