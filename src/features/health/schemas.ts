import { z } from "@hono/zod-openapi";
import { Timestamp } from "../../http/schemas.ts";

export const Health = z
  .object({
    status: z.enum(["ok", "degraded"]).openapi({ example: "ok" }),
    version: z.string().openapi({ example: "0.1.0" }),
    time: Timestamp,
    checks: z.object({
      database: z.object({
        ok: z.boolean().openapi({ example: true }),
        latencyMs: z.number().nullable().openapi({ example: 2, description: "One query there and back." }),
      }),
      kv: z.object({ ok: z.boolean().openapi({ example: true }) }),
      secrets: z.object({
        ok: z.boolean().openapi({ example: true }),
        problems: z
          .array(z.string())
          .openapi({ example: [], description: "Which settings are missing, weak or invalid; never their values." }),
      }),
    }),
  })
  .openapi("Health");

export type Health = z.infer<typeof Health>;
