import { onePage, type PersonalData } from "../../db/personal-data.ts";
import { eraseKeys, listKeys } from "./service.ts";

/** Which providers have a key. The keys themselves are never exported. */
const keys: PersonalData = {
  name: "aiKeys",
  ownersOnly: true,
  pages: (ctx) => onePage(listKeys(ctx)),
  erase: eraseKeys,
};

export const personalData: readonly PersonalData[] = [keys];
