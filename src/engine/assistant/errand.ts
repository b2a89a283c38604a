import { ASKS, ERRAND_RULES, type Errand } from "./errand-rules.ts";
import { type Intent, intentModel } from "./intent-model.ts";

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

const ENDS = /\b(?:delete|remove|cancel|drop|scrap|erase|clear|get rid of|take|call off|wipe|empty)\b/;
const DONE = /\b(?:finished|done|completed?|did|checked? off|cross(?:ed)?|tick(?:ed)?)\b/;
const MOVES = /\b(?:move|reschedule|postpone|push|shift|delay)\b/;
const LEADS =
  /^(?:(?:hi|hey|hello|good (?:morning|afternoon|evening)|ok|okay|so|well|please|pls|assistant|now|and|also|then)\b[\s,!.]*)*(?:(?:(?:can|could|would|will) you|(?:can|could) we) (?:please |kindly |possibly )?|(?:i want|i need|i'd like|i would like|i'd love) (?:you )?to (?!do\b)|(?:would you mind|do you mind|is it possible to|let's|go ahead and|i want to|help me(?: to)?) )?(?:please )?/;

/** The message in lower case, without greetings and courtesies at its ends. */
export function bareMessage(message: string): string {
  const text = message.toLowerCase().replaceAll("’", "'").replace(/\s+/g, " ").trim();
  const bare = text.replace(LEADS, "").replace(/[\s,]*(?:please|pls|thanks|thank you|for me)[\s.!]*$/, "");
  return (bare.length > 0 ? bare : text).replace(/[\s.!]+$/, "");
}

/** "I have to … by …": a task, although nothing is asked for. */
const MUST_DO =
  /^i (?:need|have|must|should|ought)(?: to)? (?!know|see|find|check|cancel|move|reschedule|schedule|book|meet|speak|talk|set|make)\w+.* (?:by|before|until|no later than) /i;
/** The model's confidence in words it has never seen is at most this. */
const SURE_YES = 0.34;

export function errandOf(message: string, model = intentModel): Errand {
  const text = bareMessage(message);
  const sign = ERRAND_RULES.find(([, shows]) => shows(text))?.[0];
  // "I have to email Bob by noon" is a task, not a request to send an email.
  if ((!sign || /^(?:find|send)_mail$/.test(sign)) && MUST_DO.test(message)) return "add_task";
  if (sign) return sign;
  const { intent, confidence } = model.guess(message);
  if (intent === "yes" && confidence < SURE_YES) return "unknown";
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
  return BY_INTENT[intent];
}
