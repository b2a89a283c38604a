import { sql } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { emails, knownSenders, threads } from "../../db/schema/emails.ts";
import { emailDrafts } from "../../db/schema/emails-writing.ts";
import { toDraft } from "./drafts/record.ts";
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

const DRAFT_BYTES = sql`octet_length(body) + coalesce(octet_length(html), 0)`;

export const personalData: readonly PersonalData[] = [
  {
    name: "identities",
    pages: onePage(async (ctx) => (await selectIdentities(ctx, signedInUser(ctx).id)).map(toIdentity)),
  },
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
    name: "drafts",
    ownersOnly: true,
    pages: tablePages(emailDrafts, { map: toDraft, bytes: DRAFT_BYTES }),
    erase: ({ db }) => eraseAll(db, emailDrafts),
  },
  {
    name: "knownSenders",
    ownersOnly: true,
    pages: tablePages(knownSenders, { map: ({ email, since }) => ({ email, since: since.toISOString() }) }),
    erase: ({ db }) => eraseAll(db, knownSenders),
  },
];
