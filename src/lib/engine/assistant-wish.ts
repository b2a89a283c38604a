import { type Intent, intentModel } from "./intent-model.ts";

/** What a message to the assistant wants, as far as the built-in engine can tell. */
export type Wish =
  | "summarise_mail"
  | "find_mail"
  | "tasks_from_mail"
  | "send_mail"
  | "attention"
  | "summarise_tasks"
  | "list_tasks"
  | "add_task"
  | "complete_task"
  | "change_task"
  | "remove_task"
  | "list_events"
  | "add_event"
  | "move_event"
  | "cancel_event"
  | "free_time"
  | "brief"
  | "time"
  | "date"
  | "time_zone"
  | "greeting"
  | "thanks"
  | "goodbye"
  | "help"
  | "yes"
  | "no"
  | "send_text"
  | "unknown";

const MAIL = /\b(?:e-?mails?|mails?|inbox)\b/;
const TASK = /\b(?:tasks?|to-?dos?|to do (?:list|item)s?|chores?|reminders?|things to do|(?:my|the) list)\b/;
const EVENT =
  /\b(?:events?|meetings?|appointments?|calls?|calendar|schedule|agenda|lunch|dinner|breakfast|coffee|interview|standup|stand-up|sync|1:1|one[- ]on[- ]one|session|booking|reservation|party|webinar|demo|workshop)\b/;
const ASKS =
  /^(?:what|which|who|when|where|how|is|are|do|does|did|am|will|have|any|show|list|tell|give|read|display|see|let me|check|find|pull|bring|view|get)\b|\b(?:show|tell|give|read) me\b|\bdo i have\b|\?$/;
const LISTS =
  /^(?:what|which|show|list|tell|give|read|display|how many|do i have|any|see|let me (?:see|know)|view|remind me what)\b/;
const ADDS =
  /^(?:add|create|make|set|put|new|start|insert|include|schedule|book|plan|arrange|organi[sz]e|note|remember|remind)\b/;

const isShort = (text: string, words: number) => text.split(" ").length <= words;
const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|yo|greetings|aloha|hola|bonjour|good (?:morning|afternoon|evening|day))\b/;
const HOW_ARE_YOU = /\bhow (?:are|have) (?:you|things)\b|\bhow(?:'s| is) (?:it going|life|everything)\b|^what's up\b/;
const GOODBYE =
  /\b(?:good ?bye|bye|farewell|adios|ciao|see (?:you|ya)|so long|good ?night|talk (?:to you )?(?:later|soon)|signing off|sayonara|take care|have a (?:good|nice|great) (?:day|one|night|evening|weekend))\b/;
const YES = /^(?:yes|yep|yeah|yup|sure|ok|okay|correct|right|absolutely|definitely|of course|do it|go ahead|confirm)\b/;
const NO = /^(?:no|nope|nah|naw|nay|negative|never|not (?:really|at all|true|now)|don't|do not)\b/;
const WRONG =
  /\b(?:isn't|is not|not|can't be|cannot be) (?:correct|true|right|accurate|the right)\b|\b(?:incorrect|inaccurate|false|untrue|wrong)\b/;

const DAYS =
  "today|tonight|this morning|this afternoon|this evening|tomorrow|yesterday|this week|next week|the week|my week|the weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const DAY_AHEAD = new RegExp(
  `^(?:what|how) (?:does|do|is|are) (?:my )?(?:${DAYS})\\b.{0,20}\\blook|^what(?:'s| is) (?:on|up|planned|happening) (?:for |on )?(?:${DAYS})\\b|^what (?:do i have|have i got|am i doing) (?:to do |planned |going |going on |on )?(?:on |for )?(?:${DAYS})\\b|\\bwhen (?:do|am|will) i (?:meet|meeting|see|seeing)\\b`,
);

/** Sure signs, read in this order; the trained model judges what has none of them. */
const SIGNS: readonly [Wish, (text: string) => boolean][] = [
  [
    "tasks_from_mail",
    (text) =>
      MAIL.test(text) &&
      /\b(?:turn|make|create|extract|convert|pull|add|get|find)\b.{0,80}\b(?:tasks?|to[- ]?dos?|action items?)\b/.test(
        text,
      ) &&
      /\b(?:from|out of|into|in|of)\b/.test(text) &&
      !/\bto (?:e-?mail|mail|write|reply|answer|send|check|read)\b/.test(text),
  ],
  [
    "send_mail",
    (text) =>
      /^(?:send|write|compose|draft|reply|respond|answer|forward)\b.{0,60}\b(?:e-?mails?|mails?)\b/.test(text) ||
      /^(?:e-?mail|reply to|forward) \w+/.test(text),
  ],
  [
    "add_task",
    (text) =>
      /^remind me\b|\bremind me (?:to|about|that|of|in|at|on|tomorrow|tonight|next|when)\b|\b(?:don't let me|do not let me) forget\b|^(?:todo|to-do|task|reminder)\s*[:-]|^(?:jot|note|write) down\b/.test(
        text,
      ) && !/\b(?:what|which) (?:did|do|have)\b/.test(text),
  ],
  [
    "attention",
    (text) =>
      /\b(?:urgent|important|critical|pressing|attention|priorit(?:y|ies)|focus on)\b/.test(text) &&
      (ASKS.test(text) || /\bneeds? (?:my|your)? ?attention\b/.test(text)) &&
      /\b(?:my|me|i|today|items?|tasks?|e-?mails?|mails?|anything|attention)\b/.test(text) &&
      !ADDS.test(text) &&
      !/^(?:mark|change|set|move|cancel)\b/.test(text),
  ],
  [
    "summarise_mail",
    (text) =>
      MAIL.test(text) &&
      (/\b(?:summar|overview|recap|digest|catch me up|catch up|sum up|run[- ]?down|brief me)/.test(text) ||
        /\b(?:what'?s|what is|anything) (?:new )?in (?:my|the) (?:inbox|mail|e-?mail)/.test(text) ||
        (/\b(?:recent|latest|new|unread|today's|any|newest|last few)\b.{0,20}\b(?:e-?mails?|mails?)\b/.test(text) &&
          !/\b(?:from|about)\b/.test(text)) ||
        /^(?:check|read|show|list|open|see|get)\b.{0,20}\b(?:my|the|all)\b.{0,20}\b(?:e-?mails?|mails?|inbox)\b$/.test(
          text,
        )) &&
      !ADDS.test(text),
  ],
  [
    "find_mail",
    (text) =>
      MAIL.test(text) &&
      !ADDS.test(text) &&
      (/\b(?:find|search|look|show|read|open|get|list|see|pull up|did|has|have|any|what|which|when|where)\b/.test(
        text,
      ) ||
        /\bfrom\b/.test(text)),
  ],
  [
    "summarise_tasks",
    (text) =>
      TASK.test(text) &&
      /\b(?:summary|overview|summari[sz]e|report|status of|state of|recap|breakdown|statistics)\b/.test(text) &&
      !ADDS.test(text),
  ],
  [
    "brief",
    (text) =>
      /\b(?:daily|morning|today's)? ?brief(?:ing)?\b(?! (?:call|meeting|chat))|\b(?:what does|what's|what is|how does|how's|how is) my (?:day|morning|afternoon)\b|\b(?:run|walk|talk) me through my day\b|\bsum(?:marize|marise| up) my day\b|\bplan for (?:the day|today)\b|^(?:my )?day ahead\b/.test(
        text,
      ) &&
      !/\b(?:tomorrow|yesterday|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/.test(text) &&
      !ADDS.test(text),
  ],
  [
    "free_time",
    (text) =>
      /\b(?:am i|are we|i am|i'm|will i be|are there|is there|do i have)\b.{0,30}\b(?:free|available|open|availability)\b|\b(?:free|open|available) (?:time|slots?|hours?|windows?|spots?|gaps?)\b|\bwhen (?:am|are|can|could|will) (?:i|we)\b.{0,20}\b(?:free|available|meet)\b|\b(?:my|check) availability\b|\b(?:find|suggest|propose|look for)\b.{0,20}\b(?:a |some )?(?:time|slot)s?\b|\bwhat times? (?:am|are) (?:i|we) free\b/.test(
        text,
      ) && !ADDS.test(text),
  ],
  [
    "complete_task",
    (text) =>
      /\b(?:mark|set|flag)\b.{1,120}\b(?:done|complete|completed|finished)\b|^(?:check|tick|cross) .{0,80}\boff\b|^(?:check|tick|cross) off\b|^(?:complete|finish|finished|completed|done with)\b|^i(?:'ve| have|'m)? (?:just |already )?(?:finished|completed|done with|did|done)\b|\bis (?:done|finished|complete(?:d)?)$/.test(
        text,
      ) && !/\?$/.test(text),
  ],
  [
    "change_task",
    (text) =>
      TASK.test(text) &&
      /^(?:change|move|postpone|push|reschedule|delay|update|set|make|extend)\b/.test(text) &&
      /\b(?:due|deadline|priority|task|reminder|to[- ]?do)\b/.test(text) &&
      /\b(?:to|until|till|by|urgent|high|low|medium)\b/.test(text) &&
      !/^(?:set|make|add) (?:a|an|another|up a|me a)\b/.test(text),
  ],
  [
    "change_task",
    (text) => /^(?:change|set|make|update|raise|lower)\b.{1,120}\bpriority\b/.test(text) && !EVENT.test(text),
  ],
  [
    "move_event",
    (text) => /^(?:move|reschedule|postpone|push|shift|delay|bring forward|rebook)\b/.test(text) && !TASK.test(text),
  ],
  [
    "remove_task",
    (text) =>
      /^(?:delete|remove|cancel|drop|scrap|erase|take|get rid of|clear|forget)\b/.test(text) &&
      TASK.test(text) &&
      !/\bcalendar\b/.test(text),
  ],
  [
    "cancel_event",
    (text) => /^(?:cancel|call off|delete|remove|drop|scrap|clear|erase)\b/.test(text) && EVENT.test(text),
  ],
  [
    "add_task",
    (text) =>
      /^(?:add|create|make|set|put|new|note|include|insert)\b/.test(text) &&
      TASK.test(text) &&
      !/\bcalendar\b/.test(text),
  ],
  [
    "add_event",
    (text) =>
      (/^(?:schedule|book|set up|arrange|plan|organi[sz]e|create|add|put|make|set)\b/.test(text) &&
        EVENT.test(text) &&
        !/\bhow (?:do|to|can)\b/.test(text)) ||
      /^(?:schedule|book) (?!flight|hotel|table|ticket)\w+.{0,80}\bwith\b/.test(text),
  ],
  ["list_tasks", (text) => LISTS.test(text) && TASK.test(text) && !/\b(?:calendar|you|your)\b/.test(text)],
  [
    "list_events",
    (text) =>
      DAY_AHEAD.test(text) ||
      (/^(?:what|which|when|show|list|tell|do i have|how many|any|where|display)\b/.test(text) &&
        /\b(?:my|i|me|have|on|any|today|tomorrow)\b/.test(text) &&
        EVENT.test(text) &&
        !/\b(?:you|your|phone|credit|car|call (?:you|it|them))\b/.test(text)),
  ],
  ["goodbye", (text) => isShort(text, 9) && GOODBYE.test(text)],
  [
    "thanks",
    (text) =>
      isShort(text, 6) && /\b(?:thanks|thank you|thx|cheers|much appreciated)\b/.test(text) && !/^no\b/.test(text),
  ],
  ["greeting", (text) => (isShort(text, 3) && GREETING.test(text)) || (isShort(text, 8) && HOW_ARE_YOU.test(text))],
  ["no", (text) => (isShort(text, 5) && NO.test(text)) || (isShort(text, 8) && WRONG.test(text))],
  ["yes", (text) => isShort(text, 3) && YES.test(text)],
];

/** What is usually done about an intent of the public data. */
export const BY_INTENT: Record<Intent, Wish> = {
  oos: "unknown",
  time: "time",
  timezone: "time_zone",
  date: "date",
  what_can_i_ask_you: "help",
  yes: "yes",
  no: "no",
  todo_list: "list_tasks",
  todo_list_update: "add_task",
  reminder: "list_tasks",
  reminder_update: "add_task",
  calendar: "list_events",
  calendar_update: "add_event",
  meeting_schedule: "list_events",
  schedule_meeting: "add_event",
  thank_you: "thanks",
  goodbye: "goodbye",
  greeting: "greeting",
  text: "send_text",
};

const ENDS = /\b(?:delete|remove|cancel|drop|scrap|erase|clear|get rid of|take|call off|wipe|empty)\b/;
const DONE = /\b(?:finished|done|completed?|did|checked? off|cross(?:ed)?|tick(?:ed)?)\b/;
const MOVES = /\b(?:move|reschedule|postpone|push|shift|delay)\b/;
const LEADS =
  /^(?:(?:hi|hey|hello|ok|okay|so|well|please|pls|assistant|now|and|also|then)\b[\s,!]*)*(?:(?:can|could|would|will) you (?:please |kindly |possibly )?|(?:i want|i need|i'd like|i would like|i'd love) (?:you )?to (?!do\b)|(?:would you mind|do you mind|is it possible to|let's|go ahead and|i want to|help me(?: to)?) )?(?:please )?/;

/** The message without greetings and politeness at its ends, in small letters. */
export function bareMessage(message: string): string {
  const text = message.toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ").trim();
  const bare = text.replace(LEADS, "").replace(/[\s,]*(?:please|pls|thanks|thank you|for me)[\s.!]*$/, "");
  return (bare.length > 0 ? bare : text).replace(/[\s.!]+$/, "");
}

export function wishOf(message: string, model = intentModel): Wish {
  const text = bareMessage(message);
  const sign = SIGNS.find(([, shows]) => shows(text));
  if (sign) return sign[0];
  const { intent } = model.guess(message);
  if (intent === "todo_list_update" || intent === "reminder_update") {
    if (ENDS.test(text)) return "remove_task";
    return DONE.test(text) ? "complete_task" : "add_task";
  }
  if (intent === "calendar_update" || intent === "schedule_meeting") {
    if (MOVES.test(text)) return "move_event";
    if (ENDS.test(text)) return "cancel_event";
    return intent === "schedule_meeting" &&
      /\b(?:rooms?|space)\b.{0,40}\b(?:available|open|free)|\b(?:available|open|free)\b.{0,40}\brooms?\b/.test(text)
      ? "free_time"
      : "add_event";
  }
  return BY_INTENT[intent];
}
