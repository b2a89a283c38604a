import { eraseAll, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { emails, knownSenders, threads } from "../../db/schema/emails.ts";
import { emailColumns, toEmail } from "./record.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "emails",
    ownersOnly: true,
    // An email may be large.
    pages: tablePages(emails, { columns: emailColumns, map: toEmail, pageSize: 10 }),
    async erase({ db }) {
      await eraseAll(db, emails, "emails_search");
      await eraseAll(db, threads);
    },
  },
  {
    name: "knownSenders",
    ownersOnly: true,
    pages: tablePages(knownSenders, { map: ({ email, since }) => ({ email, since: since.toISOString() }) }),
    erase: ({ db }) => eraseAll(db, knownSenders),
  },
];
