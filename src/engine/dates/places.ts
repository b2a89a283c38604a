import { wordSet } from "../../lib/words.ts";
import { type Input, tokenAt, wordAt } from "./tokens.ts";

/** Cities that name no zone of their own, and countries with one zone, behind their zone. */
const FURTHER_PLACES = `
America/New_York: boston, washington, washington dc, nyc, new york city, philadelphia, atlanta, miami
America/Los_Angeles: san francisco, sf, la, seattle, san diego, silicon valley, portland, las vegas, california
America/Chicago: houston, dallas, austin, minneapolis, texas
America/Denver: salt lake city
America/Toronto: ottawa, quebec
America/Edmonton: calgary
America/Sao_Paulo: rio, rio de janeiro, brasilia
Europe/London: uk, england, scotland, edinburgh, manchester
Europe/Dublin: ireland
Europe/Berlin: munich, hamburg, frankfurt, cologne, germany
Europe/Paris: france, lyon
Europe/Madrid: barcelona, spain
Europe/Rome: milan, italy
Europe/Zurich: geneva, switzerland
Europe/Vienna: austria
Europe/Warsaw: poland
Europe/Amsterdam: netherlands
Europe/Brussels: belgium
Europe/Stockholm: sweden
Europe/Oslo: norway
Europe/Copenhagen: denmark
Europe/Helsinki: finland
Europe/Lisbon: portugal
Europe/Athens: greece
Europe/Moscow: st petersburg
Europe/Istanbul: ankara, turkey
Asia/Jerusalem: israel, tel aviv
Asia/Dubai: abu dhabi, uae
Asia/Kolkata: india, mumbai, delhi, new delhi, bangalore, bengaluru, chennai
Asia/Shanghai: beijing, shenzhen, china
Asia/Bangkok: hanoi
Asia/Ho_Chi_Minh: vietnam
Asia/Tokyo: osaka, kyoto, japan
Asia/Seoul: korea
Asia/Taipei: taiwan
Asia/Manila: philippines
Australia/Sydney: canberra
Pacific/Auckland: wellington, new zealand
Africa/Johannesburg: cape town
Africa/Nairobi: kenya
Africa/Lagos: nigeria
Africa/Cairo: egypt`;
/** Zones named after something that is also a word or a name of people. */
const LEFT_OUT = wordSet("center knox marengo easter reunion nelson north south west east");
const AREAS = /^(?:Africa|America|Asia|Atlantic|Australia|Europe|Pacific|Indian)\//;

let cities: ReadonlyMap<string, string> | undefined;

/** City → zone: every zone is named after a city, and some more are known. Made when first needed. */
function cityZones(): ReadonlyMap<string, string> {
  cities ??= new Map([
    ...Intl.supportedValuesOf("timeZone")
      .filter((name) => AREAS.test(name))
      .map((name) => [(name.split("/").at(-1) ?? "").toLowerCase().replaceAll("_", " "), name] as const)
      .filter(([city]) => !LEFT_OUT.has(city)),
    ...furtherPlaces(),
  ]);
  return cities;
}

const furtherPlaces = () =>
  FURTHER_PLACES.trim()
    .split("\n")
    .flatMap((line) => {
      const [zone = "", cities = ""] = line.split(": ");
      return cities.split(", ").map((city) => [city, zone] as const);
    });

/** The zone of a city or country by its name. */
export const zoneOfPlace = (name: string): string | null => cityZones().get(name.toLowerCase()) ?? null;

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
