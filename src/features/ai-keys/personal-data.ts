import { onePage, type PersonalDataSection } from "../../db/personal-data.ts";
import { eraseKeys, listKeys } from "./service.ts";

/** Which providers have a key; the keys themselves are never exported. */
export const personalData: readonly PersonalDataSection[] = [
  {
    name: "aiKeys",
    ownersOnly: true,
    pages: onePage(listKeys),
    erase: eraseKeys,
  },
];
