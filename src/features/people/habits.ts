import { sql } from "drizzle-orm";

/** Read with the account, because most features read words about time, and one statement costs one round trip. */
export const habitsAs = (user: string) =>
  `(SELECT json_array(p.locale, p.time_format, p.week_start, json((SELECT w.days FROM working_hours w WHERE w.user_id = p.user_id))) FROM profiles p WHERE p.user_id = ${user}.id)`;

/** The settings that decide how a person's dates and times are read, as JSON. */
export const habitsColumn = sql<string | null>`${sql.raw(habitsAs("users"))}`.as("habits");
