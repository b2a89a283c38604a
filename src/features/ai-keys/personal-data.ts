import { onePage, type PersonalData } from "../../db/personal-data.ts";
import { eraseKeys, listKeys } from "./service.ts";

/** Which providers have a key; the keys themselves are never exported. */
export const personalData: readonly PersonalData[] = [
  {
    name: "aiKeys",
    ownersOnly: true,
    pages: onePage(listKeys),
    archive: { notImported: "Keys are secret: an export has only the names of the providers." },
    erase: eraseKeys,
  },
];
