import { type KeptData, onePage } from "../../db/personal-data.ts";
import { eraseKeys, listKeys } from "./service.ts";

/** Which providers have a key. The keys themselves are never exported. */
export const keptAiKeys: KeptData = {
  name: "aiKeys",
  ownersOnly: true,
  pages: (ctx) => onePage(listKeys(ctx)),
  erase: eraseKeys,
};
