import { eraseAll, onePage, type PersonalData, tablePages } from "../../../db/personal-data.ts";
import { captions, streamCredentials, streamVoices } from "../../../db/schema/stream-captions.ts";
import { listCredentials } from "../credentials/service.ts";
import { FIRST_VOICES, selectVoices } from "../credentials/voice.ts";
import { toCaption } from "./record.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "captions",
    ownersOnly: true,
    pages: tablePages(captions, { map: toCaption }),
    erase: ({ db }) => eraseAll(db, captions),
  },
  {
    name: "streamCredentials",
    ownersOnly: true,
    // Which accounts are connected; the secrets themselves are never exported.
    pages: onePage(async (ctx) => (await listCredentials(ctx)).data.filter(({ configured }) => configured)),
    erase: ({ db }) => eraseAll(db, streamCredentials),
  },
  {
    name: "streamVoices",
    ownersOnly: true,
    pages: onePage(selectVoices),
    // The next owner starts with the initial voices.
    async erase({ db }) {
      await db.batch([db.delete(streamVoices), db.insert(streamVoices).values(FIRST_VOICES)]);
    },
  },
];
