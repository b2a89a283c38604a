import type { Config } from "../../src/config.ts";
import { hashPassword } from "../../src/features/auth/password.ts";
import { assertType } from "../../src/lib/cast.ts";
import type { SeedContext } from "./area.ts";

const PASSWORD = "correct horse battery staple";

const PEOPLE = [
  { email: "ada@example.com", name: "Ada Lovelace", role: "owner", daysAgo: 120 },
  { email: "grace@example.com", name: "Grace Hopper", role: "member", daysAgo: 45 },
] as const;

/** Two accounts as they were on the first day: known password, verified, no second factor, not locked. */
export async function people({ db, vars, now }: SeedContext): Promise<string> {
  const addresses = JSON.stringify(PEOPLE.map(({ email }) => email));
  const theirs = "user_id IN (SELECT id FROM users WHERE email IN (SELECT value FROM json_each(?)))";
  const upsert = db.prepare(
    `INSERT INTO users (email, name, role, password_hash, email_verified_at, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
     ON CONFLICT (email) DO UPDATE SET name = ?2, role = ?3, password_hash = ?4, email_verified_at = ?5, created_at = ?5,
       totp_secret = NULL, totp_enabled_at = NULL`,
  );
  const accounts = await Promise.all(
    PEOPLE.map(async ({ email, name, role, daysAgo }) =>
      upsert.bind(email, name, role, await hashWith(vars), now.getTime() - daysAgo * 86_400_000),
    ),
  );
  await db.batch([
    ...accounts,
    db.prepare(`DELETE FROM backup_codes WHERE ${theirs}`).bind(addresses),
    db.prepare("DELETE FROM login_failures WHERE email IN (SELECT value FROM json_each(?))").bind(addresses),
  ]);
  const list = PEOPLE.map(({ email, role }) => `${email} (${role})`).join(", ");
  return `${PEOPLE.length} people, password "${PASSWORD}": ${list}`;
}

function hashWith({ PASSWORD_PEPPER }: SeedContext["vars"]): Promise<string> {
  if (typeof PASSWORD_PEPPER !== "string") throw new Error("PASSWORD_PEPPER is missing from .dev.vars.");
  // Hashing reads nothing else of the settings, which cannot be made outside of a Worker.
  const config = assertType<Config>({ secret: () => PASSWORD_PEPPER });
  return hashPassword({ config }, PASSWORD);
}
