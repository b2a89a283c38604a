import { type SQL, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment, versionColumns } from "../columns.ts";

export interface Phone {
  /** Such as `mobile`; empty if nobody said. */
  label: string;
  number: string;
}

/**
 * People: everyone whom emails or events were exchanged with, and those that the person has saved. Triggers add people and
 * count (triggers/contacts.sql); `contact_addresses` and the search index follow.
 */
export const contacts = sqliteTable(
  "contacts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Empty if nobody has said it. */
    name: text("name").notNull(),
    /** Lower-case; the first one is written to. */
    addresses: text("addresses", { mode: "json" }).$type<string[]>().notNull(),
    /** Whether somebody has written or imported it here. Then no email changes its name. */
    isSaved: integer("is_saved", { mode: "boolean" }).notNull().default(false),
    /** Whether any of its words may come from other people or programs (`lib/outside-words.ts`). */
    outside: integer("outside", { mode: "boolean" }).notNull().default(true),
    company: text("company").notNull().default(""),
    phones: text("phones", { mode: "json" }).$type<Phone[]>().notNull().default(sql`'[]'`),
    notes: text("notes").notNull().default(""),
    /** Emails from and to these addresses that were ever stored outside spam and trash. */
    received: integer("received").notNull().default(0),
    sent: integer("sent").notNull().default(0),
    /** When the last of them, or an event with this person, was written. */
    lastAt: moment("last_at"),
    ...versionColumns(),
    /** What lists are ordered by. */
    sortName: text("sort_name").generatedAlwaysAs((): SQL => sql`lower(iif(name = '', addresses ->> 0, name))`),
    /**
     * The rowid in the search index, which is read from the highest one on: the month of the last contact, with a lead
     * for people who were written to or saved. It changes once a month at most, or with the number of emails.
     */
    place: integer("place").generatedAlwaysAs(
      (): SQL =>
        sql`((coalesce(last_at, 0) / 2629746000 + iif(is_saved, 6, 0)
          + CASE WHEN sent >= 10 THEN 18 WHEN sent >= 3 THEN 12 WHEN sent >= 1 THEN 6 ELSE 0 END) << 32) | id`,
    ),
  },
  (table) => [index("contacts_sort_name").on(table.sortName, table.id)],
);

/** Whose address it is. Written by triggers from `contacts.addresses`. The migration makes it WITHOUT ROWID. */
export const contactAddresses = sqliteTable("contact_addresses", {
  address: text("address").primaryKey(),
  contactId: integer("contact_id").notNull(),
});
