import { eq, sql } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { emails, knownSenders, threadMessages, threads } from "../../db/schema/emails.ts";
import { identities } from "../../db/schema/emails-writing.ts";
import { selectIdentities, toIdentity } from "./identities/service.ts";
import { emailColumns, toEmail } from "./record.ts";

/** SQLite knows the length in bytes without reading the text. */
const EMAIL_BYTES = sql.join(
  [
    emails.body,
    emails.html,
    emails.analysis,
    emails.subject,
    emails.references,
    emails.to,
    emails.cc,
    emails.bcc,
    emails.attachments,
  ].map((column) => sql`coalesce(octet_length(${column}), 0)`),
  sql` + `,
);

export const personalData: readonly PersonalData[] = [
  {
    name: "identities",
    pages: onePage(async (ctx) => (await selectIdentities(ctx, signedInUser(ctx).id)).map(toIdentity)),
    archive: { table: identities, where: (ctx) => eq(identities.userId, signedInUser(ctx).id) },
  },
  {
    name: "emails",
    ownersOnly: true,
    pages: tablePages(emails, { columns: emailColumns, map: toEmail, bytes: EMAIL_BYTES }),
    archive: { table: emails },
    async erase({ db }) {
      await eraseAll(db, emails, "emails_search");
      await eraseAll(db, threads);
    },
  },
  {
    // Message-IDs that emails refer to and that are not stored: later emails still join their threads.
    name: "threadMessages",
    ownersOnly: true,
    pages: tablePages(threadMessages, { map: (row) => row }),
    archive: { table: threadMessages },
    erase: ({ db }) => eraseAll(db, threadMessages),
  },
  {
    name: "knownSenders",
    ownersOnly: true,
    pages: tablePages(knownSenders, { map: ({ email, since }) => ({ email, since: since.toISOString() }) }),
    archive: { table: knownSenders },
    erase: ({ db }) => eraseAll(db, knownSenders),
  },
];
