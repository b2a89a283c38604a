import { eraseAll, type PersonalData, walk } from "../../db/personal-data.ts";
import { emails, threads } from "../../db/schema/emails.ts";
import { type EmailRow, emailColumns, toEmail } from "./record.ts";

/** A mail may be large. */
const MAILS_A_PAGE = 10;

const storedEmails: PersonalData = {
  name: "emails",
  ownersOnly: true,
  async *pages({ db }) {
    const pages = walk<EmailRow>(
      emails.id,
      ({ id }) => id,
      (where, order, limit) => db.select(emailColumns).from(emails).where(where).orderBy(order).limit(limit),
      { size: MAILS_A_PAGE },
    );
    for await (const rows of pages) yield rows.map(toEmail);
  },
  async erase({ db }) {
    await eraseAll(db, emails, "emails_search");
    await eraseAll(db, threads);
  },
};

export const personalData: readonly PersonalData[] = [storedEmails];
