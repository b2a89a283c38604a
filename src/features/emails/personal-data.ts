import { sql } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { emails, knownSenders, threads } from "../../db/schema/emails.ts";
import { blockedSenders, emailRules, leftLists } from "../../db/schema/emails-sorting.ts";
import { withIsoTimes } from "../../lib/iso-times.ts";
import { selectIdentities, toIdentity } from "./identities/service.ts";
import { emailColumns, toEmail } from "./record.ts";
import { toRule } from "./rules/service.ts";

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
    name: "knownSenders",
    ownersOnly: true,
    pages: tablePages(knownSenders, { map: ({ email, since }) => ({ email, since: since.toISOString() }) }),
    erase: ({ db }) => eraseAll(db, knownSenders),
  },
  {
    name: "emailRules",
    ownersOnly: true,
    pages: tablePages(emailRules, { map: toRule }),
    erase: ({ db }) => eraseAll(db, emailRules),
  },
  {
    name: "blockedSenders",
    ownersOnly: true,
    pages: tablePages(blockedSenders, { map: withIsoTimes }),
    erase: ({ db }) => eraseAll(db, blockedSenders),
  },
  {
    name: "leftLists",
    ownersOnly: true,
    pages: tablePages(leftLists, { map: withIsoTimes }),
    erase: ({ db }) => eraseAll(db, leftLists),
  },
];
