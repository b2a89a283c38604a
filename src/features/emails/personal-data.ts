import { eq, sql } from "drizzle-orm";
import { type Context, showingSignIn, signedInUser } from "../../context.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import {
  deletedEmails,
  emails,
  emailUndos,
  knownSenders,
  mutedThreads,
  threadMessages,
  threads,
} from "../../db/schema/emails.ts";
import {
  blockedSenders,
  emailRetention,
  emailRules,
  emailSearches,
  leftLists,
  senderVerdicts,
} from "../../db/schema/emails-sorting.ts";
import { emailDrafts, emailSnippets, emailUploads, identities } from "../../db/schema/emails-writing.ts";
import { walkTable } from "../../db/walk.ts";
import { withIsoTimes } from "../../lib/iso-times.ts";
import { archivedEmails, archivedUploads } from "./archive.ts";
import { contentOf } from "./content.ts";
import { type DraftRow, draftColumns, toDraft } from "./drafts/record.ts";
import { selectIdentities, toIdentity } from "./identities/service.ts";
import { type EmailRow, emailColumns, toEmail } from "./record.ts";
import { Actions, Conditions } from "./rules/schemas.ts";
import { toRule } from "./rules/service.ts";
import { toSnippet } from "./snippets/service.ts";

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

/** Long emails are read from the file store, a few at a time. */
const AT_ONCE = 5;

async function* emailPages(request: Context) {
  const ctx = showingSignIn(request);
  for await (const rows of walkTable<EmailRow>(ctx.db, emails, { columns: emailColumns, bytes: EMAIL_BYTES })) {
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const some = rows.slice(start, start + AT_ONCE);
      yield await Promise.all(some.map(async (row) => toEmail(ctx, row, await contentOf(ctx, row))));
    }
  }
}

export const personalData: readonly PersonalData[] = [
  {
    name: "identities",
    pages: onePage(async (ctx) => (await selectIdentities(ctx, signedInUser(ctx).id)).map(toIdentity)),
    archive: { table: identities, where: (ctx) => eq(identities.userId, signedInUser(ctx).id) },
  },
  {
    name: "emails",
    ownersOnly: true,
    pages: emailPages,
    archive: archivedEmails,
    async erase(ctx) {
      await eraseAll(ctx.db, emails, "emails_search");
      await eraseAll(ctx.db, threads);
      await eraseAll(ctx.db, deletedEmails);
    },
  },
  {
    name: "emailUndos",
    ownersOnly: true,
    archive: { notImported: "A change can be undone for a day, in the service where it was made." },
    erase: ({ db }) => eraseAll(db, emailUndos),
  },
  {
    name: "drafts",
    ownersOnly: true,
    pages: tablePages<typeof emailDrafts, DraftRow>(emailDrafts, {
      columns: draftColumns,
      map: (row, ctx) => toDraft(showingSignIn(ctx), row),
      bytes: DRAFT_BYTES,
    }),
    archive: { table: emailDrafts },
    erase: ({ db }) => eraseAll(db, emailDrafts),
  },
  {
    name: "uploads",
    ownersOnly: true,
    archive: archivedUploads,
    erase: ({ db }) => eraseAll(db, emailUploads),
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
    name: "mutedThreads",
    ownersOnly: true,
    pages: tablePages(mutedThreads, { map: (row) => withIsoTimes(row) }),
    archive: { table: mutedThreads },
    erase: ({ db }) => eraseAll(db, mutedThreads),
  },
  {
    name: "knownSenders",
    ownersOnly: true,
    pages: tablePages(knownSenders, { map: ({ email, since }) => ({ email, since: since.toISOString() }) }),
    archive: { table: knownSenders },
    erase: ({ db }) => eraseAll(db, knownSenders),
  },
  {
    name: "emailRules",
    ownersOnly: true,
    pages: tablePages(emailRules, { map: (row) => toRule(row) }),
    archive: { table: emailRules, shapes: { conditions: Conditions, actions: Actions } },
    erase: ({ db }) => eraseAll(db, emailRules),
  },
  {
    name: "emailSnippets",
    ownersOnly: true,
    pages: tablePages(emailSnippets, { map: (row) => toSnippet(row) }),
    archive: { table: emailSnippets },
    erase: ({ db }) => eraseAll(db, emailSnippets),
  },
  {
    name: "emailSearches",
    ownersOnly: true,
    pages: tablePages(emailSearches, { map: (row) => withIsoTimes(row) }),
    archive: { table: emailSearches },
    erase: ({ db }) => eraseAll(db, emailSearches),
  },
  {
    name: "blockedSenders",
    ownersOnly: true,
    pages: tablePages(blockedSenders, { map: (row) => withIsoTimes(row) }),
    archive: { table: blockedSenders },
    erase: ({ db }) => eraseAll(db, blockedSenders),
  },
  {
    name: "senderVerdicts",
    ownersOnly: true,
    pages: tablePages(senderVerdicts, { map: (row) => withIsoTimes(row) }),
    archive: { table: senderVerdicts },
    erase: ({ db }) => eraseAll(db, senderVerdicts),
  },
  {
    name: "leftLists",
    ownersOnly: true,
    pages: tablePages(leftLists, { map: (row) => withIsoTimes(row) }),
    archive: { table: leftLists },
    erase: ({ db }) => eraseAll(db, leftLists),
  },
  {
    name: "emailRetention",
    ownersOnly: true,
    pages: tablePages(emailRetention, { map: (row) => withIsoTimes(row) }),
    archive: { table: emailRetention },
    erase: ({ db }) => eraseAll(db, emailRetention),
  },
];
