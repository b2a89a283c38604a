import { eraseAll, onePage, type PersonalData, walk } from "../../../db/personal-data.ts";
import { captions, streamCredentials, streamVoices } from "../../../db/schema/stream-captions.ts";
import { listCredentials } from "../credentials/service.ts";
import { FIRST_VOICES, selectVoices } from "../credentials/voice.ts";
import { type CaptionRow, toCaption } from "./record.ts";

const posts: PersonalData = {
  name: "captions",
  ownersOnly: true,
  async *pages({ db }) {
    const pages = walk<CaptionRow>(
      captions.id,
      ({ id }) => id,
      (where, order, limit) => db.select().from(captions).where(where).orderBy(order).limit(limit),
    );
    for await (const rows of pages) yield rows.map(toCaption);
  },
  erase: ({ db }) => eraseAll(db, captions),
};

/** Only that a credential exists and its account: secrets are never exported. */
const credentials: PersonalData = {
  name: "streamCredentials",
  ownersOnly: true,
  pages: (ctx) => onePage(listCredentials(ctx).then(({ data }) => data.filter(({ configured }) => configured))),
  erase: ({ db }) => eraseAll(db, streamCredentials),
};

const voices: PersonalData = {
  name: "streamVoices",
  ownersOnly: true,
  pages: (ctx) => onePage(selectVoices(ctx)),
  /** The voices of a new installation. */
  async erase({ db }) {
    await db.batch([db.delete(streamVoices), db.insert(streamVoices).values(FIRST_VOICES)]);
  },
};

export const personalData: readonly PersonalData[] = [posts, credentials, voices];
