import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach } from "vitest";
import { noteQuiet, quietMark } from "../src/features/webhooks/quiet.ts";
import { captureLogs, expectLogsHoldNoSecret } from "./harness.ts";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
captureLogs();
// Whether a write of a test looks for webhooks must not depend on how long ago another's did.
beforeEach(() => noteQuiet(quietMark()));
afterEach(expectLogsHoldNoSecret);
// A connection left behind would make the jobs of later files call a provider that is not there; a webhook, send to one.
afterAll(() => env.DB.exec("DELETE FROM booking_connection; DELETE FROM webhook_endpoints; DELETE FROM outbox"));
