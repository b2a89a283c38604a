import { getEvent } from "../../calendar/events/service.ts";
import type { Turn } from "../../tools/turn.ts";
import { reader, SURE_TO_ADD } from "../language/reader/reader.ts";
import { filledBy, tidy } from "../language/reader/wish.ts";
import { meant } from "./references.ts";

/** The event that the conversation is about, if it is one. */
export async function eventMeant(turn: Turn) {
  const found = meant(turn, { which: "one", kind: "event" }, ["event"]);
  const record = found && "records" in found ? found.records[0] : undefined;
  if (!record) return null;
  const event = await getEvent(turn.ctx, record.id, record.occurrence ? new Date(record.occurrence) : undefined);
  return { ...event, title: record.title };
}

/** A place has a name of its own: "lunch with Ana at Borough Market", "a call in room 2". */
const PLACE =
  /^(?<what>.*\S) (?:(?:at|in) (?<place>(?:the )?(?:\p{Lu}[\p{L}\d'’&.-]*|[Rr]oom \w+)(?: [\p{L}\d'’&.-]+){0,5})|on (?<floor>(?:[Ww]ard|[Ff]loor|[Ll]evel|[Dd]eck|[Pp]latform) \w+))$/u;
/** "…, place is Cafe Nord" */
const SAID_PLACE =
  /^(?<what>.{0,200}\S?)[\s,]+(?:the )?(?:place|venue|location)(?:'s| is| will be|:) (?:at |in )?(?<place>\p{L}[^,;]{1,60})$/iu;
const THERE = /(?<!\s)\s*\bthere\b$/i;

/** "flat meeting in the kitchen": a place without a name of its own, if the reader takes it for one. */
function placeRead({ clock }: Turn, title: string, message: string): { title: string; location: string } | null {
  const reading = reader.read(message, clock);
  const [best] = reading.acts;
  if (best?.act !== "add_event" || best.share < SURE_TO_ADD) return null;
  const place = filledBy(reading.slots("add_event"), "p")[0]?.replace(/^(?:(?:at|in|on) )?(?:the )?/i, "");
  const behind = /^(?<what>.{0,200}\S),? (?:at|in) (?:the )?(?<place>[^,]+)$/i.exec(title)?.groups;
  if (!place || !behind?.what || behind.place?.toLowerCase() !== place.toLowerCase()) return null;
  return { title: behind.what, location: tidy(place) };
}

/** The title without its place. "There" is the place of the last event. */
export async function withPlace(
  turn: Turn,
  title: string,
  message: string,
): Promise<{ title: string; location: string | null }> {
  const found = (SAID_PLACE.exec(title) ?? PLACE.exec(title))?.groups;
  const place = found?.place ?? found?.floor;
  if (found?.what && place && !/\bat$/i.test(found.what)) return { title: found.what, location: place };
  const read = placeRead(turn, title, message);
  if (read) return read;
  if (!THERE.test(title)) return { title, location: null };
  const location = (await eventMeant(turn))?.location ?? null;
  return location ? { title: title.replace(THERE, ""), location } : { title, location };
}
