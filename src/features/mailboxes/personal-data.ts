import { eraseAll, onePage, type PersonalData } from "../../db/personal-data.ts";
import { mailboxes } from "../../db/schema/mailboxes.ts";

/**
 * The password is secret, and what folders and messages are agreed on means nothing without the mailbox: a mailbox that
 * is connected again finds its emails by their Message-IDs.
 */
export const personalData: readonly PersonalData[] = [
  {
    name: "mailboxes",
    ownersOnly: true,
    pages: onePage(({ db }) => {
      const { label, address, name, imap, smtp, username, status, paused, historyDays, connectedAt } = mailboxes;
      return db
        .select({ label, address, name, imap, smtp, username, status, paused, historyDays, connectedAt })
        .from(mailboxes);
    }),
    archive: { notImported: "The password of a mailbox is secret. Connect the mailbox again." },
    erase: ({ db }) => eraseAll(db, mailboxes),
    erasedFirst: true,
  },
];
