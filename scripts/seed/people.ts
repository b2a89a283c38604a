import { hashPassword } from "../../src/features/auth/password/hashing.ts";
import { type SeedContext, settingsOf } from "./area.ts";

const PASSWORD = "correct horse battery staple";

const PEOPLE = [
  {
    email: "ada@example.com",
    name: "Ada Lovelace",
    role: "owner",
    daysAgo: 120,
    timeZone: "Europe/London",
    profile: {
      company: "Analytical Engines Ltd",
      phone: "+44 20 7946 0958",
      bio: "I write programs for machines that are not built yet.",
      locale: "en-GB",
    },
    briefHour: 7,
  },
  {
    email: "grace@example.com",
    name: "Grace Hopper",
    role: "member",
    daysAgo: 45,
    timeZone: "America/New_York",
    profile: { company: "Harbor Compilers", phone: null, bio: "Compilers, and the odd moth.", locale: "en-US" },
    briefHour: null,
  },
] as const;

/** Ada's week: no meetings on Friday afternoon. */
const HOURS = JSON.stringify(
  Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7].map((day) => [
      day,
      day > 5 ? [] : [{ start: "09:00", end: "12:30" }, ...(day === 5 ? [] : [{ start: "13:30", end: "17:30" }])],
    ]),
  ),
);

/** Two accounts with a known password. Those that are there already, made by a person, stay as they are. */
export async function people({ db, vars, now }: SeedContext): Promise<string> {
  const insert = db.prepare(
    `INSERT INTO users (email, name, role, password_hash, pepper_id, email_verified_at, created_at)
     VALUES (?1, ?2, CASE WHEN EXISTS (SELECT 1 FROM users WHERE role = 'owner') THEN 'member' ELSE ?3 END, ?4, ?5, ?6, ?6)
     ON CONFLICT (email) DO NOTHING`,
  );
  const accounts = await Promise.all(
    PEOPLE.map(async ({ email, name, role, daysAgo }) => {
      const { passwordHash, pepperId } = await hashPassword(settingsOf(vars), PASSWORD);
      return insert.bind(email, name, role, passwordHash, pepperId, now.getTime() - daysAgo * 86_400_000);
    }),
  );
  await db.batch(accounts);
  await db.batch(PEOPLE.flatMap((person) => profileOf({ db, now }, person)));
  return `${PEOPLE.length} people, password "${PASSWORD}": ${PEOPLE.map(({ email }) => email).join(", ")}`;
}

/** Only where nobody has changed anything yet. */
function profileOf(
  { db, now }: Pick<SeedContext, "db" | "now">,
  { email, timeZone, profile, briefHour, role }: (typeof PEOPLE)[number],
) {
  const account = "(SELECT id FROM users WHERE email = ?1)";
  const isUntouched = `user_id = ${account} AND version = 1`;
  return [
    db
      .prepare(
        `UPDATE users SET time_zone = ?2 WHERE email = ?1
         AND EXISTS (SELECT 1 FROM profiles WHERE user_id = users.id AND version = 1)`,
      )
      .bind(email, timeZone),
    db
      .prepare(
        `INSERT INTO working_hours (user_id, time_zone, days, version, updated_at)
         SELECT user_id, ?2, ?3, 2, ?4 FROM profiles WHERE ?5 AND ${isUntouched} ON CONFLICT DO NOTHING`,
      )
      .bind(email, timeZone, HOURS, now.getTime(), role === "owner" ? 1 : 0),
    db
      .prepare(`UPDATE profiles SET company = ?2, phone = ?3, bio = ?4, locale = ?5 WHERE ${isUntouched}`)
      .bind(email, profile.company, profile.phone, profile.bio, profile.locale),
    db
      .prepare(
        `UPDATE notification_preferences SET daily_brief = ?2, brief_hour = coalesce(?3, brief_hour) WHERE ${isUntouched}`,
      )
      .bind(email, briefHour === null ? 0 : 1, briefHour),
  ];
}
