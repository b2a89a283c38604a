import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeLogs } from "../harness.ts";
import { captureQueues, releaseQueues } from "../queued.ts";
import { until } from "../until.ts";

/* The runtime's own queue, which all other tests replace: configuration, binding and handler fit together. */

beforeEach(() => {
  // Batches of earlier tests.
  takeLogs();
  releaseQueues();
});
afterEach(captureQueues);

const batchesOf = (lane: string, lines: readonly string[]) =>
  lines.filter((line) => line.includes('"queue_batch"') && line.includes(`"lane":"${lane}"`));

describe("the runtime's queue", () => {
  it.each([
    ["jobs", "JOBS"],
    ["retries", "RETRIES"],
  ] as const)("brings what is sent to %s to the handler of its lane", async (lane, binding) => {
    const lines: string[] = [];
    await env[binding]?.sendBatch([{ body: { kind: "webhook.outbox" }, contentType: "json" }], { delaySeconds: 0 });
    await until(() => {
      lines.push(...takeLogs());
      expect(batchesOf(lane, lines)).not.toEqual([]);
    });
    expect(batchesOf(lane, lines)[0]).toContain('"count":1,"done":1,"failed":0,"invalid":0,"postponed":0');
  });
});
