import { listNameIn } from "../../../../engine/notes/list-name.ts";
import { BLOCKS, IS_AWAY } from "./time-off.ts";

const ASKS = /^(?:what|which|is|are|do|show|list|tell|give|read|display|see|check|view|get|how)\b|\?$/;
const MAIL = /\b(?:e-?mails?|mails?|inbox)\b/;
const EVENT =
  /\b(?:events?|meetings?|appointments?|calls?|lunch|dinner|breakfast|interview|session|table|room|flight)\b/;
/** Words that name a time, for rules that need one. */
const SAYS_TIME =
  /\b(?:today|tonight|tomorrow|morning|afternoon|evening|noon|week|weekend|month|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\d{1,2}(?:st|nd|rd|th)?|christmas|easter)\b/;

/** "Block two hours for writing" is an event of that length, not a whole part of the day. */
const SAYS_LENGTH =
  /\b(?:\d+(?:[.,]\d+)?|an?|one|two|three|four|five|six|half an|a couple of|a few)[ -]?(?:hours?|hrs?|h|minutes?|mins?)\b/;

/** What is asked about lists of tasks, plans and time off. These words are rarely about anything else. */
export const LIST_AND_PLAN_RULES: readonly [
  "plan_day" | "block_time" | "add_vacation" | "show_list" | "show_lists" | "move_to_list" | "remove_task" | "add_task",
  (text: string) => boolean,
][] = [
  [
    "plan_day",
    (text) =>
      /^(?:plan|schedule|organi[sz]e|arrange|time[- ]?block)\b (?:out )?(?:my |the |our )?(?:whole |entire )?(?:day|afternoon|morning|week|today|tomorrow|tasks|work(?:day)?|monday|tuesday|wednesday|thursday|friday)\b(?: (?:for )?(?:today|tomorrow|tonight|this week|next week|on \w+|\w+day|morning|afternoon)){0,6}$/.test(
        text,
      ) ||
      /\b(?:make|draft|give me|create|suggest) (?:me )?a plan for (?:my |the )?(?:day|today|tomorrow|afternoon|morning|week|\w+day)\b/.test(
        text,
      ),
  ],
  [
    "block_time",
    (text) =>
      BLOCKS.test(text) &&
      SAYS_TIME.test(text) &&
      !EVENT.test(text) &&
      !SAYS_LENGTH.test(text) &&
      !/^(?:keep|hold|reserve) (?:in|on|it|that|a)\b/.test(text),
  ],
  [
    "add_vacation",
    (text) => IS_AWAY.test(text) && SAYS_TIME.test(text) && !ASKS.test(text) && !/\bremind\b/.test(text),
  ],
  [
    "show_lists",
    (text) =>
      /^(?:what|which|show|list|tell|see|view|display)\b.{0,20}\b(?:my|all|the) (?:task |to-?do )?lists\b/.test(text),
  ],
  [
    "move_to_list",
    (text) =>
      /^(?:move|put|transfer|shift)\b.{1,120}\bto (?:my|the|our) .{1,40} list$/.test(text) &&
      listNameIn(text) !== null &&
      (!/^put\b/.test(text) || / over to (?:my|the|our) /.test(text)),
  ],
  [
    "remove_task",
    (text) =>
      /^(?:remove|take|delete|drop|cross|strike|scratch)\b.{1,120}\b(?:from|off|of) (?:my|the|our) .{1,40} list$/.test(
        text,
      ) && listNameIn(text) !== null,
  ],
  [
    "add_task",
    (text) =>
      /^(?:add|put|include|stick|write|note|throw)\b.{1,200}\b(?:to|on|onto|in) (?:my|the|our) .{1,40} list\b/.test(
        text,
      ) && listNameIn(text) !== null,
  ],
  [
    "show_list",
    (text) =>
      ASKS.test(text) &&
      /\b(?:on|in) (?:my|the|our) .{1,40} list\b/.test(text) &&
      listNameIn(text) !== null &&
      !MAIL.test(text),
  ],
  [
    "show_list",
    (text) =>
      /^(?:show|read|open|see|list|display)(?: me)? (?:my|the|our) .{1,40} list$/.test(text) &&
      listNameIn(text) !== null,
  ],
];
