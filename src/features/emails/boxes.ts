import type { Context } from "../../context.ts";
import { emailTotals } from "../../db/schema/emails.ts";

/** The statement that reads the stored numbers of emails: one row. */
export function selectEmailTotals({ db }: Pick<Context, "db">) {
  return db.select().from(emailTotals);
}
