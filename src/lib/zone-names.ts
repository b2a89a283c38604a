/**
 * Names of the IANA database that the runtime understands but does not list: other names of a zone, and the fixed
 * offsets of `Etc`. Where the database and the runtime prefer different names, both are here, so that an update of the
 * runtime takes none away. Left out are the abbreviations (EST, CET, PST8PDT …), which people use for several zones.
 */
const FURTHER_NAMES = {
  "": "Cuba Egypt Eire GB GB-Eire GMT Greenwich Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya NZ NZ-CHAT Navajo PRC Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU Zulu",
  "Africa/": "Asmara Asmera Timbuktu",
  "America/":
    "Argentina/Buenos_Aires Argentina/Catamarca Argentina/ComodRivadavia Argentina/Cordoba Argentina/Jujuy Argentina/Mendoza Atikokan Atka Buenos_Aires Catamarca Coral_Harbour Cordoba Ensenada Fort_Wayne Godthab Indiana/Indianapolis Indianapolis Jujuy Kentucky/Louisville Knox_IN Louisville Mendoza Montreal Nipigon Nuuk Pangnirtung Porto_Acre Rainy_River Rosario Santa_Isabel Shiprock Thunder_Bay Virgin Yellowknife",
  "Antarctica/": "South_Pole",
  "Arctic/": "Longyearbyen",
  "Asia/":
    "Ashkhabad Calcutta Choibalsan Chongqing Chungking Dacca Harbin Ho_Chi_Minh Istanbul Kashgar Kathmandu Katmandu Kolkata Macao Rangoon Saigon Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator Yangon",
  "Atlantic/": "Faeroe Faroe Jan_Mayen",
  "Australia/": "ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna",
  "Brazil/": "Acre DeNoronha East West",
  "Canada/": "Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon",
  "Chile/": "Continental EasterIsland",
  "Etc/": "GMT GMT0 Greenwich UCT UTC Universal Zulu",
  "Etc/GMT+": "0 1 2 3 4 5 6 7 8 9 10 11 12",
  "Etc/GMT-": "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14",
  "Europe/": "Belfast Kiev Kyiv Nicosia Tiraspol Uzhgorod Zaporozhye",
  "Mexico/": "BajaNorte BajaSur General",
  "Pacific/": "Chuuk Enderbury Johnston Kanton Pohnpei Ponape Samoa Truk Yap",
  "US/": "Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain Pacific Samoa",
};

let spellings: ReadonlyMap<string, string> | undefined;

/**
 * The zone's name in the spelling of the IANA database, whatever the case it is given in; null for anything else, such
 * as "PST", "GMT+2" or "+02:00". The runtime accepts some of those, but they stand for several zones or for none.
 */
export function timeZoneName(name: string): string | null {
  spellings ??= new Map(allNames().map((known) => [known.toLowerCase(), known]));
  return spellings.get(name.toLowerCase()) ?? null;
}

function allNames(): string[] {
  const further = Object.entries(FURTHER_NAMES).flatMap(([area, names]) =>
    names.split(" ").map((name) => `${area}${name}`),
  );
  return [...further, ...Intl.supportedValuesOf("timeZone")];
}
