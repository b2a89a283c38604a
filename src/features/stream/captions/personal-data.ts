import { eraseAll, onePage, type PersonalData, tablePages } from "../../../db/personal-data.ts";
import { streamEvents } from "../../../db/schema/stream.ts";
import { captions, streamCredentials, streamVoices } from "../../../db/schema/stream-captions.ts";
import { listCredentials } from "../credentials/service.ts";
import { FIRST_VOICES, selectVoices } from "../credentials/voice.ts";
import { toCaption } from "./record.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "captions",
    ownersOnly: true,
    pages: tablePages(captions, { map: toCaption }),
    archive: {
      table: captions,
      settle: {
        reason: "They were approved, and the service that they are from may have posted them. Approve them again.",
        row: (row) => (row.status === "approved" ? { ...row, status: "pending" } : null),
      },
    },
    erase: ({ db }) => eraseAll(db, captions),
  },
  {
    name: "streamCredentials",
    ownersOnly: true,
    // Which accounts are connected; the secrets themselves are never exported.
    pages: onePage(async (ctx) => (await listCredentials(ctx)).data.filter(({ configured }) => configured)),
    archive: { notImported: "Credentials are secret. Connect the platforms again." },
    erase: ({ db }) => eraseAll(db, streamCredentials),
  },
  {
    name: "streamVoices",
    ownersOnly: true,
    pages: onePage(selectVoices),
    archive: { table: streamVoices, replaces: true },
    // The next owner starts with the initial voices.
    async erase({ db }) {
      await db.batch([db.delete(streamVoices), db.insert(streamVoices).values(FIRST_VOICES)]);
    },
  },
  {
    // After sessions, milestones and captions, whose triggers write the same events.
    name: "streamEvents",
    ownersOnly: true,
    pages: tablePages(streamEvents, { map: (row) => ({ ...row, at: row.at.toISOString() }) }),
    archive: { table: streamEvents, clears: true },
  },
];
