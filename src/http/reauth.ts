import { z } from "@hono/zod-openapi";
import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { Condition, Context } from "../context.ts";
import { failedAssertion } from "../db/assert.ts";
import type { Rider } from "../db/riders.ts";
import { assertType } from "../lib/cast.ts";
import { AppError, validationFailed } from "../lib/errors.ts";
import { type AppEnv, contextOf, type Reauthentication } from "./app-env.ts";
import { isJson } from "./media-type.ts";
import { rejectInvalidInput } from "./problem.ts";
import { doc, TotpCode } from "./schemas.ts";

/** When a route asks for the password: always, or unless the session has confirmed it recently. */
type Rule = "always" | "recent";

type Body = Readonly<Record<string, unknown>>;

interface PartialRule {
  rule: Rule;
  /**
   * For some requests not at all: those that this holds for, which sees the body before it is validated. What it found
   * stored has to be so when the request writes: it returns that as a condition.
   */
  unless?(ctx: Context, body: Body, id: string | undefined): Promise<boolean | Condition>;
  /** Throws for a valid body that the endpoint would refuse whatever is stored. */
  check?(ctx: Context, body: Body): void;
}

export type ReauthRule = Rule | PartialRule;

export const ruleOf = (rule: ReauthRule): Rule => (typeof rule === "string" ? rule : rule.rule);

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
      "Your current password. Required unless you sent it in this session within the last 15 minutes; signing in does " +
        "not count. If you send it, it must be right in any case.",
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

interface Confirmed {
  /** What the person confirms, in the words of the API reference. */
  summary: string;
  body?: z.ZodType;
}

/**
 * Runs before the `Idempotency-Key` is looked up, so that a repeated request needs the proof, too. A request that would be
 * refused anyway never asks for a password: its body is checked first, unknown members included.
 */
export function requireReauthentication(
  rule: ReauthRule,
  { summary, body: schema }: Confirmed,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const body = await bodyOf(c);
    const credentials = credentialsIn(body);
    const isGiven = REAUTHENTICATION_NAMES.some((name) => body[name] !== undefined);
    const ctx = contextOf(c);
    if (ctx.actor.kind !== "session") {
      refuseProof(credentials);
      return next();
    }
    const { unless, check }: Partial<PartialRule> = typeof rule === "string" ? {} : rule;
    const always = ruleOf(rule) === "always";
    const riders = await c
      .get("reauthenticate")(ctx, credentials, { always, action: summary })
      .then((rider) => [rider])
      .catch(async (error) => {
        const exempt = !isGiven && (await unless?.(ctx, body, c.req.param("id")));
        if (exempt) return exempt === true ? [] : [whileSo(exempt, error)];
        if (isGiven) throw error;
        const valid = schema?.safeParse(body);
        const unknown = c.get("unknownIn")?.(c.req.queries(), body) ?? [];
        const issues = [...(valid?.error?.issues ?? []), ...unknown];
        rejectInvalidInput({ success: issues.length === 0, error: { issues } });
        check?.(ctx, assertType<Body>(valid?.data));
        throw error;
      });
    // Where the password is sent each time, the request may end the session that it was confirmed in.
    c.set("riders", always ? [] : [...riders, ...(c.get("riders") ?? [])]);
    return next();
  };
}

const IS_SO = "exempt_from_proof";

/** On every write of a request that needs no proof because of what is stored: once that has changed, it does. */
function whileSo(condition: Condition, needsProof: Error): Rider {
  return {
    assertion: () => ({ name: IS_SO, ...condition }),
    refusal: (error) => (failedAssertion(error)?.assertion === IS_SO ? needsProof : null),
  };
}

/**
 * An API key was made with the password, for what its scopes say, and has no session to confirm it in; in open mode
 * there may be no account. A proof that is sent is never left unchecked, so these may send none.
 */
function refuseProof(credentials: Reauthentication): void {
  const [name] = Object.entries(credentials).find(([, value]) => value !== undefined) ?? [];
  if (name) throw validationFailed({ path: name, message: "is for sessions only; leave it out" });
}

/** The body of a route without the proof that came with it. */
export function withoutProof<Body extends object | undefined>(body: Body): Body {
  const own = Object.entries(body ?? {}).filter(([name]) => !REAUTHENTICATION_NAMES.includes(name));
  return assertType<Body>(Object.fromEntries(own));
}

async function bodyOf(c: HonoContext<AppEnv>): Promise<Record<string, unknown>> {
  if ((await c.req.text()) === "") return {};
  // A password in a body that is not read must not look like a missing one.
  if (!isJson(c)) throw new AppError("unsupported_media_type", "Send JSON with Content-Type: application/json.");
  const body = await c.req.json<unknown>().catch(() => {
    throw new AppError("invalid_json", "The body could not be read as JSON.");
  });
  // The schema of the route refuses anything but an object.
  return typeof body !== "object" || body === null || Array.isArray(body) ? {} : assertType(body);
}

function credentialsIn(body: Record<string, unknown>): Reauthentication {
  const result = ReauthenticationBody.safeParse(body);
  rejectInvalidInput(result);
  return result.data ?? {};
}
