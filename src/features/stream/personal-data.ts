import { eraseAll, onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import {
  streamChannels,
  streamEvents,
  streamMilestones,
  streamReports,
  streamSessions,
} from "../../db/schema/stream.ts";
import { FIRST_MILESTONES, toMilestone } from "./milestones/reached.ts";
import { toSession } from "./record.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "streamSessions",
    ownersOnly: true,
    pages: tablePages(streamSessions, { map: (row, { now }) => toSession(row, now) }),
    archive: { table: streamSessions },
    // Reports and events repeat what the sessions say, so they are only erased.
    async erase({ db }) {
      for (const table of [streamSessions, streamReports, streamEvents]) await eraseAll(db, table);
    },
  },
  {
    name: "streamMilestones",
    ownersOnly: true,
    pages: tablePages(streamMilestones, { map: toMilestone }),
    archive: { table: streamMilestones, clears: true },
    // The next owner starts with the initial milestones.
    async erase({ db, now }) {
      const first = FIRST_MILESTONES.map((threshold) => ({
        metric: "subscribers" as const,
        threshold,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }));
      await db.batch([db.delete(streamMilestones), db.insert(streamMilestones).values(first)]);
    },
  },
  {
    name: "streamChannels",
    ownersOnly: true,
    pages: onePage(({ db }) => db.select().from(streamChannels)),
    archive: { table: streamChannels },
    erase: ({ db }) => eraseAll(db, streamChannels),
  },
];
