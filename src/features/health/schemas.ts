import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../http/schemas.ts";
import { JobState } from "../jobs/schemas.ts";

const ok = doc(z.boolean(), "Whether the check passed.", true);
const Problems = z.array(z.string());

const health = {
  status: doc(
    z.enum(["ok", "degraded"]),
    "`degraded` if a check failed, or a job has not succeeded or no job has started for a day.",
    "ok",
  ),
  version: doc(z.string(), "The version of the service.", "0.1.0"),
  time: doc(Timestamp, "The service's clock."),
};

export const Health = named("Health", {
  ...health,
  problems: doc(
    Problems.optional(),
    "Settings that are missing, weak or invalid; never their values. Only while the service has no account, and in local development.",
    [],
  ),
});
export type Health = z.infer<typeof Health>;

export const HealthDetails = named("HealthDetails", {
  ...health,
  checks: doc(
    z.object({
      database: doc(
        z.object({ ok, latencyMs: doc(z.number().nullable(), "The duration of one query; null if it failed.", 2) }),
        "The D1 database.",
      ),
      kv: doc(z.object({ ok }), "The key-value store."),
      secrets: doc(
        z.object({
          ok,
          problems: doc(Problems, "Settings that are missing, weak or invalid; never their values.", []),
        }),
        "The configuration.",
      ),
    }),
    "The result of each check.",
  ),
  jobs: doc(z.array(JobState), "The background jobs and how their last runs went. Empty before the first cron."),
});
export type HealthDetails = z.infer<typeof HealthDetails>;
