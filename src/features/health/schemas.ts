import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../http/schemas.ts";

const ok = doc(z.boolean(), "Whether the check passed.", true);

export const Health = named("Health", {
  status: doc(z.enum(["ok", "degraded"]), "`degraded` if a check failed.", "ok"),
  version: doc(z.string(), "The version of the service.", "0.1.0"),
  time: doc(Timestamp, "The service's clock."),
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
          problems: doc(z.array(z.string()), "Settings that are missing, weak or invalid; never their values.", []),
        }),
        "The configuration.",
      ),
    }),
    "The result of each check.",
  ),
});

export type Health = z.infer<typeof Health>;
