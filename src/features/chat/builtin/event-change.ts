import type { ChatRecord } from "../../../db/schema/chat.ts";
import { DAY_MS, dateOf, toInstant, toWall, wallDay } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { addressesOf } from "../../tools/addresses.ts";
import type { Turn } from "../../tools/turn.ts";
import type { Amendment } from "../language/follow-ups/amendment.ts";
import { refOf } from "./references.ts";

/** Changes that depend on how the event is now: "twice as long", "until Thursday", "take Jonas off again". */
export async function callByEvent(turn: Turn, record: ChatRecord, amendment: Amendment) {
  if (amendment.kind !== "times" && amendment.kind !== "until" && amendment.kind !== "uninvite") return null;
  const event = await getEvent(turn.ctx, record.id, record.occurrence ? new Date(record.occurrence) : undefined);
  const update = (change: object) => ({ tool: "update_event", input: { ...refOf(record), ...change } });
  const start = Date.parse(event.start);
  if (amendment.kind === "times") {
    const minutes = (Date.parse(event.end) - start) / 60_000;
    return update({ longerMinutes: Math.round(minutes * (amendment.factor - 1)) });
  }
  if (amendment.kind === "uninvite") {
    const gone = await guestsNamed(turn, event.attendees, amendment.people);
    return gone.length > 0 ? update({ removeAttendees: gone }) : null;
  }
  const { timeZone } = turn;
  const wall = toWall(timeZone, amendment.to.getTime());
  const move = (change: object) => ({ tool: "move_event", input: { ...refOf(record), ...change } });
  const first = toWall(timeZone, start);
  if (event.allDay) {
    // "Till Thursday" is the Thursday after it has begun.
    const weeks = Math.max(0, Math.ceil((wallDay(first) - wallDay(wall)) / (7 * DAY_MS)));
    const end = new Date(toInstant(timeZone, wallDay(wall) + (weeks * 7 + 1) * DAY_MS)).toISOString();
    return amendment.isDay ? move({ start: dateOf(first), end }) : null;
  }
  // "until Friday" of something that takes an hour puts it off.
  if (amendment.isDay) return move({ start: dateOf(wall) });
  const end = amendment.isTime ? wallDay(first) + (wall - wallDay(wall)) : wall;
  const said = (toInstant(timeZone, end) - start) / 60_000;
  // "Until 9", of something that begins at 19:00.
  const minutes = said <= 0 && said > -720 && wall - wallDay(wall) < DAY_MS / 2 ? said + 720 : said;
  return minutes > 0 ? update({ durationMinutes: minutes }) : null;
}

interface Guest {
  name: string | null;
  email: string;
}

async function guestsNamed({ ctx }: Turn, guests: readonly Guest[], people: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const person of people) {
    const known = await addressesOf(ctx, person);
    const isMeant = ({ name, email }: Guest) =>
      known.includes(email) || `${name ?? ""} ${email.split("@")[0]}`.toLowerCase().includes(person.toLowerCase());
    found.push(...guests.filter(isMeant).map(({ email }) => email));
  }
  return found;
}
