import { pairs } from "../../lib/words.ts";
import { type Input, tokenAt, wordAt } from "./tokens.ts";

/** Cities that name no zone of their own, and countries with one zone. */
const FURTHER_PLACES = pairs(
  "boston: America/New_York, washington: America/New_York, washington dc: America/New_York, nyc: America/New_York",
  "new york city: America/New_York, philadelphia: America/New_York, atlanta: America/New_York, miami: America/New_York",
  "san francisco: America/Los_Angeles, sf: America/Los_Angeles, la: America/Los_Angeles, seattle: America/Los_Angeles",
  "san diego: America/Los_Angeles, silicon valley: America/Los_Angeles, portland: America/Los_Angeles",
  "las vegas: America/Los_Angeles, california: America/Los_Angeles, houston: America/Chicago, dallas: America/Chicago",
  "austin: America/Chicago, minneapolis: America/Chicago, texas: America/Chicago, salt lake city: America/Denver",
  "ottawa: America/Toronto, quebec: America/Toronto, calgary: America/Edmonton, rio: America/Sao_Paulo",
  "rio de janeiro: America/Sao_Paulo, brasilia: America/Sao_Paulo, uk: Europe/London, england: Europe/London",
  "scotland: Europe/London, edinburgh: Europe/London, manchester: Europe/London, ireland: Europe/Dublin",
  "munich: Europe/Berlin, hamburg: Europe/Berlin, frankfurt: Europe/Berlin, cologne: Europe/Berlin, germany: Europe/Berlin",
  "france: Europe/Paris, lyon: Europe/Paris, barcelona: Europe/Madrid, spain: Europe/Madrid, milan: Europe/Rome",
  "italy: Europe/Rome, geneva: Europe/Zurich, switzerland: Europe/Zurich, austria: Europe/Vienna, poland: Europe/Warsaw",
  "netherlands: Europe/Amsterdam, belgium: Europe/Brussels, sweden: Europe/Stockholm, norway: Europe/Oslo",
  "denmark: Europe/Copenhagen, finland: Europe/Helsinki, portugal: Europe/Lisbon, greece: Europe/Athens",
  "st petersburg: Europe/Moscow, ankara: Europe/Istanbul, turkey: Europe/Istanbul, israel: Asia/Jerusalem",
  "tel aviv: Asia/Jerusalem, abu dhabi: Asia/Dubai, uae: Asia/Dubai, india: Asia/Kolkata, mumbai: Asia/Kolkata",
  "delhi: Asia/Kolkata, new delhi: Asia/Kolkata, bangalore: Asia/Kolkata, bengaluru: Asia/Kolkata, chennai: Asia/Kolkata",
  "beijing: Asia/Shanghai, shenzhen: Asia/Shanghai, china: Asia/Shanghai, hanoi: Asia/Bangkok, vietnam: Asia/Ho_Chi_Minh",
  "osaka: Asia/Tokyo, kyoto: Asia/Tokyo, japan: Asia/Tokyo, korea: Asia/Seoul, taiwan: Asia/Taipei",
  "philippines: Asia/Manila, canberra: Australia/Sydney, wellington: Pacific/Auckland, new zealand: Pacific/Auckland",
  "cape town: Africa/Johannesburg, kenya: Africa/Nairobi, nigeria: Africa/Lagos, egypt: Africa/Cairo",
);
/** Zones named after something that is also a word or a name of people. */
const LEFT_OUT = new Set([
  "center",
  "knox",
  "marengo",
  "easter",
  "reunion",
  "nelson",
  "north",
  "south",
  "west",
  "east",
]);
const AREAS = /^(?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific|Indian)\//;

let cities: ReadonlyMap<string, string> | undefined;

/** City → zone: every zone is named after a city, and some more are known. Made when first needed. */
function cityZones(): ReadonlyMap<string, string> {
  cities ??= new Map([
    ...Intl.supportedValuesOf("timeZone")
      .filter((name) => AREAS.test(name))
      .map((name) => [(name.split("/").at(-1) ?? "").toLowerCase().replaceAll("_", " "), name] as const)
      .filter(([city]) => !LEFT_OUT.has(city)),
    ...FURTHER_PLACES,
  ]);
  return cities;
}

const MAX_WORDS = 3;

/** "New York", "Tokyo": the place named here and its zone. Names are written with a capital, or are all small. */
export function placeAt(input: Input, at: number): { end: number; zone: string } | null {
  if (tokenAt(input, at).kind !== "word") return null;
  let found: { end: number; zone: string } | null = null;
  let name = "";
  for (let index = at; index < at + MAX_WORDS && tokenAt(input, index).kind === "word"; index += 1) {
    name = name === "" ? wordAt(input, index) : `${name} ${wordAt(input, index)}`;
    const zone = cityZones().get(name);
    if (zone) found = { end: index + 1, zone };
  }
  return found;
}
