import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { bookingConnection, syncRuns } from "../../db/schema/bookings.ts";
import { theConnection } from "./connection.ts";
import { toRun } from "./runs.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "bookingConnection",
    ownersOnly: true,
    pages: onePage(({ db }) => {
      const { status, account, keyUpdatedAt, lastFullAt } = bookingConnection;
      return db.select({ status, account, keyUpdatedAt, lastFullAt }).from(bookingConnection).where(theConnection);
    }),
    archive: { notImported: "The key of the booking provider is secret. Connect the provider again." },
    erase: ({ db }) => eraseAll(db, bookingConnection),
    erasedFirst: true,
  },
  {
    name: "syncRuns",
    ownersOnly: true,
    pages: tablePages(syncRuns, { map: toRun }),
    archive: { table: syncRuns },
    erase: ({ db }) => eraseAll(db, syncRuns),
  },
];
