import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import type { Context as HonoContext } from "hono";
import type { Env } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { readCredential } from "../../src/features/auth/authenticate.ts";
import type { AppEnv } from "../../src/http/app-env.ts";
import { data } from "../../src/http/guards.ts";
import { createRouter } from "../../src/http/router.ts";
import { createServer } from "../../src/http/server.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, type Person, signedInPerson } from "../auth/people.ts";
import { service } from "../harness.ts";

/* Handlers that a careless developer could write, behind the real check of sessions and API keys, through HTTP. */

await env.DB.exec("CREATE TABLE IF NOT EXISTS attack_rows (name TEXT NOT NULL)");
export const clearRows = () => env.DB.exec("DELETE FROM attack_rows");

const Done = z.object({ value: z.string() }).openapi("AttackDone", { example: { value: "done" } });
export type Attack = (ctx: Context, c: HonoContext<AppEnv>) => Promise<string>;
let attack: Attack = async () => "nothing";

const router = createRouter();
router.endpoint("post", "/api/attack", {
  operationId: "attack",
  summary: "Run the handler of a test",
  guard: data("tasks:write"),
  returns: { 200: Done },
  errors: ["conflict", "unavailable"],
  idempotent: true,
  handle: async ({ c, ctx }) => ({ value: await attack(ctx, c) }),
});
const app = createServer({
  version: "1.2.3",
  readCredential,
  reauthenticate: async () => ({}),
  features: [{ tag: "Attacks", routes: router }],
  tags: [{ name: "Attacks", description: "Attacks, for the tests." }],
});

const closed = (vars: Partial<Env> = {}) => service({ ACCESS_MODE: "private", ...vars }, app);

/** Sends a request whose handler this is. */
export function send(handler: Attack, token: string, headers: Record<string, string> = {}, vars: Partial<Env> = {}) {
  attack = handler;
  return closed(vars).post("/api/attack", undefined, { token, headers });
}

export const write = (db: Context["db"], name: string) => db.run(sql`INSERT INTO attack_rows VALUES (${name})`);
export const read = ({ db }: Context) => db.all<{ name: string }>(sql`SELECT name FROM attack_rows`);
export const written = async () =>
  (await env.DB.prepare("SELECT name FROM attack_rows ORDER BY rowid").all<{ name: string }>()).results.map(
    ({ name }) => name,
  );
export const zoneOf = ({ actor }: Context) => ("user" in actor ? actor.user.timeZone : "");
export const endSessions = ({ id }: Pick<Person, "id">) =>
  env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(id).run();
export const moveTo = ({ id }: Person, zone: string) =>
  env.DB.prepare("UPDATE users SET time_zone = ? WHERE id = ?").bind(zone, id).run();

export async function newKey({ token }: Pick<Person, "token">, scopes: Scope[]) {
  return createApiKey(await contextFor(token), { name: "automation", scopes, expiresAt: null });
}

/** Somebody whom this isolate took for an account in UTC a moment ago. */
export async function knownPerson(): Promise<Person> {
  const person = await signedInPerson();
  await send(async (ctx) => `${(await read(ctx)).length}`, person.token);
  return person;
}
