import { sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { deletedEmails, emails, knownSenders, threads } from "../../db/schema/emails.ts";
import { walkTable } from "../../db/walk.ts";
import { hastenDeletion } from "../files/service.ts";
import { contentOf } from "./content.ts";
import { selectIdentities, toIdentity } from "./identities/service.ts";
import { type EmailRow, emailColumns, toEmail } from "./record.ts";

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

/** Long emails are read from the file store, a few at a time. */
const AT_ONCE = 5;

async function* emailPages(ctx: Context) {
  for await (const rows of walkTable<EmailRow>(ctx.db, emails, { columns: emailColumns, bytes: EMAIL_BYTES })) {
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const some = rows.slice(start, start + AT_ONCE);
      yield await Promise.all(some.map(async (row) => toEmail(row, await contentOf(ctx, row))));
    }
  }
}

export const personalData: readonly PersonalData[] = [
  {
    name: "identities",
    pages: onePage(async (ctx) => (await selectIdentities(ctx, signedInUser(ctx).id)).map(toIdentity)),
  },
  {
    name: "emails",
    ownersOnly: true,
    pages: emailPages,
    async erase(ctx) {
      await eraseAll(ctx.db, emails, "emails_search");
      await eraseAll(ctx.db, threads);
      await eraseAll(ctx.db, deletedEmails);
      // There is nothing to restore them for.
      await hastenDeletion(ctx);
    },
  },
  {
    name: "knownSenders",
    ownersOnly: true,
    pages: tablePages(knownSenders, { map: ({ email, since }) => ({ email, since: since.toISOString() }) }),
    erase: ({ db }) => eraseAll(db, knownSenders),
  },
];
