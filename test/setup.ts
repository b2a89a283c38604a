import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, inject } from "vitest";
import { noteQuiet, quietMark } from "../src/features/webhooks/quiet.ts";
import { captureLogs, expectLogsHoldNoSecret } from "./harness.ts";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
captureLogs();
// A run that fails can be run again; `npm run fuzz` looks further with another seed each time.
fc.configureGlobal({ seed: inject("fuzz").seed });
// Whether a write of a test looks for webhooks must not depend on how long ago another's did.
beforeEach(() => noteQuiet(quietMark()));
afterEach(expectLogsHoldNoSecret);
// A connection left behind would make the jobs of later files call a provider that is not there; a webhook, send to one.
afterAll(() => env.DB.exec("DELETE FROM booking_connection; DELETE FROM webhook_endpoints; DELETE FROM outbox"));
