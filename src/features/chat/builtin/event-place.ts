import { getEvent } from "../../calendar/events/service.ts";
import type { Turn } from "../turn.ts";
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
  /^(?<what>.*\S) (?:at|in) (?<place>(?:the )?(?:\p{Lu}[\p{L}\d'’&.-]*|[Rr]oom \w+)(?: [\p{L}\d'’&.-]+){0,5})$/u;
const THERE = /\s*\bthere\b$/i;

/** The title without its place. "There" is the place of the last event. */
export async function withPlace(turn: Turn, title: string): Promise<{ title: string; location: string | null }> {
  const found = PLACE.exec(title)?.groups;
  if (found?.what && found.place && !/\bat$/i.test(found.what)) return { title: found.what, location: found.place };
  if (!THERE.test(title)) return { title, location: null };
  const location = (await eventMeant(turn))?.location ?? null;
  return location ? { title: title.replace(THERE, ""), location } : { title, location };
}
