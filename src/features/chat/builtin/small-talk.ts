import { errandOf } from "../../../engine/assistant/errand.ts";
import { isQuestion } from "../../../engine/conversation/denial.ts";
import { findDates } from "../../../engine/dates/find-dates.ts";
import { LANGUAGE_NAMES } from "../../../lib/languages.ts";
import { longDate, speakerFor } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import type { Turn } from "../turn.ts";
import type { Reply } from "./reply-text.ts";

const ABILITIES = [
  "I can help with your email, tasks and calendar. For example:",
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

export const help = (): Reply => ({ text: ABILITIES });

/** What a message that was not understood is about, and what can be done there. */
const SUBJECTS: readonly [RegExp, string][] = [
  [
    /\b(?:e-?mails?|mails?|inbox|newsletters?|drafts?|spam)\b/i,
    "I did not understand that, but I can find, read, sort, answer, forward and write emails.",
  ],
  [
    /\b(?:calendar|events?|meetings?|appointments?|schedules?|agenda|invitations?)\b/i,
    "I did not understand that, but I can show your calendar, find free times, and add, change and cancel events.",
  ],
  [
    /\b(?:tasks?|to-?dos?|reminders?|lists?)\b/i,
    "I did not understand that, but I can show, add, change, complete and delete tasks.",
  ],
];
/** Orders for the world outside. */
const ERRAND_OUTSIDE =
  /^(?:please )?(?<order>(?:call|phone|ring|order|buy|pay|play|translate|calculate|print|download|drive|cook|turn (?:on|off)|navigate to|transfer) [^?]{1,80}?)[\s.!]*$/i;

/** One sentence with the nearest thing that can be done. */
export function unknown(_: Turn, message: string): Reply {
  const subject = SUBJECTS.find(([words]) => words.test(message));
  if (subject) return { text: subject[1] };
  const order = ERRAND_OUTSIDE.exec(message)?.groups?.order;
  if (order) return { text: `I cannot do that, but I can remind you if you say: “remind me to ${order}”.` };
  if (/\p{L}/u.test(message) && isQuestion(message)) {
    return { text: "I can answer only questions about your emails, tasks and calendar, such as “what is due today?”." };
  }
  return { text: "I did not understand that. Say “help” to see what I can do." };
}

export function greeting({ ctx, timeZone }: Turn): Reply {
  const hour = new Date(toWall(timeZone, ctx.now.getTime())).getUTCHours();
  const part = hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
  return { text: `Good ${part}! Should I tell you what your day looks like, or what needs your attention?` };
}

export const thanks = (): Reply => ({ text: "You are welcome." });
export const goodbye = (): Reply => ({ text: "Goodbye." });
export const nothingToConfirm = (): Reply => ({ text: "There is nothing to confirm. What can I do for you?" });
export const noProblem = (): Reply => ({ text: "All right. I have not changed anything." });
export const cannotSendText = (): Reply => ({
  text: "I cannot send text messages. I can add a reminder if you say: remind me to text …",
});
export const askForEmail = (): Reply => ({
  text: "Say who the email is for and what it should say, such as “write an email to ann@example.com that I am late”.",
});

export const onlyAsked = (): Reply => ({
  text: "I found nothing about that. I have not changed anything: to have it done, say it as a request.",
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

/** IANA zones are named after cities, so most large cities are found by their own name. */
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

export function tellTime({ ctx, timeZone }: Turn, message: string): Reply {
  const place = placeIn(message);
  if (place) return { text: `In ${place.name} it is ${clockIn(place.zone, ctx.now)}.` };
  const isElsewhere = /\b(?:in|at) (?!the moment|this moment|my\b|now|here)[a-z]/i.test(message);
  const here = `It is ${clockIn(timeZone, ctx.now)} (${timeZone}).`;
  return { text: isElsewhere ? `I do not know that place. ${here}` : here };
}

export function tellTimeZone({ ctx, timeZone }: Turn, message: string): Reply {
  if (/^(?:please )?(?:set|change|switch|update|make)\b/i.test(message)) {
    return { text: `I cannot change your time zone here: do that in the settings of your profile. It is ${timeZone}.` };
  }
  const place = placeIn(message);
  if (place) return { text: `${place.name} is in ${place.zone}, where it is ${clockIn(place.zone, ctx.now)}.` };
  return { text: `I do not know that place. Your own time zone is ${timeZone}.` };
}

export function tellDate({ ctx, timeZone, clock }: Turn, message: string): Reply {
  const { dates } = findDates(message.slice(0, 500), clock);
  const doubt = dates.find((date) => date.doubt)?.doubt;
  if (doubt) return { text: doubt };
  const asked = dates.find(({ from }) => from !== null)?.from ?? ctx.now;
  const day = longDate(dateOf(toWall(timeZone, asked.getTime())));
  const isToday = day === longDate(dateOf(toWall(timeZone, ctx.now.getTime())));
  return { text: isToday ? `Today is ${day}.` : `That is ${day}.` };
}

/** English words that begin a request; what follows may be in any language. */
const ENGLISH_REQUEST =
  /^(?:please )?(?:add|create|make|remind|schedule|book|set|put|note|task|todo|cancel|move|delete|remove|show|list|find|search|mark|complete|plan|block|what|when|who|how|is|are|do|can|could)\b/i;
const COURTESIES: ReadonlySet<string> = new Set(["greeting", "thanks", "goodbye"]);

/** Of a message in another language only the dates are understood, and that is what the answer says. */
export function otherLanguage({ clock }: Turn, message: string): Reply | null {
  const { language, dates } = findDates(message.slice(0, 2000), clock);
  if (language === "en" || ENGLISH_REQUEST.test(message) || COURTESIES.has(errandOf(message))) return null;
  if (language === null) return { text: "I did not understand that: I understand English only. Nothing was changed." };
  const { moment, day } = speakerFor(clock.timeZone, clock.reference);
  const times = dates.flatMap(({ from, type, text, doubt }) => {
    if (doubt) return [doubt];
    if (from === null) return [];
    return [`“${text}” is ${/time/.test(type) ? moment(from.getTime()) : day(from.getTime())}.`];
  });
  const name = LANGUAGE_NAMES[language];
  const read = times.length > 0 ? ` I read only its dates: ${times.slice(0, 3).join(" ")}` : "";
  return {
    text: `I did not understand that: it looks like ${name}, and I understand English only. Nothing was changed.${read}`,
  };
}
