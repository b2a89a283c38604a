import fc from "fast-check";
import { afterEach, beforeEach, expect, inject, vi } from "vitest";
import { noneEnabled } from "../src/features/webhooks/enabled-endpoints.ts";
import { PACE } from "../src/providers/llm/transport.ts";
import { hashCheaply } from "./cheap-passwords.ts";
import { checkStatements } from "./checked-statements.ts";
import { beginClean } from "./clean-slate.ts";
import { captureLogs, expectLogsHoldNoSecret, expectNoOtherErrorLogs, forgetSecrets } from "./harness.ts";
import { captureQueues } from "./queued.ts";

await beginClean();
checkStatements();
// Number by number, as `expect` compares them, the bytes of a large file would take a second.
expect.addEqualityTesters([
  (one, other) =>
    one instanceof Uint8Array && other instanceof Uint8Array
      ? one.length === other.length && one.every((byte, index) => byte === other[index])
      : undefined,
]);
// The files of a worker share an isolate: one may have left its own clock running.
vi.useRealTimers();
captureLogs();
// Those of earlier files cannot be in the logs of this one, and thousands would be looked for after each test.
forgetSecrets();
// The upload has its own copy of the library.
if (!inject("upload")) hashCheaply();
// Otherwise the tests of failing models would sleep for most of their time.
PACE.waitMs = 20;
// A run that fails can be run again; `npm run fuzz` looks further with another seed each time.
fc.configureGlobal({ seed: inject("fuzz").seed });
// Whether a write of a test looks for webhooks must not depend on how long ago another's did.
beforeEach(() => noneEnabled.remember(noneEnabled.changes));
beforeEach(captureQueues);
afterEach(expectLogsHoldNoSecret);
afterEach(expectNoOtherErrorLogs);
