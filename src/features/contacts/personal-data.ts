import { eq, sql } from "drizzle-orm";
import { eraseAll, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { contacts } from "../../db/schema/contacts.ts";
import { Addresses, Phones } from "./schemas.ts";
import { toContact } from "./service.ts";

/** Contacts that were added by themselves come back with the emails and events of an archive, and so do all counts. */
export const personalData: readonly PersonalData[] = [
  {
    name: "contacts",
    ownersOnly: true,
    pages: tablePages(contacts, { map: toContact }),
    archive: {
      table: contacts,
      where: () => eq(contacts.isSaved, true),
      addedByTriggers: sql`is_saved = 0`,
      shapes: { addresses: Addresses, phones: Phones },
      leaveOut: ["received", "sent", "lastAt", "sortName", "place"],
    },
    erase: ({ db }) => eraseAll(db, contacts, "contacts_search"),
  },
];
