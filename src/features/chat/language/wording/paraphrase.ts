import { mayMatch } from "../../../../lib/regexp-starts.ts";
import { CALENDAR_REWORDINGS } from "./calendar-paraphrase.ts";
import { COMMAND_FRAMES } from "./command-frames.ts";
import { EVERYDAY, plainQuoting } from "./everyday-words.ts";
import {
  ASIDE,
  ASKS,
  BEFORE_REQUEST,
  COMMANDS,
  DID_I_SAY,
  HESITATION,
  INTERJECTION,
  POLITE,
  SAYS_WHEN,
  SECOND_THOUGHTS,
  TAIL,
  THANKS_BEHIND,
  THEN,
  THEN_JUST,
  VAGUE,
  WHY,
  withoutReason,
} from "./frames.ts";
import { LOOK_UP_FRAMES } from "./look-up-frames.ts";
import { withNeed } from "./needs.ts";
import { ORDER_REWORDINGS } from "./order-paraphrase.ts";
import { plainWish } from "./reasons.ts";
import { TASK_REWORDINGS } from "./task-paraphrase.ts";
import { TOLD_REWORDINGS } from "./told-paraphrase.ts";
import { withTopic } from "./topic.ts";

/** Letters are not requests: only what a person would say in one breath is reworded. */
const LONGEST = 400;

type Rewording = readonly [RegExp, string];

/** A sentence about a record that it names: "the design review should be an hour earlier". */
const named = (rest: string) =>
  new RegExp(
    `^(?:the |my )?(?!(?:it|that|this|other|others|first|second|third|last|rest|both|all|he|she|they|there|i|you|we|what|who|when|how|where|remind|add|create|note|task|todo|schedule|book|make|set|put|write|reply|respond|e-?mail|tell|say|send|forward|answer|draft|if|why|don't|please)\\b)((?:[^.;!?]|\\.(?=\\S)){3,60}?) ${rest}`,
    "i",
  );

/** Other words for what the assistant knows under one name. */
const REWORDINGS: readonly Rewording[] = [
  // "Remind me" before a question asks it once more.
  [
    /^(?:please )?(?:remind me|tell me|refresh my memory)(?: again)?[,:]* (?=(?:when|what|where|who|how|which)(?:'s|'re)?\b)/i,
    "",
  ],
  // The verb behind what it is about.
  [
    /^(?:and |so |but |oh )*((?:the |my |that |this )[\p{L}\d' -]{2,40}?|it|that) (?:isn't|is not|is no longer|are no longer|are not|aren't|won't be) (?:needed|necessary|required|happening)(?: (?:any ?more|after all|now))*(?:[,;.] .*)?$/iu,
    "cancel $1",
  ],
  [
    /^(?:and |so |but |oh )*((?:the |my |that |this )[\p{L}\d' -]{2,40}?|it|that|both|them)[,:;]+ (cancel|delete|remove|drop|scrap|archive|star|bin|skip)(?: (?:it|that|them))?(?: (?:please|then|too|as well))*$/iu,
    "$2 $1",
  ],
  ...ORDER_REWORDINGS,
  // Tasks.
  ...TASK_REWORDINGS,
  [
    /^(?!.*\b(?:last (?:year|week|month|time|summer|winter|night)|was|were|yesterday|ago)\b)(?:please )?(?:remember|i (?:mustn't|must not|can't|cannot|shouldn't|better not) forget|i have to remember|help me remember)(?: to)? (?=\S)/i,
    "remind me to ",
  ],
  [/^(?:note to self|self[- ]note|mental note)\s*[:,–-]?\s*(?:to )?/i, "remind me to "],
  [
    /^(?:please )?make sure (?:that )?(?:i |we )(?:don't|do not|won't) (?:miss|forget)(?: about| to)? /i,
    "remind me of ",
  ],
  [/^(?:please )?make sure (?:that )?(?:i|we) (?=\w)/i, "remind me to "],
  [
    /^(?:please )?(?:ping|nudge|alert|prompt|notify|poke|prod) me (?=to|about|of|at|on|in|tomorrow|tonight|today|next|when|every|by|before|(?:mon|tues|wednes|thurs|fri|satur|sun)day)/i,
    "remind me ",
  ],
  [
    /^(?:please )?(?:add|create|make|set up) (?:me )?(?:an?|another) to do (?:item )?(?:for|to|about|:)?\s*/i,
    "add a task: ",
  ],
  [
    /^(?:please )?(add|put|stick|throw|pop|chuck|include|note|write) (.+?) (?:to|on|onto|in|into) (?:the |my |our )?(groceries|grocery|shopping)$/i,
    "add $2 to the shopping list",
  ],
  [/\b(?:the|my|our) grocer(?:y|ies)(?: shopping)? list\b/gi, "the shopping list"],
  [/\bon (?:the|my|our) (?:groceries|shopping)(?=$|\?)/gi, "on the shopping list"],
  [
    /^(?:please )?(?:stick|pop|chuck|throw|bung) (?!(?:it|that|this|them|both|those|these)\b)(?!.*\b(?:archive|bin|trash|inbox)\b)(.+? (?:to|on|onto|in|into) (?:the|my|our) )/i,
    "add $1",
  ],
  [
    /^(?:i(?:'ve| have)) (?:got|bought|picked up) (?:the |some |my )(?!call|meeting|appointment|interview)([\p{L} '-]{2,40})$/iu,
    "mark $1 as done",
  ],
  [/^(?:close|finish off|wrap up|resolve) (?:the |my )?task (?:about|for|called|named|with) (.+)$/i, "mark $1 as done"],
  [
    /^(?:drop|delete|remove|scrap|bin) (?:the |my )?(?:task|to-?do|reminder) (?:about|for|with) (.+)$/i,
    "delete the task $1",
  ],
  [/^(?:all done|finished|done)[:,] (.+)$/i, "mark $1 as done"],
  [/^what(?:'s| is) (?:still )?(?:open|outstanding|pending|unfinished|left to do)$/i, "which tasks are open"],
  [
    /^(?:what|which tasks) (?:did|have) i (?:finish|finished|complete|completed|get done|got done|done|do)(?= |$)/i,
    "which tasks are done",
  ],
  [
    /^(?:(?:list|show(?: me)?) (?:everything|all|things|anything|what is|what's)|what(?:'s| is| are| do i have| have i got)?(?: (?:the )?(?:things|tasks|ones))?) tagged (?:as |with )?/i,
    "show my tasks tagged ",
  ],
  [
    /^(?:list|show(?: me)?|find|get(?: me)?|what do i have|give me) (?:everything|all|anything|all tasks|all the tasks|tasks)(?: there is)? (?:with|about|for|on|regarding|mentioning|containing) (?:the (?:word|name) )?(.+?)(?: in (?:it|them|the (?:title|name)))?$/i,
    "show my tasks about $1",
  ],
  [
    /^what(?:'s| is)? (?:remains|remaining|still (?:left|remaining|to come)|left over|outstanding)(?: (?:now|then|to do))*$/i,
    "which tasks are open",
  ],
  [
    named(`(?:(?:should|must|has to|needs to) be due|can wait (?:until|till)) (.+)$`),
    "change the due date of $1 to $2",
  ],
  [
    /^(?:please )?(?:start|begin|open|create|make|set up|new) (?:an? |the )?(?:new )?(?!me\b)([\p{L} ]{2,30}) list(?: with| of|:){1,6}\s{0,9}(.+)$/iu,
    "add $2 to the $1 list",
  ],
  [
    /^(?:the |my )?(.{2,40}?) (?:is|are|has been|have been|was|were|'s been) (?:all )?(?:paid|called|sent|bought|packed|booked|submitted|filed|ordered|cleaned|fixed|signed|returned|washed|watered|sorted|handled|taken care of|dealt with|finished|completed)(?: now| already)?$/i,
    "mark $1 as done",
  ],
  // The calendar.
  [
    /^(?:please )?(?:put|pop|stick|add|enter|write) (?:it|that|this) (?:in|into|to|on|down in) (?:my|the) (?:calendar|diary|schedule|agenda|planner)(?:,? please)? as (.+)$/i,
    "schedule $1",
  ],
  [/^(?:please )?(?:squeeze|fit|slot|pencil) in (?=\S)/i, "schedule "],
  [
    /^(?:wasn't|isn't|aren't|weren't|haven't i got|don't i have|didn't i have)(?: there)? (?:something|anything|stuff)(?: on| planned)?(?= |$)/i,
    "what is on my calendar",
  ],
  ...CALENDAR_REWORDINGS,
  [
    named(`(?:should|must|has to|needs to) (?:be|start|happen|take place|begin) (.{1,30} (?:earlier|later))$`),
    "move $1 $2",
  ],
  [
    named(
      `(?:should|must|has to|needs to) (?:be moved to|start at|happen on|happen at|take place on|take place at|be at|be on) (.+)$`,
    ),
    "move $1 to $2",
  ],
  [
    /^(?:please )?(?:squeeze|fit|slot|pencil|pop|put|book|work) in (?=an?\b|the\b|my\b|some\b|time\b|lunch|dinner|coffee)/i,
    "schedule ",
  ],
  [
    /^(?:please )?(?:squeeze|fit|slot|pencil|pop|put|stick|chuck|bung) (.+?) in (?=(?:on|at|for|next|this|tomorrow|today|before|after)\b)/i,
    "schedule $1 ",
  ],
  [
    /^(?:i(?:'d| would) like|i want|let me|i need) (?:to have |to see |to get )?(an? (?:quick |short |brief )?(?:hour|half hour|half an hour|\d+ minutes|chat|word|session|slot)) with /i,
    "schedule $1 with ",
  ],
  [
    /^schedule (an? (?:quick |short )?)?(?:half an hour|half hour) with (.+)$/i,
    "schedule a meeting with $2 for 30 minutes",
  ],
  [/\b(?:my|the) (?:diary|planner|timetable|itinerary)\b/gi, "my calendar"],
  [/\bclash(?:es|ing)?\b/gi, "conflict"],
  [
    /^(?:please )?(?:read|go|run|talk|walk)(?: me)? (?:out|over|through) my (?:calendar|agenda|schedule)/i,
    "show my calendar",
  ],
  [
    /^(?:show|tell|give)(?: me)? ((?:this|next) (?:week|weekend|month)|today|tomorrow|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i,
    "what is on my calendar $1",
  ],
  [
    /^(?:can|could|may|might) (?:the |my )?(?!you\b|i\b|we\b|it\b)(.{3,60}?) be (?:moved|pushed|shifted|rescheduled|postponed|switched|put)(?: back)? /i,
    "move $1 ",
  ],
  [
    /^(?:can|could|may|might) (?:the |my )?(?!you\b|i\b|we\b|it\b)(.{3,60}?) be (?:cancelled|canceled|called off|dropped|removed)$/i,
    "cancel $1",
  ],
  [/^(?:swap|switch|flip) (.+?) (?:to|for) /i, "move $1 to "],
  [/^(?:take|get) (it|that|this|them|both) out of (?:my |the )?(?:calendar|schedule)$/i, "cancel $1"],
  [/^(?:please )?(?:i don't want you to|don't) [^,]{3,60}, (?:but |just )*(?=tell me|show me|check|let me know)/i, ""],
  [
    /^(?:tell me|let me know|check|see|do you know|find out) (?:if|whether) (\p{L}[\p{L}' -]{1,30}?)(?: has|'s) (?=(?:already |yet |ever )?(?:written|replied|responded|answered|e-?mailed|been in touch|got back)\b)/iu,
    "has $1 ",
  ],
  [/^(?:tell me|let me know|check|see) (?:if|whether) i(?:'m| am) /i, "am i "],
  [/^(?:tell me|let me know|check|see) (?:if|whether) i(?:'ve got| have) /i, "do i have "],
  [/^(?:on )?the same day,? (?:but )?(?:at )?(?=\d)|^same day,? (?:but )?(?:at )?(?=\d)/i, "make it "],
  [/^(?:tell me|let me know|say|do you know) (?=what|when|who|where|which|how|if i|whether i)/i, ""],
  [/^what(?:'s| is) (?:coming up|ahead|on the horizon|in store)(?: for me)?(?= |$)/i, "what is on my calendar"],
  [/^what else (?:do i have|have i got|did i get|i got|i've got|is)(?: on)?/i, "what do i have on"],
  [
    /^(?:give me|show me|i want) (?:a |the )?(?:run-?down|overview|summary|outline) of (?:my )?(?:day|today|the day)$/i,
    "what does my day look like",
  ],
  [
    /^what (?:should|shall|do|must) i (?:do|start with|tackle|begin with|work on)(?: first| next| now)?$/i,
    "what needs my attention",
  ],
  [/^(?:is|are) there (?:any |an? )?(?:gaps?|room|space|openings?|holes?)\b/i, "when am i free"],
  [
    /^(?:so )?(?:is|will|are) (?:my |the )?((?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|(?:this|next) week(?:end)?)((?: (?:morning|afternoon|evening))?) (?:be )?(?:still |now |all |completely |totally |pretty )*(?:clear|free|open|empty|available|unbooked|good)(?: (?:now|then|still|again))*$/i,
    "am i free $1$2",
  ],
  [
    /^(?:have i got|do i have|is there|have we got) (?:any |some |enough )?(?:time|room|a moment|a slot|space) (?:for|to) .+? (?=on|at|tomorrow|today|this|next|in the)/i,
    "when am i free ",
  ],
  [
    /^find (?:me )?((?:\d+|an?|one|two|three|four|half an?) (?:hours?|minutes?|mins?))(?: of (?:time|peace))?\b/i,
    "find a free slot of $1",
  ],
  [/\b(?:the )?whole of (?=today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)/gi, ""],
  [/^(cancel|remove|delete) (?:i |we )(?:can't|cannot|won't|can not) (?:make|attend|come to|go to|do) (.+)$/i, "$1 $2"],
  [
    /^(?:cross|tick) (?:the |my )?(.+?) (?:is|are|was|were|has been|have been) (?:\w+)(?: already)?( off)$/i,
    "mark $1 as done",
  ],
  // Email.
  [
    /^what(?:'s| has| is)? (?:came|come|arrived|got|new|landed|there)(?: in| through)? from (.+)$/i,
    "show the emails from $1",
  ],
  [/\bany (?:new )?post from\b/gi, "any new mail from"],
  [
    /^(?:which|what|any|show|list)(?: me)?(?: the| my)? (?:e-?mails?|mails?|messages?)(?: are| is)?(?: still)? (?:unanswered|not answered|waiting)(?: for me)?$/i,
    "which emails need an answer",
  ],
  [/^(?:please )?(?:move|send|shift) (.+?) (?:to|into) (?:the |my )?archives?$/i, "archive $1"],
  [/^(?:please )?(?:move|send|shift) (.+?) (?:to|into) (?:the |my )?(?:trash|bin)$/i, "delete $1"],
  [/^drop (.+?) a (?:line|note|mail|e-?mail|message)\b/i, "write an email to $1"],
  [
    /^(?:get|take) me off (?:the |of the )?(.+?)(?:'s)?(?: (?:mailing )?list| newsletter| e-?mails)?$/i,
    "unsubscribe from $1",
  ],
  [
    /^(?:stop|no more) (?:getting |receiving )?(?:e-?mails|mails|newsletters|messages) from (.+)$/i,
    "unsubscribe from $1",
  ],
  [/^(?:put|push) (.{0,200}\b(?:e-?mail|mail|message)\b.*?) off (?:until|till|to) /i, "snooze $1 until "],
  [/^(?:bin|chuck|ditch|get rid of) (?=.*\b(?:e-?mails?|mails?|messages?|newsletters?)\b)/i, "delete "],
  [/^throw (it|that|this|them|both|the draft|the e-?mail|the mail) (?:away|out)$/i, "delete $1"],
];

/** What may stand before a request that is put in other words. */
const JOINS = /^(?:(?:and|also|oh|so|then|plus|but|now|yes|yeah|yep)[\s,]+)+(?=\S)/i;
const ASKED_POLITELY = /^(?:(?:can|could|would|will) you (?:please |just |quickly )*|please ){1,6}(?=\S)/i;

export const ALL_REWORDINGS: readonly Rewording[] = [...COMMAND_FRAMES, ...LOOK_UP_FRAMES, ...EVERYDAY, ...REWORDINGS];

function withWords(request: string): string {
  let text = request;
  let lower = text.toLowerCase();
  for (const [pattern, words] of ALL_REWORDINGS) {
    if (!mayMatch(pattern, lower)) continue;
    text = text.replace(pattern, words);
    lower = text.toLowerCase();
  }
  return text;
}

/** What is in quotation marks is kept letter by letter. */
function plainAroundQuotes(said: string): string {
  const quotes: string[] = [];
  const masked = said.replace(/["“][^"”]{0,200}["”]/g, (quote) => `Quoted${quotes.push(quote) - 1}`);
  // A mask has one digit.
  const plain =
    /["“”]/.test(masked) || quotes.length > 10
      ? said
      : plainRequest(masked).replace(/Quoted(\d)/gi, (_, at: string) => quotes[Number(at)] ?? "");
  return plainQuoting(plain);
}

/** The request without the words around it, and in the words that the readers of requests know. */
export function plainRequest(message: string): string {
  const said = message.trim();
  if (said.length > LONGEST || /\n/.test(said)) return said;
  if (/["“]/.test(said)) return plainAroundQuotes(said);
  let text = said;
  for (let before = ""; before !== text; ) {
    before = text;
    const rest = text
      .replace(INTERJECTION, "")
      .replace(DID_I_SAY, "")
      .replace(ASIDE, "")
      .replace(HESITATION, "")
      .replace(BEFORE_REQUEST, "")
      .replace(SECOND_THOUGHTS, "")
      .replace(THEN_JUST, (words) => (/\b(?:just|do|in that case)\b/i.test(words) ? "" : words))
      .replace(POLITE, "")
      .replace(TAIL, "")
      .replace(THANKS_BEHIND, "");
    if (/\p{L}/u.test(rest)) text = rest;
  }
  text = plainWish(withTopic(withoutReason(text)));
  if (!ASKS.test(text) && SAYS_WHEN.test(text)) text = text.replace(THEN, "");
  const ending = /(?<![\s.!])[\s.!]*$|\?$/.exec(text)?.[0] ?? "";
  let bare = text.slice(0, text.length - ending.length).replace(VAGUE, "");
  const need = withNeed(bare);
  if (need !== bare) return need;
  if (COMMANDS.test(bare)) bare = bare.replace(WHY, "");
  // "Can you" before a request that is worded otherwise.
  const asked = bare.replace(ASKED_POLITELY, "");
  const reworded = withWords(asked);
  bare = reworded === asked ? withWords(bare) : reworded;
  const joined = bare.replace(JOINS, "");
  if (joined !== bare) {
    const alone = withWords(joined.replace(ASKED_POLITELY, ""));
    if (alone !== joined) bare = alone;
  }
  if (!ending.includes("?")) for (const [told, words] of TOLD_REWORDINGS) bare = bare.replace(told, words);
  return `${bare}${ending}`;
}
