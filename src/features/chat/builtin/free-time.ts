import { type Asked, askedTime, saidMinutes } from "../../../engine/notes/message-time.ts";
import { merge } from "../../../lib/intervals.ts";
import type { Turn } from "../../tools/turn.ts";
import { eventsOf, whenWords } from "./events.ts";
import { eventLine, lines, type Reply, replyFor, speaker } from "./reply-text.ts";

const iso = (moment: Date) => moment.toISOString();

export async function freeTime(turn: Turn, message: string): Promise<Reply> {
  const asked = askedTime(message, turn.clock);
  const minutes = Math.min(
    Math.max(saidMinutes(message, turn.clock) ?? (/\bhour\b/i.test(message) ? 60 : 30), 5),
    1440,
  );
  if (asked?.isPoint && asked.isClock) return isFreeAt(turn, asked.start, minutes, /\bconflicts?\b/i.test(message));
  const range = asked && { start: iso(asked.start), end: iso(asked.end) };
  const taken = asked ? await whatIsThere(turn, asked) : "";
  const outcome = await turn.call("find_free_slots", { durationMinutes: minutes, limit: 50, ...range });
  return replyFor<{ slots: { start: string; end: string }[] }>(outcome, ({ slots }) => {
    const when = asked ? whenWords(turn, asked) : "in the next 7 days";
    const no = /^(?:am|are|will|do|is)\b/i.test(message) ? "No, you" : "You";
    if (slots.length === 0)
      return `${no} have no free slot of ${minutes} minutes within working hours ${when}.${taken}`;
    const { span } = speaker(turn);
    const gaps = merge(slots.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) })));
    return `${lines(`You are free ${when}:`, gaps, (gap) => span(gap.start, gap.end))}${taken}`;
  });
}

const LONGEST_SPAN = 26 * 3_600_000;

/** What takes up time on the day that was asked about, after the free times of it. */
async function whatIsThere(turn: Turn, { start, end }: Asked): Promise<string> {
  if (end.getTime() - start.getTime() > LONGEST_SPAN) return "";
  const found = await eventsOf(turn, { start: iso(start), end: iso(end), limit: 10 });
  const busy = "text" in found ? [] : found.events.filter((event) => event.busy && !event.allDay);
  return busy.length > 0 ? `\n${lines("Taken:", busy, eventLine(turn))}` : "";
}

async function isFreeAt(turn: Turn, start: Date, minutes: number, isAboutConflict: boolean): Promise<Reply> {
  const end = new Date(start.getTime() + minutes * 60_000);
  const found = await eventsOf(turn, { start: iso(start), end: iso(end) });
  if ("text" in found) return found;
  const { moment } = speaker(turn);
  // As for free slots, what does not take up time does not count, such as an invitation from a stranger.
  const busy = found.events.filter((event) => event.busy && !event.allDay);
  const [free, taken] = isAboutConflict ? ["No", "Yes"] : ["Yes", "No"];
  if (busy.length === 0) return { text: `${free}, you are free ${moment(start.getTime())} for ${minutes} minutes.` };
  return { text: lines(`${taken}, ${moment(start.getTime())} is busy:`, busy, eventLine(turn)) };
}
