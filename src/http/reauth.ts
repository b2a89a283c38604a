import { z } from "@hono/zod-openapi";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../lib/errors.ts";
import { type AppEnv, contextOf, type Proof } from "./app-env.ts";
import { isJson } from "./media-type.ts";
import { rejectInvalidInput } from "./problem.ts";

/** What every route with `reauth` takes in its body, beside its own members. */
export const PROOF = {
  currentPassword: z.string().min(1).max(1024).optional().openapi({
    example: "correct horse battery staple",
    description: "Needed when the session has not proved its person within 15 minutes.",
  }),
  code: z
    .string()
    .regex(/^\d{6}$/, "must be 6 digits")
    .optional()
    .openapi({ example: "287082", description: "From the authenticator app; needed too with two-factor on." }),
};

export const PROOF_NAMES = Object.keys(PROOF);

const ProofSchema = z.object(PROOF);

/** Runs before the body is validated: who cannot prove themselves learns nothing of what it would be checked for. */
export const provePerson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const ctx = contextOf(c);
  const { db } = ctx;
  // A proof, right or wrong, is written down, but is not what the request is for.
  ctx.db = ctx.bookkeeping;
  await c.get("reauthenticate")(ctx, await proofOf(c));
  ctx.db = db;
  await next();
};

async function proofOf(c: HonoContext<AppEnv>): Promise<Proof> {
  if (!isJson(c) || (await c.req.text()) === "") return {};
  const body = await c.req.json<unknown>().catch(() => {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  });
  // Anything but an object has no proof in it, and is refused by the route's own schema.
  if (typeof body !== "object" || body === null || Array.isArray(body)) return {};
  const result = ProofSchema.safeParse(body);
  rejectInvalidInput(result);
  return result.data ?? {};
}
