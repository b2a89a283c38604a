import { wordSet } from "../../../../lib/words.ts";

const EVENTS = wordSet(
  "event events meeting meetings appointment appointments calendar schedule schedules agenda engagement engagements commitment commitments booking bookings",
);
const EMAILS = wordSet("email emails e-mail e-mails mail mails inbox message messages mailbox");
const TASKS = wordSet("task tasks todo todos to-do to-dos list lists reminder reminders checklist chores");
/** Words of a question or of a request to see something, which say nothing about the thing itself. */
const PLAIN = wordSet(
  "a an the my mine our your i me we us you it its this that these those there here to of in on at for from by with and or about as so if then " +
    "is are was were be been am do does did have has had got get getting having will would can could should may might need want like let know " +
    "what which who whom when where how many much whats what's who's any anything something all every everything each else more left other " +
    "show display fetch grab load tell give read recite provide put view see open check look up update updates refresh find pull bring list listed run over out through screen " +
    "new newest latest last recent recently current currently upcoming coming next first incoming available planned happening happen going scheduled set due received arrived " +
    "information info details detail content contents items item things thing app application please kindly now again quickly just still already really specific particular whole entire full " +
    "assistant hey hi hello ok okay ahead",
);
const TIMES = wordSet(
  "today tomorrow tonight yesterday morning afternoon evening night noon midnight day days week weeks weekend month months year hour hours minute minutes quarter half past " +
    "before after until till since between during within later earlier early late end start rest o'clock oclock am pm a.m p.m " +
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun " +
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec " +
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty " +
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth second",
);
const NUMBER = /^\d[\d:.]*(?:st|nd|rd|th|am|pm|h)?$/;

/** What a day may hold, without a word for it: "anything planned for Friday?", "is tomorrow free?" */
const PLANS = wordSet("plans plan planned scheduled booked busy free doing going happening");
const OPENS = wordSet(
  "what whats what's anything my is am are do have show tell give see check let remind i we any please",
);

function plansAsked([first = "", ...rest]: readonly string[]): "list_events" | "free_time" | null {
  if (!OPENS.has(first)) return null;
  if (rest.includes("free")) return "free_time";
  return [first, ...rest].some((word) => PLANS.has(word)) ? "list_events" : null;
}

/**
 * What a message asks to see that names nothing but a kind of record and a time: "what events are this week", "my list
 * please", "check my email messages". No other word stands in it, so nothing can be overlooked.
 */
export function lookedUp(
  text: string,
): "list_events" | "free_time" | "summarise_mail" | "list_tasks" | "show_lists" | null {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’:.-]*/gu) ?? [];
  const bare = words.map((word) =>
    word.replace(/(?<![.:])[.:]+$/, "").replace(/['’]s$/, (end) => (word === `what${end}` ? end : "")),
  );
  const kindOf = (word: string) =>
    EVENTS.has(word) ? "events" : EMAILS.has(word) ? "emails" : TASKS.has(word) ? "tasks" : null;
  // "list" is a verb before another kind: "list my meetings".
  const kinds = new Set(bare.map(kindOf).filter((kind) => kind !== null));
  if (words.length > 16) return null;
  const isKnown = (word: string) => kindOf(word) !== null || PLAIN.has(word) || TIMES.has(word) || NUMBER.test(word);
  if (!bare.every((word) => isKnown(word) || (kinds.size === 0 && PLANS.has(word)))) return null;
  if (kinds.size === 0) return bare.some((word) => TIMES.has(word)) && !bare.includes("you") ? plansAsked(bare) : null;
  if (kinds.has("emails")) return "summarise_mail";
  if (kinds.has("events")) return "list_events";
  return bare.includes("lists") ? "show_lists" : "list_tasks";
}
