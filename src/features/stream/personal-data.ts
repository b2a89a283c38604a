import { eraseAll, onePage, type PersonalData, walk } from "../../db/personal-data.ts";
import {
  streamChannels,
  streamEvents,
  streamMilestones,
  streamReports,
  streamSessions,
} from "../../db/schema/stream.ts";
import { FIRST_MILESTONES, type MilestoneRow, toMilestone } from "./milestones/reached.ts";
import { toSession } from "./record.ts";
import type { SessionRow } from "./session-change.ts";

const sessions: PersonalData = {
  name: "streamSessions",
  ownersOnly: true,
  async *pages({ db, now }) {
    const pages = walk<SessionRow>(
      streamSessions.id,
      ({ id }) => id,
      (where, order, limit) => db.select().from(streamSessions).where(where).orderBy(order).limit(limit),
    );
    for await (const rows of pages) yield rows.map((row) => toSession(row, now));
  },
  async erase({ db }) {
    for (const table of [streamSessions, streamReports, streamEvents]) await eraseAll(db, table);
  },
};

const milestones: PersonalData = {
  name: "streamMilestones",
  ownersOnly: true,
  async *pages({ db }) {
    const pages = walk<MilestoneRow>(
      streamMilestones.id,
      ({ id }) => id,
      (where, order, limit) => db.select().from(streamMilestones).where(where).orderBy(order).limit(limit),
    );
    for await (const rows of pages) yield rows.map(toMilestone);
  },
  /** The milestones of a new installation. */
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
};

const channels: PersonalData = {
  name: "streamChannels",
  ownersOnly: true,
  pages: ({ db }) => onePage(db.select().from(streamChannels)),
  erase: ({ db }) => eraseAll(db, streamChannels),
};

/** The event log repeats these records, so it is erased but not exported. */
export const personalData: readonly PersonalData[] = [sessions, milestones, channels];
