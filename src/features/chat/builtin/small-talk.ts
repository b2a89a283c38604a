import { findDates } from "../../../engine/dates/find-dates.ts";
import { longDate } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import type { Turn } from "../turn.ts";
import type { Answer } from "./reply-text.ts";

const ABILITIES = [
  "I can help with your mail, tasks and calendar. For example:",
  "- summarize my recent emails",
  "- what urgent items need my attention?",
  "- remind me to call Ann tomorrow at 3",
  "- mark call Ann as done",
  "- what is on my calendar this week?",
  "- schedule a meeting with Bob on thursday at 3pm for 1 hour",
  "- move my dentist appointment to friday 10am",
  "- when am I free tomorrow?",
  "- what does my day look like?",
].join("\n");

export const help = (): Answer => ({ text: ABILITIES });

/** Honest about what it is: no language model, and how to get one. */
export const unknown = (): Answer => ({
  text: `That is beyond what I can do without a language model; without one I understand English only. Add one's key with POST /api/api-keys to talk freely.\n\n${ABILITIES}`,
});

export function greeting({ ctx, timeZone }: Turn): Answer {
  const hour = new Date(toWall(timeZone, ctx.now.getTime())).getUTCHours();
  const part = hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
  return { text: `Good ${part}! Shall I tell you what your day looks like, or what needs your attention?` };
}

export const thanks = (): Answer => ({ text: "You are welcome." });
export const goodbye = (): Answer => ({ text: "Goodbye. I keep an eye on things." });
export const nothingToConfirm = (): Answer => ({ text: "All right. What can I do for you?" });
export const noProblem = (): Answer => ({ text: "All right, I leave it as it is." });
export const cannotText = (): Answer => ({
  text: "I cannot send text messages. I can add a reminder to write to them, if you say: remind me to text …",
});
export const cannotMail = (): Answer => ({
  text: "I do not send mail from the chat. Answer a mail with POST /api/emails/{id}/reply, or say: remind me to write to …",
});

export const cannotUndo = (): Answer => ({
  text: "I cannot undo by myself. Say what to change back, for example: move my dentist appointment to friday 10am.",
});

const PLACES: Record<string, string> = {
  "new york": "America/New_York",
  "los angeles": "America/Los_Angeles",
  "san francisco": "America/Los_Angeles",
  chicago: "America/Chicago",
  denver: "America/Denver",
  toronto: "America/Toronto",
  london: "Europe/London",
  paris: "Europe/Paris",
  berlin: "Europe/Berlin",
  madrid: "Europe/Madrid",
  rome: "Europe/Rome",
  moscow: "Europe/Moscow",
  dubai: "Asia/Dubai",
  delhi: "Asia/Kolkata",
  mumbai: "Asia/Kolkata",
  singapore: "Asia/Singapore",
  "hong kong": "Asia/Hong_Kong",
  beijing: "Asia/Shanghai",
  shanghai: "Asia/Shanghai",
  tokyo: "Asia/Tokyo",
  seoul: "Asia/Seoul",
  sydney: "Australia/Sydney",
  eastern: "America/New_York",
  central: "America/Chicago",
  mountain: "America/Denver",
  pacific: "America/Los_Angeles",
  utc: "UTC",
  gmt: "UTC",
};

/** A zone of the IANA database is named for a city, so most large ones are known by their own name. */
function placeIn(message: string): { name: string; zone: string } | null {
  const text = message.toLowerCase();
  const known = Object.entries(PLACES).find(([name]) => text.includes(name));
  if (known) return { name: title(known[0]), zone: known[1] };
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const name = zone.split("/").at(-1)?.replaceAll("_", " ") ?? "";
    if (name.length > 3 && new RegExp(`\\b${name.toLowerCase()}\\b`).test(text)) return { name, zone };
  }
  return null;
}

const title = (name: string) => name.replace(/\b\w/g, (letter) => letter.toUpperCase());
const clockIn = (zone: string, now: Date) => new Date(toWall(zone, now.getTime())).toISOString().slice(11, 16);

export function tellTime({ ctx, timeZone }: Turn, message: string): Answer {
  const place = placeIn(message);
  if (place) return { text: `In ${place.name} it is ${clockIn(place.zone, ctx.now)}.` };
  const isElsewhere = /\b(?:in|at) (?!the moment|this moment|my\b|now|here)[a-z]/i.test(message);
  const here = `It is ${clockIn(timeZone, ctx.now)} (${timeZone}).`;
  return { text: isElsewhere ? `I do not know the clocks of that place. ${here}` : here };
}

export function tellTimeZone({ ctx, timeZone }: Turn, message: string): Answer {
  const place = placeIn(message);
  if (place) return { text: `${place.name} is in ${place.zone}, where it is ${clockIn(place.zone, ctx.now)}.` };
  return { text: `I do not know that place. Your own time zone is ${timeZone}.` };
}

export function tellDate({ ctx, timeZone }: Turn, message: string): Answer {
  const { dates } = findDates(message.slice(0, 500), { reference: ctx.now, timeZone });
  const asked = dates.find(({ from }) => from !== null)?.from ?? ctx.now;
  const day = longDate(dateOf(toWall(timeZone, asked.getTime())));
  const isToday = day === longDate(dateOf(toWall(timeZone, ctx.now.getTime())));
  return { text: isToday ? `Today is ${day}.` : `That is ${day}.` };
}
