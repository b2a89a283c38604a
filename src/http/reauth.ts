import { z } from "@hono/zod-openapi";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { AppError } from "../lib/errors.ts";
import { type AppEnv, contextOf, type Reauthentication } from "./app-env.ts";
import { isJson } from "./media-type.ts";
import { rejectInvalidInput } from "./problem.ts";
import { doc, TotpCode } from "./schemas.ts";

/** When a route asks for the password: always, or unless the session has proved it recently. */
export type ReauthRule = "always" | "recent";

const SEED_PASSWORD = "correct horse battery staple";
const password = z.string().min(1).max(1024);
const CODE = "Current code of the authenticator app.";

/** The members that a route with this rule accepts in its body, besides its own. */
export const REAUTHENTICATION = {
  always: {
    currentPassword: doc(password, "Your current password. Always required here.", SEED_PASSWORD),
    code: doc(TotpCode.optional(), `${CODE} Always required here if two-factor authentication is on.`, "287082"),
  },
  recent: {
    currentPassword: doc(
      password.optional(),
      "Your current password. Required unless you signed in or sent it in this session within the last 15 minutes. If " +
        "you send it, it must be right in any case.",
      SEED_PASSWORD,
    ),
    code: doc(
      TotpCode.optional(),
      `${CODE} Required with \`currentPassword\` if two-factor authentication is on. If you send it, it must be right ` +
        "in any case.",
      "287082",
    ),
  },
};

export const REAUTHENTICATION_NAMES = Object.keys(REAUTHENTICATION.recent);

const ReauthenticationBody = z.object(REAUTHENTICATION.recent);

/**
 * Runs before the body is validated, so that validation errors reveal nothing without the password, and before the
 * `Idempotency-Key` is looked up, so that a repeated request needs the proof, too.
 */
export function requireReauthentication(rule: ReauthRule): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const credentials = await credentialsOf(c);
    await c.get("reauthenticate")(contextOf(c), credentials, { always: rule === "always" });
    await next();
  };
}

async function credentialsOf(c: HonoContext<AppEnv>): Promise<Reauthentication> {
  if ((await c.req.text()) === "") return {};
  // A password in a body that is not read must not look like a missing one.
  if (!isJson(c)) throw new AppError("unsupported_media_type", "Send JSON with Content-Type: application/json.");
  const body = await c.req.json<unknown>().catch(() => {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  });
  // The schema of the route refuses anything but an object.
  if (typeof body !== "object" || body === null || Array.isArray(body)) return {};
  const result = ReauthenticationBody.safeParse(body);
  rejectInvalidInput(result);
  return result.data ?? {};
}
