import * as z from "zod";
import { version } from "../package.json";
import { PROVIDERS } from "./lib/ai-kinds.ts";
import { assertType } from "./lib/cast.ts";
import { AppError } from "./lib/errors.ts";
import { type Secrets, secretOf } from "./lib/secrets.ts";

/** The version of the service, as in /api/health and /api-docs. */
export const VERSION = version;

/** Bindings, variables and secrets of the Worker. Read by this file only. */
export interface Env {
  DB: D1Database;
  KV: KVNamespace;
  FILES: R2Bucket;
  ASSETS?: Fetcher;
  EMAIL?: SendEmail;
  AI?: Ai;
  JOBS?: Queue;
  RETRIES?: Queue;
  HUB?: DurableObjectNamespace;
  RATE_LIMITER_AUTH?: RateLimit;
  RATE_LIMITER_EXPENSIVE?: RateLimit;
  RATE_LIMITER_PUBLIC?: RateLimit;
  JWT_SECRET?: string;
  JWT_SECRET_PREVIOUS?: string;
  PASSWORD_PEPPER?: string;
  PASSWORD_PEPPER_PREVIOUS?: string;
  ENCRYPTION_KEY?: string;
  ENCRYPTION_KEY_PREVIOUS?: string;
  SETUP_TOKEN?: string;
  ACCESS_MODE?: string;
  REGISTRATION?: string;
  OWNER_EMAIL?: string;
  CORS_ORIGINS?: string;
  PUBLIC_URL?: string;
  BOOKINGSVC_BASE_URL?: string;
  OPENAI_API_KEY?: string;
  ANTHROPIC_API_KEY?: string;
  GOOGLE_API_KEY?: string;
  MODEL_A?: string;
  MODEL_B?: string;
  MODEL_C?: string;
  MODEL_D?: string;
  MAIL_FROM?: string;
  INBOUND_TASKS?: string;
  TRUSTED_AUTHSERV?: string;
  VAPID_PRIVATE_KEY?: string;
  VAPID_SUBJECT?: string;
  YOUTUBE_API_URL?: string;
  X_API_URL?: string;
  GRAPH_API_URL?: string;
  STRIPE_SECRET_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  STRIPE_API_URL?: string;
  ALLOW_PRIVATE_HOSTS?: string;
  LOG_SQL?: string;
}

// Functions: only the schema of a variable that is set is made, since all of them take 15 ms in a new isolate.
const url = () => z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/(?<!\/)\/+$/, ""));
const flag = () => z.enum(["true", "false"]).transform((value) => value === "true");
const origins = () =>
  z
    .string()
    .transform((value) => value.split(",").map((origin) => origin.trim()))
    .pipe(z.array(z.union([z.literal("*"), z.url({ protocol: /^https?$/ })])).min(1))
    .transform((list) => list.map((origin) => (origin === "*" ? origin : new URL(origin).origin)));
const hostNames = () =>
  z
    .string()
    .toLowerCase()
    .transform((value) => value.split(",").map((name) => name.trim()))
    .pipe(z.array(z.string().regex(/^[a-z0-9._-]+$/, "is not a list of host names")));
const model = () => z.string().regex(new RegExp(`^(?:${PROVIDERS.join("|")})/\\S+$`), "is not provider/model");
const text = () => z.string();
const vapidKey = () => z.string().regex(/^[A-Za-z0-9_-]{43}$/, "it must be 32 bytes in base64url");
const vapidSubject = () =>
  z.string().regex(/^(?:mailto:[^\s@]+@\S+|https:\/\/\S+)$/, "it must begin with mailto: or https://");
const setupToken = () =>
  z
    .string()
    .trim()
    .refine((value) => value.length >= 16 && new Set(value).size >= 8, "it must have at least 16 random characters");

/** `unset`: the value without the variable. An invalid one falls back to the safest value, which may be another. */
const VARIABLES = {
  ACCESS_MODE: { schema: () => z.enum(["open", "private"]), unset: "open", safe: "private" },
  REGISTRATION: { schema: () => z.enum(["open", "closed"]), unset: "open", safe: "closed" },
  OWNER_EMAIL: { schema: () => z.email().toLowerCase(), unset: undefined, safe: "nobody@invalid" },
  // Null: nobody can register as the owner.
  SETUP_TOKEN: { schema: setupToken, unset: undefined, safe: null },
  CORS_ORIGINS: { schema: origins, unset: ["*"], safe: [] },
  PUBLIC_URL: { schema: url, unset: undefined, safe: undefined },
  BOOKINGSVC_BASE_URL: { schema: url, unset: "https://api.cal.com/v2", safe: "https://api.cal.com/v2" },
  MODEL_A: { schema: model, unset: undefined, safe: undefined },
  MODEL_B: { schema: model, unset: undefined, safe: undefined },
  MODEL_C: { schema: model, unset: undefined, safe: undefined },
  MODEL_D: { schema: model, unset: undefined, safe: undefined },
  MAIL_FROM: { schema: () => z.email(), unset: undefined, safe: undefined },
  INBOUND_TASKS: { schema: () => z.enum(["none", "action_items", "every"]), unset: "action_items", safe: "none" },
  TRUSTED_AUTHSERV: { schema: hostNames, unset: ["mx.cloudflare.net"], safe: [] },
  // Null: no Web Push.
  VAPID_PRIVATE_KEY: { schema: vapidKey, unset: undefined, safe: null },
  VAPID_SUBJECT: { schema: vapidSubject, unset: undefined, safe: undefined },
  YOUTUBE_API_URL: {
    schema: url,
    unset: "https://www.googleapis.com/youtube/v3",
    safe: "https://www.googleapis.com/youtube/v3",
  },
  X_API_URL: { schema: url, unset: "https://api.x.com", safe: "https://api.x.com" },
  GRAPH_API_URL: { schema: url, unset: "https://graph.facebook.com", safe: "https://graph.facebook.com" },
  STRIPE_API_URL: { schema: url, unset: "https://api.stripe.com", safe: "https://api.stripe.com" },
  ALLOW_PRIVATE_HOSTS: { schema: flag, unset: false, safe: false },
  LOG_SQL: { schema: flag, unset: false, safe: false },
  OPENAI_API_KEY: { schema: text, unset: undefined, safe: undefined },
  ANTHROPIC_API_KEY: { schema: text, unset: undefined, safe: undefined },
  GOOGLE_API_KEY: { schema: text, unset: undefined, safe: undefined },
  STRIPE_SECRET_KEY: { schema: text, unset: undefined, safe: undefined },
  STRIPE_WEBHOOK_SECRET: { schema: text, unset: undefined, safe: undefined },
} as const satisfies { [Name in keyof Env]?: { schema: () => z.ZodType; unset: unknown; safe: unknown } };

/** Addresses that our credentials are sent to: https only, except on a developer's machine. */
const OUTSIDE_ADDRESSES = [
  "BOOKINGSVC_BASE_URL",
  "YOUTUBE_API_URL",
  "X_API_URL",
  "GRAPH_API_URL",
  "STRIPE_API_URL",
] as const;

const SECRETS = ["JWT_SECRET", "PASSWORD_PEPPER", "ENCRYPTION_KEY"] as const;
export type SecretName = (typeof SECRETS)[number];

const BINDINGS = [
  "DB",
  "KV",
  "FILES",
  "ASSETS",
  "EMAIL",
  "AI",
  "JOBS",
  "RETRIES",
  "HUB",
  "RATE_LIMITER_AUTH",
  "RATE_LIMITER_EXPENSIVE",
  "RATE_LIMITER_PUBLIC",
] as const satisfies (keyof Env)[];

type Value<Variable extends (typeof VARIABLES)[keyof typeof VARIABLES]> =
  | z.output<ReturnType<Variable["schema"]>>
  | Extract<Variable["unset"] | Variable["safe"], null | undefined>;
type Variables = { -readonly [Name in keyof typeof VARIABLES]: Value<(typeof VARIABLES)[Name]> };

/** The validated variables and the bindings. */
export interface Config extends Variables {
  bindings: Pick<Env, (typeof BINDINGS)[number]>;
  /** Problems with the settings, for the operator: names, never values. */
  problems: readonly string[];
  /**
   * The current secret and, while it is being rotated, the previous one. Throws `misconfigured` when the current one is
   * missing or too weak.
   */
  secrets(name: SecretName): Secrets;
}

const configs = new WeakMap<Env, Config>();

/** Validates once for each isolate: all its requests get the same `env` object. */
export function configOf(env: Env): Config {
  let config = configs.get(env);
  if (!config) {
    config = readConfig(env);
    configs.set(env, config);
  }
  return config;
}

function readConfig(env: Env): Config {
  const problems: string[] = [];
  const variables = readVariables(env, problems);
  const secrets = new Map(SECRETS.map((name) => [name, readSecrets(env, name)]));
  const bindings = Object.fromEntries(BINDINGS.map((name) => [name, env[name]]));
  return {
    ...variables,
    bindings: assertType<Config["bindings"]>(bindings),
    problems: [...[...secrets.values()].flatMap((each) => each.problems), ...problems],
    secrets(name) {
      const read = secrets.get(name);
      if (read?.values) return read.values;
      throw new AppError("misconfigured", `${read?.problems[0]}. Set it with \`wrangler secret put ${name}\`.`);
    },
  };
}

/** `values` is null without a usable current secret. A previous one that is not usable counts as absent. */
function readSecrets(env: Env, name: SecretName): { values: Secrets | null; problems: string[] } {
  const [current, previous] = [env[name], env[`${name}_PREVIOUS`]];
  const weak = weakness(current);
  const previousProblem = previous ? (previous === current ? `is the same as ${name}` : weakness(previous)) : null;
  const problems = [
    ...(weak ? [`${name} ${weak}`] : []),
    ...(previousProblem ? [`${name}_PREVIOUS ${previousProblem}`] : []),
  ];
  if (!current || weak) return { values: null, problems };
  const used = secretOf(name, current);
  return { values: previous && !previousProblem ? [used, secretOf(name, previous)] : [used], problems };
}

function readVariables(env: Env, problems: string[]): Variables {
  const read = <Name extends keyof Variables>(name: Name): unknown => {
    const { schema, unset, safe } = VARIABLES[name];
    const given = env[name];
    if (given === undefined || given === "") return unset;
    const result = schema().safeParse(given);
    if (result.success) return result.data;
    problems.push(`${name} is not valid: ${result.error.issues.map((issue) => issue.message).join("; ")}`);
    return safe;
  };
  const entries = Object.keys(VARIABLES).map((name) => [name, read(assertType<keyof Variables>(name))]);
  const variables: Variables = Object.fromEntries(entries);
  // In open mode no call needs a credential: every page of a listed origin can read and change everything.
  if (variables.ACCESS_MODE === "open" && variables.CORS_ORIGINS.includes("*")) {
    variables.CORS_ORIGINS = variables.CORS_ORIGINS.filter((origin) => origin !== "*");
    if (env.CORS_ORIGINS) problems.push("CORS_ORIGINS is not valid: while ACCESS_MODE is open, it has to name origins");
  }
  for (const name of OUTSIDE_ADDRESSES) {
    if (variables.ALLOW_PRIVATE_HOSTS || variables[name].startsWith("https://")) continue;
    problems.push(`${name} is not valid: it must be https, unless ALLOW_PRIVATE_HOSTS is true`);
    variables[name] = VARIABLES[name].safe;
  }
  if (variables.STRIPE_SECRET_KEY && !variables.STRIPE_WEBHOOK_SECRET) {
    problems.push("STRIPE_WEBHOOK_SECRET is missing: payments would not be credited");
  }
  // Local development stores outgoing email instead of sending it.
  if (!variables.ALLOW_PRIVATE_HOSTS && Boolean(variables.MAIL_FROM) !== Boolean(env.EMAIL)) {
    problems.push(
      `${env.EMAIL ? "MAIL_FROM" : "EMAIL"} is missing: outgoing email needs both the binding EMAIL and MAIL_FROM`,
    );
  }
  // Cron jobs have no request to take the address from.
  if (!variables.ALLOW_PRIVATE_HOSTS && variables.MAIL_FROM && env.EMAIL && !env.PUBLIC_URL) {
    problems.push("PUBLIC_URL is missing: emails sent by cron jobs would link to http://localhost:8787");
  }
  return variables;
}

const MIN_SECRET_BYTES = 32;
const MIN_DISTINCT_CHARACTERS = 10;

function weakness(secret: string | undefined): string | null {
  if (!secret) return "is missing";
  if (new TextEncoder().encode(secret).length < MIN_SECRET_BYTES) return `is shorter than ${MIN_SECRET_BYTES} bytes`;
  if (new Set(secret).size < MIN_DISTINCT_CHARACTERS) return "is too regular to be random";
  return null;
}
