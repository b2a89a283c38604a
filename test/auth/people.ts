import { env } from "cloudflare:workers";
import bcrypt from "bcryptjs";
import { vi } from "vitest";
import type { Env } from "../../src/config.ts";
import type { Actor, Context } from "../../src/context.ts";
import { sessions } from "../../src/db/schema/auth.ts";
import { readCredential } from "../../src/features/auth/authenticate.ts";
import { pepper } from "../../src/features/auth/password/hashing.ts";
import { newSession, signedIn } from "../../src/features/auth/sessions/service.ts";
import { actorBehind } from "../../src/http/admission/check.ts";
import { type Client, service, systemCtx } from "../harness.ts";

export const PASSWORD = "correct horse battery staple";

let people = 0;

/** An address nobody else in the run has. */
export function newEmail(name = "person"): string {
  people += 1;
  return `${name}-${people}-${crypto.randomUUID().slice(0, 8)}@example.com`;
}

export interface Person {
  id: number;
  email: string;
  token: string;
  refreshToken: string;
}

export async function registerPerson(client: Client = service(), email = newEmail()): Promise<Person> {
  const { body, status } = await client.post("/api/auth/register", { email, password: PASSWORD, name: "Ada Lovelace" });
  if (status !== 201) throw new Error(`registration answered ${status}`);
  return { id: body.user.id, email, token: body.token, refreshToken: body.refreshToken };
}

/** An account whose password is cheap to check, for tests that guess often. */
export async function insertCheapPerson(password = PASSWORD, cost = 4): Promise<{ id: number; email: string }> {
  const email = newEmail("cheap");
  const [current] = systemCtx().config.secrets("PASSWORD_PEPPER");
  const hash = await bcrypt.hash(pepper(current.value, password), cost);
  const row = await env.DB.prepare(
    "INSERT INTO users (email, name, role, password_hash, pepper_id, created_at) VALUES (?, 'Cheap', 'member', ?, ?, ?) RETURNING id",
  )
    .bind(email, hash, current.id, Date.now())
    .first<{ id: number }>();
  if (!row) throw new Error("no row");
  return { id: row.id, email };
}

/** A further session of an account, without the work of a login. Its person has confirmed the password a moment ago. */
export async function openSession(userId: number): Promise<{ token: string; refreshToken: string }> {
  const ctx = systemCtx();
  const session = newSession(ctx);
  await ctx.db.insert(sessions).values({ ...session.row, provedAt: ctx.now, userId });
  return signedIn(ctx, session, { id: userId, email: "", name: "" });
}

/** A person whose password is cheap to check, with a fresh session. */
export async function signedInPerson(role: "member" | "owner" = "member"): Promise<Person> {
  const person = await insertCheapPerson();
  await env.DB.prepare("UPDATE users SET role = ? WHERE id = ?").bind(role, person.id).run();
  return { ...person, ...(await openSession(person.id)) };
}

/** What a service verb would be handed in a request with this token. */
export async function contextFor(token: string, vars: Partial<Env> = {}): Promise<Context> {
  const ctx = systemCtx(vars);
  return { ...ctx, actor: await authenticated(ctx, token) };
}

/** Moves the clock of the Worker; put it back with `vi.useRealTimers()`. */
export function setClock(time: Date | number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

export async function auditActions(userId: number): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT action FROM audit_log WHERE user_id = ? ORDER BY id")
    .bind(userId)
    .all<{ action: string }>();
  return results.map(({ action }) => action);
}

export async function countRows(table: string, where: string, ...values: unknown[]): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)
    .bind(...values)
    .first<{ n: number }>();
  return row?.n ?? 0;
}

/** The actor behind a session's token or an API key. */
export async function authenticated(ctx: Context, bearer: string): Promise<Actor> {
  return actorBehind(ctx, await readCredential(ctx, bearer));
}
