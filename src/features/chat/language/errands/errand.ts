import { ASKS, ERRAND_RULES, type Errand } from "./errand-rules.ts";
import { type Intent, intentModel } from "./intent-model.ts";
import { lookedUp } from "./look-up.ts";

/** The errand for each intent of the model. */
export const BY_INTENT: Record<Intent, Errand> = {
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

/** Not in what is to be done by the person: "a reminder to take out the trash". */
const ENDS =
  /^(?!.*\b(?:remind(?:er)?|task|need|have|want)\b.{0,20}? to\b).*(?:\b(?:delete|remove|cancel|drop|scrap|erase|clear|get rid of|call off|wipe|empty)\b|\btake\b.{1,60}\b(?:off|away|out of|from)\b)/;
const DONE = /\b(?:finished|done|completed?|did|checked? off|cross(?:ed)?|tick(?:ed)?)\b/;
const MOVES =
  /^(?!(?:add|book|schedule|put|create|set up)\b)(?:\S+ ){0,3}(?:move|reschedule|postpone|push|shift|delay)\b/;
const LEADS =
  /^(?:(?:hi|hey|hello|good (?:morning|afternoon|evening)|ok|okay|so|well|please|pls|assistant|now|and|also|then)\b[\s,!.]*)*(?:(?:(?:can|could|would|will) you|(?:can|could) we) (?:please |kindly |possibly )?|(?:i want|i need|i'd like|i would like|i'd love) (?:you )?to (?!do\b)|(?:would you mind|do you mind|is it possible to|let's|go ahead and|i want to|help me(?: to)?) )?(?:please )?/;

/** The message in lower case, without greetings and courtesies at its ends. */
function bareMessage(message: string): string {
  const text = message.toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ").trim();
  const bare = text.replace(LEADS, "").replace(/(?<![\s,])[\s,]*(?:please|pls|thanks|thank you|for me)[\s.!]*$/, "");
  return (bare.length > 0 ? bare : text).replace(/(?<![\s.!])[\s.!]+$/, "");
}

/** "I have to … by …": a task, although nothing is asked for. */
const MUST_DO =
  /^(?:i (?:really |still |also |just )?)?(?:need to|have to|must|should|ought to|have got to|got to|had better) (?!know|see|find|check|cancel|move|reschedule|schedule|book|meet|speak|talk|set|make|go$|leave$|run$|be$)\w+ .*\b(?:by|before|until|no later than|today|tonight|tomorrow|this week|next week|at the weekend|this weekend|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
/** The model's confidence in words it has never seen is at most this. */
const SURE_YES = 0.34;

const COURTESIES: ReadonlySet<Intent> = new Set<Intent>(["yes", "no", "greeting", "goodbye", "thank_you"]);
const REQUESTS =
  /^(?:archive|star|delete|remove|list|show|did|do|does|is|are|send|mark|move|read|reply|forward|tag|snooze|cancel|add|make|put|call|change|label|flag|tick|bin)\b|\b(?:it|that|them)$/;

const COURTEOUS =
  /^(?:yes|yeah|yep|no|nope|nah|ok|okay|roger|thanks?|(?:i )?appreciate|hi|hello|hey|bye|goodbye|good|see you|nice|are you|how (?:are|is it|goes|have you)|is everything)\b(?!.*[,.;!] ?(?:(?:and|then|now|please|can you|could you) )*(?:archive|star|delete|remove|list|show|send|mark|move|read|reply|forward|tag|snooze|cancel|add|make|put|change)\b)/;
/** "laundry can be Saturday" is no farewell. */
const SAYS_SOMETHING =
  /\b(?:can|could|should|must|was|were|has|arrived|came|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|one day|a week)\b/;
const SHORT = 5;
const SURE = 0.5;

/** Whether what the model takes for a courtesy may be a request: it begins like one, or is long and the model unsure. */
function isDoubtful(text: string, confidence: number): boolean {
  if (COURTEOUS.test(text)) return false;
  return SAYS_SOMETHING.test(text) || REQUESTS.test(text) || (text.split(" ").length > SHORT && confidence < SURE);
}

const ASKS_TO_SEE = /^(?:tell|show|give|read|open|find|display|recite|view|see|check|which|what|who)\b/;
const LOOKED_UP: Partial<Record<Intent, Errand>> = {
  todo_list_update: "list_tasks",
  reminder_update: "list_tasks",
  calendar_update: "list_events",
  schedule_meeting: "list_events",
};
const ADDS_AT =
  /^(?:add|put|enter|note) (?!a? ?(?:song|alarm|timer|money|contact|note|comment)).{3,60}\b(?:at|from) (?:\d|noon|half|a? ?quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)/;

/** What the words of the message say; null if only the model can tell. */
export function errandByRule(message: string): Errand | null {
  const text = bareMessage(message);
  const sign = ERRAND_RULES.find(([, shows]) => shows(text))?.[0];
  // "I have to email Bob by noon" is a task, not a request to send an email.
  if ((!sign || /^(?:find|send)_mail$/.test(sign)) && MUST_DO.test(message)) return "add_task";
  const seen = !sign || sign === "attention" ? lookedUp(text) : null;
  return seen ?? sign ?? null;
}

const ABOUT_IT =
  /^(?:(?:no|nope|wait|oops|oh|sorry|actually|hm+|ok|and|but)[\s,.!]+)*(?:put|make|move|set|change|push|shift|bump|swap|keep|leave|have) (?:it|that|this|them)\b/;

export function errandOf(message: string, model = intentModel): Errand {
  const sign = errandByRule(message);
  if (sign) return sign;
  const text = bareMessage(message);
  // What is to be done with "it" is nothing new.
  if (ABOUT_IT.test(text)) return "unknown";
  const { intent, confidence } = model.guess(message);
  if (intent === "yes" && confidence < SURE_YES) return "unknown";
  if (COURTESIES.has(intent) && isDoubtful(text, confidence)) return "unknown";
  // Who asks to see something wants nothing added, whatever else the words are like.
  if (ASKS_TO_SEE.test(text)) return LOOKED_UP[intent] ?? BY_INTENT[intent];
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
  // A message that only mentions a day does not ask for the date.
  if (intent === "date" && !ASKS.test(text) && !/\b(?:date|day)\b/.test(text)) return "unknown";
  // "add Vera's wedding next Saturday at eight": what is added with a time of day is an event.
  return intent === "oos" && ADDS_AT.test(text) ? "add_event" : BY_INTENT[intent];
}
