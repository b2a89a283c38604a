import { eraseAll, onePage, type PersonalData, walk } from "../../db/personal-data.ts";
import { bookingConnection, syncRuns } from "../../db/schema/bookingsvc.ts";
import { theConnection } from "./connection.ts";
import { toRun } from "./runs.ts";

const connection: PersonalData = {
  name: "bookingConnection",
  ownersOnly: true,
  pages: ({ db }) => {
    const { status, account, keyUpdatedAt, lastFullAt } = bookingConnection;
    return onePage(
      db.select({ status, account, keyUpdatedAt, lastFullAt }).from(bookingConnection).where(theConnection),
    );
  },
  erase: ({ db }) => eraseAll(db, bookingConnection),
};

const runs: PersonalData = {
  name: "syncRuns",
  ownersOnly: true,
  async *pages({ db }) {
    const pages = walk<typeof syncRuns.$inferSelect>(
      syncRuns.id,
      ({ id }) => id,
      (where, order, limit) => db.select().from(syncRuns).where(where).orderBy(order).limit(limit),
    );
    for await (const rows of pages) yield rows.map(toRun);
  },
  erase: ({ db }) => eraseAll(db, syncRuns),
};

export const personalData: readonly PersonalData[] = [connection, runs];
