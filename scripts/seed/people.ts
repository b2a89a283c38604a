import type { Config } from "../../src/config.ts";
import { hashPassword } from "../../src/features/auth/password.ts";
import { assertType } from "../../src/lib/cast.ts";
import type { SeedContext } from "./area.ts";

const PASSWORD = "correct horse battery staple";

const PEOPLE = [
  { email: "ada@example.com", name: "Ada Lovelace", role: "owner", daysAgo: 120 },
  { email: "grace@example.com", name: "Grace Hopper", role: "member", daysAgo: 45 },
] as const;

/** Two accounts with a known password. Those that are there already, made by a person, stay as they are. */
export async function people({ db, vars, now }: SeedContext): Promise<string> {
  const insert = db.prepare(
    `INSERT INTO users (email, name, role, password_hash, email_verified_at, created_at)
     VALUES (?1, ?2, CASE WHEN EXISTS (SELECT 1 FROM users WHERE role = 'owner') THEN 'member' ELSE ?3 END, ?4, ?5, ?5)
     ON CONFLICT (email) DO NOTHING`,
  );
  const accounts = await Promise.all(
    PEOPLE.map(async ({ email, name, role, daysAgo }) =>
      insert.bind(email, name, role, await hashWith(vars), now.getTime() - daysAgo * 86_400_000),
    ),
  );
  await db.batch(accounts);
  return `${PEOPLE.length} people, password "${PASSWORD}": ${PEOPLE.map(({ email }) => email).join(", ")}`;
}

function hashWith({ PASSWORD_PEPPER }: SeedContext["vars"]): Promise<string> {
  if (typeof PASSWORD_PEPPER !== "string") throw new Error("PASSWORD_PEPPER is missing from .dev.vars.");
  // Hashing reads nothing else of the settings, which cannot be made outside of a Worker.
  const config = assertType<Config>({ secret: () => PASSWORD_PEPPER });
  return hashPassword({ config }, PASSWORD);
}
