import { findDates } from "../../../engine/dates/find-dates.ts";
import { LANGUAGE_NAMES } from "../../../lib/languages.ts";
import { longDate } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import { speakerOf, timeStyleOf } from "../../people/speaking.ts";
import type { Turn } from "../../tools/turn.ts";
import { errandOf } from "../language/errands/errand.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { type Reply, shorten } from "./reply-text.ts";

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
  /^(?:please )?(?<order>(?:call|phone|ring|order|buy|sell|pay|play|translate|calculate|print|download|drive|cook|bake|turn|switch|set|navigate|transfer|wire|book|reserve|rent|hail|get|bring|take|clean|fix|repair|open|close|start|stop|install|text|message|post|tweet|charge|renew|pick|check|look up|search|google) [^?]{1,80}?)[\s.!]*$/i;

/** Whether somebody or something else would have to do it: "order a pizza for 7". */
export const isOutsideErrand = (message: string) =>
  /^(?:order|play|turn|switch|navigate|hail|call|phone|ring|text|message|tweet|google|translate|calculate|convert|open|close|drive|book|reserve|rent|find|search|look up|check|get|bring|wake|sing|recommend|suggest|explain|define|compare|track)\b/i.test(
    message,
  );

const PRAISE =
  /^(?:(?:that's |this is |you(?:'re| are) |how |so |very |really |the |simply )*(?:great|perfect|cool|nice|lovely|awesome|excellent|brilliant|super|wonderful|best|fantastic|good|amazing|neat|sweet|well done|good job|nice one|sounds good|love it)\b[\s,.!]*)+$/i;

/** One sentence with the nearest thing that can be done. */
export function unknown(_: Turn, message: string): Reply {
  const subject = SUBJECTS.find(([words]) => words.test(message));
  if (subject) return { text: subject[1] };
  const order = ERRAND_OUTSIDE.exec(
    message.replace(
      /^(?:and |so |then )*(?:can|could|would|will) you (?:please |also |just |maybe |perhaps )*|(?<!\?)\?+$/gi,
      "",
    ),
  )?.groups?.order;
  if (order) {
    const wish = order.replace(/^(\w+) (?:me|us)\b/i, "$1");
    return { text: `I cannot do that, but I can remind you if you say: “remind me to ${wish}”.` };
  }
  if (/\bthank(?:s| you)\b/i.test(message)) return thanks();
  if (PRAISE.test(message)) return { text: "Glad to help." };
  if (/\p{L}/u.test(message) && isQuestion(message)) {
    return {
      text: "I can answer only questions about your emails, tasks and calendar, such as “what is due today?”. I cannot look up anything else.",
    };
  }
  return {
    text: "I did not understand that, but I can look after your emails, tasks and calendar. Say “help” for examples.",
  };
}

export function greeting({ ctx, timeZone }: Turn): Reply {
  const hour = new Date(toWall(timeZone, ctx.now.getTime())).getUTCHours();
  const part = hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening";
  return { text: `Good ${part}! Should I tell you what your day looks like, or what needs your attention?` };
}

export const thanks = (): Reply => ({ text: "You are welcome." });
export const goodbye = (): Reply => ({ text: "Goodbye." });
export const nothingToConfirm = (_: Turn, message: string): Reply => ({
  text: PRAISE.test(message) ? "Glad to help." : "There is nothing to confirm. What can I do for you?",
});
/** After a change, "I have not changed anything" would not be true. */
export const noProblem = ({ state }: Turn): Reply => ({
  text: state.isWritten
    ? "All right. I do nothing more. Say “undo” to take the last change back."
    : "All right. I have not changed anything.",
});
export const cannotSendText = (): Reply => ({
  text: "I cannot send text messages. I can add a reminder if you say: remind me to text …",
});
export const askForEmail = (): Reply => ({
  text: "Say who the email is for and what it should say, such as “write an email to ann@example.com that I am late”.",
});

/** Questions about what is in one's own calendar and tasks, by how they begin. */
const OWN =
  /^(?:(?:when|where|what time|what day|which day|who(?: else)?)\b(?!.*\b(?:can|could|should|would|shall)\b)(?=.*\b(?:i|i'm|my|our|we|invited|attending)\b)|(?:do|did|have|am|are) (?:i|we) |(?:is|are) (?:there|my|our)\b)/i;
const FRAME =
  /^(?:when|where|what time|what day|which day|who(?: else)?|do|did|have|am|are|is)\b(?:'s)?|\b(?:do|does|did|have|has|had|am|is|are|was|will|got|get|be|there|i|i'm|we|any|supposed|meant|going|to|coming|up|on|it|still|set|already|yet|invited|attending)\b/gi;
/** Things of a person that the assistant does not keep. */
const NOT_KEPT =
  /\b(?:you|your|life|name|age|weight|height|phone|cars?|keys?|wallet|money|bank|account|balance|cards?|wife|husband|facebook|twitter|instagram|social|feed|newsfeed|location|battery|music|playlist|password|fault|face|hair|mood|favou?rite|city|country|area|town|computer|tv|weather|rain|snow|umbrella|coat|jacket|traffic|news|stores?|restaurants?)\b/i;

/** A question about something of the person's own that is not stored. */
export function nothingOfYours(message: string): Reply | null {
  if (!OWN.test(message) || NOT_KEPT.test(message)) return null;
  const thing = message
    .replace(/(?<![?.!])[?.!]+$/, "")
    .replace(FRAME, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:my|the|an?|our|for|at|with) /i, "");
  return /\p{L}{3}/u.test(thing)
    ? { text: `I found nothing about “${shorten(thing)}” in your calendar and tasks.` }
    : null;
}

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
  const day = longDate(dateOf(toWall(timeZone, asked.getTime())), timeStyleOf(ctx));
  const isToday = day === longDate(dateOf(toWall(timeZone, ctx.now.getTime())), timeStyleOf(ctx));
  return { text: isToday ? `Today is ${day}.` : `That is ${day}.` };
}

/** English words that begin a request; what follows may be in any language. */
const ENGLISH_REQUEST =
  /^(?:please )?(?:add|create|make|remind|schedule|book|set|put|note|task|todo|cancel|move|delete|remove|show|list|find|search|mark|complete|tag|label|star|flag|archive|forward|reply|answer|snooze|send|tick|cross|call|tell|ask|write|read|open|give|change|plan|block|push|shift|bump|bring|pull|postpone|reschedule|extend|shorten|swap|clear|drop|invite|rename|and the|what|when|who|how|is|are|do|can|could)\b/i;
const COURTESIES: ReadonlySet<string> = new Set(["greeting", "thanks", "goodbye"]);

/** Of a message in another language only the dates are understood, and that is what the answer says. */
export function otherLanguage({ clock, ctx }: Turn, message: string): Reply | null {
  const { language, dates } = findDates(message.slice(0, 2000), clock);
  if (language === "en" || ENGLISH_REQUEST.test(message) || COURTESIES.has(errandOf(message))) return null;
  if (language === null) return { text: "I did not understand that: I understand English only. Nothing was changed." };
  const { moment, day } = speakerOf(ctx, clock.timeZone);
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
