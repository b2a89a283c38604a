import type { Word } from "../../../../lib/words.ts";
import { respondsToInvitation } from "./invitation-slots.ts";
import { LIST_AND_PLAN_RULES } from "./list-and-plan-rules.ts";
import { isShort, SMALL_TALK_RULES } from "./small-talk-rules.ts";
import { DONE_VERBS } from "./target-record.ts";
import { SAYS_WHEN, TOLD_EVENT_RULES } from "./told-event-rules.ts";

/** What a message asks the assistant to do. */
export type Errand =
  | Word<"summarise_mail find_mail tasks_from_mail send_mail attention">
  | Word<"summarise_tasks list_tasks add_task complete_task change_task remove_task show_list show_lists move_to_list">
  | Word<"list_events add_event move_event cancel_event answer_invitation free_time plan_day block_time add_vacation">
  | Word<"brief time date time_zone greeting thanks goodbye help yes no send_text undo unknown">;

const MAIL = /\b(?:e-?mails?|mails?|inbox|(?<!text )messages?|newsletters?)\b/;
const TASK = /\b(?:tasks?|to-?dos?|to do (?:list|item)s?|(?:job|chore)s|reminders?|things to do|(?:my|the) list)\b/;
const EVENT =
  /\b(?:events?|meetings?|appointments?|calls?|calendar|schedule|agenda|lunch|dinner|breakfast|coffee|interview|standup|stand-up|sync|1:1|one[- ]on[- ]one|session|booking|reservation|party|webinar|demo|workshop)\b/;
export const ASKS =
  /^(?:what|which|who|when|where|how|is|are|do|does|did|am|will|have|any|show|list|tell|give|read|display|see|let me|check|find|pull|bring|view|get)\b|\b(?:show|tell|give|read) me\b|\bdo i have\b|\?$/;
const LISTS =
  /^(?:what|which|show|list|tell|give|read|display|how many|do i have|any|see|let me (?:see|know)|view|remind me what)\b/;
const ADDS =
  /^(?:add|create|make|set|put|new|start|insert|include|schedule|book|plan|arrange|organi[sz]e|note|remember|remind)\b/;

const DAYS =
  "today|tonight|this morning|this afternoon|this evening|tomorrow|yesterday|this week|next week|the week|my week|the weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday";
const DAY_AHEAD = new RegExp(
  `^(?:what|how) (?:does|do|is|are) (?:my )?(?:${DAYS})\\b.{0,20}\\blook|^what(?:'s| is) (?:on|up|planned|happening) (?:for |on )?(?:${DAYS})\\b|^what (?:do i have|have i got|am i doing) (?:planned |going |going on |on )?(?:on |for )?(?:${DAYS})\\b|\\bwhen (?:do|am|will) i (?:meet|meeting|see|seeing)\\b`,
);

const STARTS_WITH_EVENT =
  /^(?:(?:a |an |another |team |quick )?(?:dinner|lunch|breakfast|brunch|coffee|drinks|meeting|interview|appointment|call|haircut|dentist|doctor|vet|party|concert|reception|gym|swimming|yoga|football|tennis|choir)\b|meet (?:with )?\w+)/;
/** Bookings at other firms. */
const BOOKS_OUTSIDE =
  /^(?:book|order|reserve|get|find|buy|call|hail|rent)(?: me| us)? (?:an? |the |some )?(?:\w+ )?(?:flights?|hotels?|table|tickets?|taxi|cab|uber|train|cruise|rental|restaurant|pizza|groceries|room service)\b/;
const HAS_DONE = new RegExp(`^i(?:'ve| have)? (?:just |already |now )?(?:${DONE_VERBS})\\b`);
/** Questions about the world, which the assistant cannot answer. */
const NOT_OURS =
  /\b(?:weather|forecast|temperature|raining|snowing|will it (?:rain|snow)|jokes?|news|stocks?|traffic|recipes?|translate|bitcoin)\b/;

/** The first rule that matches decides; the trained model decides about messages that match none. */
export const ERRAND_RULES: readonly [Errand, (text: string) => boolean][] = [
  ...LIST_AND_PLAN_RULES,
  // The end of another sentence: "with half an hour reminder".
  ["unknown", (text) => /^with\b/.test(text)],
  ["unknown", (text) => /^remind (?:yourself|him|her|them)\b/.test(text)],
  [
    "unknown",
    (text) =>
      /^(?:schedule|set|book|plan|add)\b.{0,20}\b(?:news|weather|traffic|jokes?)\b/.test(text) &&
      !/\bcalendar\b/.test(text),
  ],
  ["unknown", (text) => BOOKS_OUTSIDE.test(text) && !/\bcalendar\b/.test(text)],
  ["answer_invitation", respondsToInvitation],
  ...TOLD_EVENT_RULES,
  [
    "list_tasks",
    (text) =>
      /^what(?:'s| is| do i have|'ve i got)? (?:still )?left\b(?! of)/.test(text) &&
      isShort(text, 8) &&
      !MAIL.test(text),
  ],
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
      /^remind me\b|\bremind me (?:to|about|that|of|in|at|on|tomorrow|tonight|next|when)\b|\b(?:don't|do not) (?:let me )?forget\b|^(?:todo|to-do|task|reminder)\s*[:-]|^(?:jot|note|write) down\b|^make a note\b|[,.] (?:(?:can|could) you |please )*(?:add|note|save|remember) (?:that|it|this)\b/.test(
        text,
      ) && !/\b(?:what|which) (?:did|do|have)\b/.test(text),
  ],
  [
    "attention",
    (text) =>
      /^what(?:'s| is) (?:most |so |really )?(?:urgent|important|pressing|critical)\b|^what (?:did|have) i miss(?:ed)?\b|^(?:catch me up|what's new)\b|^is there anything i (?:should|need to) know\b/.test(
        text,
      ) &&
      isShort(text, 9) &&
      !/\b(?:inbox|mail|e-?mail)\b/.test(text),
  ],
  [
    "attention",
    (text) =>
      /\b(?:urgent|important|critical|pressing|attention|priorit(?:y|ies)|focus on)\b/.test(text) &&
      (ASKS.test(text) || /\bneeds? (?:my|your)? ?attention\b/.test(text)) &&
      /\b(?:my|me|i|today|items?|tasks?|e-?mails?|mails?|anything|attention)\b/.test(text) &&
      !ADDS.test(text) &&
      !/\bcalendar\b/.test(text) &&
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
    "unknown",
    (text) =>
      /^(?:star|archive|flag|label|snooze|unsubscribe|delete|trash|move)\b.{0,40}\b(?:e-?mails?|mails?|newsletters?)\b/.test(
        text,
      ) &&
      !TASK.test(text) &&
      !EVENT.test(text),
  ],
  [
    "summarise_mail",
    (text) =>
      /^who (?:was|is) the (?:last|latest) (?:person|one)? ?(?:to|who|that) (?:e-?mail|mail|write|wrote|sen[dt]|messaged?)/.test(
        text,
      ),
  ],
  [
    "find_mail",
    (text) =>
      MAIL.test(text) &&
      !ADDS.test(text) &&
      !/^(?:mark|star|archive|flag|tag|label)\b/.test(text) &&
      (/\b(?:find|search|look|check|tell|give|show|read|open|get|list|see|pull up|did|has|have|any|what|which|when|where)\b/.test(
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
      /\b(?:daily|morning|today's)? ?brief(?:ing)?\b(?! (?:call|meeting|chat))|\bon my plate\b|^what do i (?:have|need) to (?:do|get done) today\b|\b(?:what does|what's|what is|how does|how's|how is) my (?:day|morning|afternoon)\b|\b(?:run|walk|talk) me through my day\b|\bsum(?:marize|marise| up) my day\b|\bplan for (?:the day|today)\b|^(?:my )?day ahead\b/.test(
        text,
      ) &&
      !/\b(?:tomorrow|yesterday|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d{4}-\d\d-\d\d)\b/.test(
        text,
      ) &&
      !ADDS.test(text),
  ],
  [
    "free_time",
    (text) =>
      /\b(?:am i|are we|i am|i'm|will i be|are there|is there|do i have)\b.{0,30}\b(?:free|available|open|availability)\b|\b(?:free|open|available) (?:time|slots?|hours?|windows?|spots?|gaps?)\b|\bwhen (?:am|are|can|could|will) (?:i|we)\b.{0,20}\b(?:free|available|meet)\b|\b(?:my|check) availability\b|\b(?:find|suggest|propose|look for)\b.{0,20}\b(?:a |some )?(?:time|slot)s?\b|\bwhat times? (?:am|are) (?:i|we) free\b|^(?:do i have|is there|are there|any)\b.{0,20}\bconflicts?\b|^do i have (?:any )?time\b/.test(
        text,
      ) &&
      !ADDS.test(text) &&
      !/\btasks?\b|\bto-?dos?\b/.test(text),
  ],
  [
    "complete_task",
    (text) =>
      /\b(?:mark|set|flag)\b.{1,120}\b(?:done|complete|completed|finished)\b|^(?:check|tick|cross) .{0,80}\boff\b|^(?:check|tick|cross) off\b|^(?:complete|finish|finished|completed|done with)\b|^i(?:'ve| have|'m)? (?:just |already )?(?:finished|completed|done with|did|done)\b|\bis (?:done|finished|complete(?:d)?)$/.test(
        text,
      ) && !/\?$/.test(text),
  ],
  ["complete_task", (text) => HAS_DONE.test(text) && isShort(text, 9) && !/\?$/.test(text)],
  [
    "change_task",
    (text) =>
      TASK.test(text) &&
      /^(?:change|move|postpone|push|reschedule|delay|update|set|make|extend)\b/.test(text) &&
      /\b(?:due|deadline|priority|tasks?|reminders?|to[- ]?do)\b/.test(text) &&
      /\b(?:to|until|till|by|urgent|high|low|medium)\b/.test(text) &&
      !/^(?:set|make|add) (?:a|an|another|up a|me a)\b/.test(text),
  ],
  [
    "change_task",
    (text) => /^(?:change|set|make|update|raise|lower)\b.{1,120}\bpriority\b/.test(text) && !EVENT.test(text),
  ],
  [
    "change_task",
    (text) =>
      (/^(?:make|mark|set)\b.{1,80}\b(?:urgent|(?:high|low|medium) priority)$/.test(text) ||
        /^(?:change|move|set|update|push|extend)\b.{0,20}\b(?:due date|deadline)\b/.test(text)) &&
      !/^(?:set|make) (?:an?|another)\b/.test(text),
  ],
  [
    "move_event",
    (text) =>
      (/^(?:move|reschedule|postpone|push|shift|delay|bring forward|rebook)\b/.test(text) ||
        /^(?:bring|pull) .{1,80} forward\b/.test(text)) &&
      !TASK.test(text),
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
    (text) =>
      /^(?:cancel|call off|delete|remove|drop|scrap|clear|clean|wipe|empty|erase|skip|take (?:away|off|out)|get rid of)\b/.test(
        text,
      ) && EVENT.test(text),
  ],
  [
    "cancel_event",
    (text) =>
      new RegExp(`^clear (?:out )?(?:my |the )?(?:whole |entire )?(?:${DAYS}|day|morning|afternoon|evening)\\b`).test(
        text,
      ),
  ],
  [
    "add_task",
    (text) =>
      /^(?:add|create|make|set|put|new|note|include|insert)\b(?! (?:it|this|them)\b)(?! (?:the |an? )?(?:[\w-]+ )?(?:tags?|labels?)\b)/.test(
        text,
      ) &&
      (TASK.test(text) || /\bto list$/.test(text)) &&
      !/\bcalendar\b/.test(text),
  ],
  [
    "list_events",
    (text) =>
      /^(?:make|create|write|compile|prepare)(?: me)? (?:a |the )?(?:full |complete )?list of\b/.test(text) &&
      EVENT.test(text),
  ],
  [
    "add_event",
    (text) =>
      (/^(?:schedule|book|set up|arrange|plan|organi[sz]e|create|add|put|make|set)\b/.test(text) &&
        EVENT.test(text) &&
        !/\bhow (?:do|to|can)\b/.test(text)) ||
      /^(?:schedule|book) (?!flight|hotel|table|ticket)\w+.{0,80}\bwith\b/.test(text) ||
      (/^(?:schedule|book|arrange|plan|set up|reserve) (?:an? |the |my |our )?(?!flight|hotel|table|ticket|taxi|cab|uber|train|trip|cruise|car|restaurant|alarm|timer)\w+/.test(
        text,
      ) &&
        SAYS_WHEN.test(text)) ||
      (STARTS_WITH_EVENT.test(text) && SAYS_WHEN.test(text) && !/\?$|\b(?:rather|instead|still)\b/.test(text)) ||
      /^(?:block|pencil)\b.{0,20}\b(?:\d+|an?|in|off|out|half|two|one|time|my|the)\b/.test(text),
  ],
  [
    "list_tasks",
    (text) =>
      /^(?:which|what|show|list|do i have|are there|is there)\b.{0,50}\b(?:no|without|don't|doesn't|undated|missing)\b.{0,20}\b(?:date|deadline|dates|deadlines)\b/.test(
        text,
      ) && !MAIL.test(text),
  ],
  ["list_tasks", (text) => LISTS.test(text) && TASK.test(text) && !/\b(?:calendar|you|your)\b/.test(text)],
  [
    "list_tasks",
    (text) =>
      /^(?:what(?:'s| is| are)?|which|show|list|do i have|have i got|is|are|any|anything|something|nothing)\b.{0,30}\b(?:due|overdue)\b/.test(
        text,
      ) && !EVENT.test(text),
  ],
  [
    "list_events",
    (text) =>
      /^(?:who|whom) (?:am i|are we|do i) (?:meeting|seeing|meet|see)\b|^(?:am i|are we) (?:busy|booked|doing anything)\b|^what (?:am i|are we) (?:doing|up to)\b/.test(
        text,
      ) ||
      /^what(?:'s| is) next\b.{0,30}$/.test(text) ||
      DAY_AHEAD.test(text) ||
      /\bmy day (?:look|hold|be)\b.{0,200}\bon \d{4}-/.test(text) ||
      (/^(?:what|which|when|show|list|tell|do i have|how many|any|where|display)\b/.test(text) &&
        /\b(?:my|i|me|have|on|any|today|tomorrow)\b/.test(text) &&
        EVENT.test(text) &&
        !/\b(?:you|your|phone|credit|car|call (?:you|it|them))\b/.test(text)),
  ],
  ["undo", (text) => isShort(text, 6) && /^(?:undo|revert|take (?:that|it) back)\b/.test(text)],
  [
    "cancel_event",
    (text) =>
      isShort(text, 7) &&
      /^(?:cancel|call off|scrap|ditch|delete|drop|skip) (?!that$|it$|everything$|all$|this$|order|(?:my|the) (?:\w+ )?(?:card|subscription|order|account|membership|insurance|flight|payment|transfer|check|plan))\w/.test(
        text,
      ),
  ],
  ["unknown", (text) => NOT_OURS.test(text) && ASKS.test(text)],
  ...SMALL_TALK_RULES,
];

/** Whether the message names a meeting, a call or another event. */
export const namesEvent = (message: string) => EVENT.test(message.toLowerCase());
