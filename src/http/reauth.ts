import { z } from "@hono/zod-openapi";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../lib/errors.ts";
import { type AppEnv, contextOf, type Reauthentication } from "./app-env.ts";
import { isJson } from "./media-type.ts";
import { rejectInvalidInput } from "./problem.ts";

/** The members that every route with `reauth` accepts in its body, besides its own. */
export const REAUTHENTICATION = {
  currentPassword: z.string().min(1).max(1024).optional().openapi({
    example: "correct horse battery staple",
    description:
      "Your current password. Required unless you signed in or sent it in this session within the last 15 minutes.",
  }),
  code: z
    .string()
    .regex(/^\d{6}$/, "must be 6 digits")
    .optional()
    .openapi({
      example: "287082",
      description:
        "Current code of the authenticator app. Required with `currentPassword` if two-factor authentication is on.",
    }),
};

export const REAUTHENTICATION_NAMES = Object.keys(REAUTHENTICATION);

const ReauthenticationBody = z.object(REAUTHENTICATION);

/** Runs before the body is validated, so that validation errors reveal nothing without the password. */
export const requireReauthentication: MiddlewareHandler<AppEnv> = async (c, next) => {
  const ctx = contextOf(c);
  const { db } = ctx;
  // The result is recorded, but is not the change that the request asks for.
  ctx.db = ctx.bookkeeping;
  await c.get("reauthenticate")(ctx, await credentialsOf(c));
  ctx.db = db;
  await next();
};

async function credentialsOf(c: HonoContext<AppEnv>): Promise<Reauthentication> {
  if (!isJson(c) || (await c.req.text()) === "") return {};
  const body = await c.req.json<unknown>().catch(() => {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  });
  // The schema of the route refuses anything but an object.
  if (typeof body !== "object" || body === null || Array.isArray(body)) return {};
  const result = ReauthenticationBody.safeParse(body);
  rejectInvalidInput(result);
  return result.data ?? {};
}
