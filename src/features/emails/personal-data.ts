import { sql } from "drizzle-orm";
import { eraseAll, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { emails, knownSenders, threads } from "../../db/schema/emails.ts";
import { emailColumns, toEmail } from "./record.ts";

/** SQLite knows the length in bytes without reading the text. */
const EMAIL_BYTES = sql`octet_length(body) + coalesce(octet_length(html), 0) + coalesce(octet_length(analysis), 0)`;

export const personalData: readonly PersonalData[] = [
  {
    name: "emails",
    ownersOnly: true,
    pages: tablePages(emails, { columns: emailColumns, map: toEmail, bytes: EMAIL_BYTES }),
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
