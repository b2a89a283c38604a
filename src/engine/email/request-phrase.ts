import { pairs, wordSet } from "../../lib/words.ts";
import { IMPERATIVES, NOT_NAMES } from "./request-words.ts";

/** The request of a sentence, in the sender's words. */
export interface RequestPhrase {
  /**
   * `do`: a command ("send me the file"). `need`: a thing ("the floor plans"). `ask`: a question. `promise`: what the
   * sender will do. `other`: a statement.
   */
  kind: "do" | "need" | "ask" | "promise" | "other";
  /** Begins with a verb for `do` and `promise`. */
  what: string;
}

const LABEL =
  /^(?:(?:action(?: required| item| needed)?|to-?do|task|reminder|request|ask|important|urgent|note|next steps?|p\.?s\.?)\s?[:–-]\s?|[-*•–>]+\s|\d{1,2}[.)]\s|\[[ x]?\]\s)+/i;
const OPENING =
  /^(?:(?:(?:hi|hey|hello) (?:all|there|team|everyone|both|again|darling|love|dear|guys|folks|sweetheart)|and|also|so|then|but|or|ok|okay|yes|sure|again|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|plus|otherwise|in addition|additionally|meanwhile|in the meantime|by the way|btw|fyi|one more thing|for now|if so|if not|unfortunately|hi|hey|hello|dear|thanks|thank you|sorry|well|now|therefore|thus|instead)\b(?:\s?[,:!.–-]+)?\s+){1,6}/i;
const VOCATIVE =
  /^(?:@[\p{L}\d._-]{2,30}|(?:hi |hey |dear )?\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20})?)\s?(?:,|\s[-–]|:)\s+/u;
const TRAILING =
  /[\s,;–-]{0,9}(?:\b(?:please|pls|thanks(?: (?:so much|a lot|in advance|again))?|thank you(?: (?:so|very) much| in advance)?|many thanks|cheers|asap|a\.s\.a\.p|as soon as (?:possible|you can)|at your earliest convenience|if (?:possible|you can|you could|that's ok(?:ay)?|you don't mind)|(?:when|if) you (?:get|have) (?:a |the |some )?(?:chance|moment|minute|time)|will you|can you|could you|would you|ok(?:ay)?|right|for me)\b|[.?!,;:\s…]|[:;]-?[)(]){1,40}$/i;

/** A clause before the request that says nothing about it: "If you have a moment, could you …". */
const EMPTY_CLAUSE =
  /^(?:(?:if|when(?:ever)?|once|as soon as) (?:you (?:get|have|find|can|could|would|don't mind|are able)|possible|that's ok|it's not too much|it is possible)|as (?:we |you |i )?(?:discussed|mentioned|agreed|promised|know|said|usual|always|you|we|requested|per)|per (?:our|your|my)|following (?:up|our)|regarding|for (?:the record|your information)|(?:just )?to (?:confirm|clarify|follow up|be sure)|in (?:any case|that case|short)|with that|that said|given (?:that|this|the))\b/i;
const CLAUSE_FIRST =
  /^((?:if|when|once|after|before|as soon as|as|in case|until|while|because|since|given|per|following|regarding|for|in|to|with|by|on|at|that said)\b[^,.?!]{2,90}),\s+(?=\S)/i;

/** "For the move please bring boxes", "as discussed please send …": the same without a comma. */
const BEFORE_PLEASE =
  /^(?:(?:and|so|also) )?(?:as (?:we |you |i |just )?(?:discussed|agreed|mentioned|said|promised|requested)|(?:for|before|at|during|after|regarding) (?:the|our|your|this|that|next|my) [\p{L} -]{2,40}?|in the meantime|when you can|if possible|once again) (?=(?:please|kindly) \p{L})/iu;
const REASON_FIRST =
  /^[^?!;:]{8,120}?(?:,|;| [–-])\s(?:and )?(?:so |therefore )?(?=(?:please|kindly|could you|can you|would you)\s)/i;

/** "You said you'd send me the deck, could you do that?" */
const DO_THAT =
  /^you (?:had )?(?:mentioned|said|promised|offered|were going)(?: that)? (?:you(?:'d| would|'ll| will)|to) (.{4,80}?)(?:,| [–-]|\. ) ?(?:so |and )?(?:could|can|would|will) you (?:please )?do (?:that|it|so)$/i;

const SOFT =
  "(?:please|kindly|also|possibly|maybe|perhaps|just|then|quickly|both|all|still|at least|be so kind (?:as|and)(?: to)?|try and|go ahead and)";
const COULD = `(?:can|could|would|will|won't|might|may|cld|cd) (?:you|u|ya|y'all|you guys|you all|someone|somebody|anyone|one of you)(?: ${SOFT})*`;
const LIKES =
  "(?:(?:really |would |do |'d )?(?:want|need|like|love|prefer|ask|expect|request|require|urge|advise|encourage|remind))";
const PLEASING =
  "(?:(?:i|we)(?:'d| would| should| will|'ll) (?:really |greatly |very much |also |so )?(?:appreciate it|be (?:very |most |so |extremely )?(?:grateful|happy|glad|thankful)|love it|like it)|(?:it|that) (?:would|'d|will|might) (?:really )?(?:be|help(?: (?:me|us))?(?: out| a lot| greatly| enormously)?)(?: (?:so |very |really |most |extremely )?(?:great|good|nice|helpful|wonderful|useful|lovely|awesome|fantastic|appreciated|ideal|kind|best))?(?: of you)?|(?:i|we)(?:'m| am|'re| are| was| were)(?: just| also)? (?:wondering|hoping)|(?:any|is there (?:any|a)) (?:chance|way)|do you think|i (?:hope|trust)|grateful|i'd be grateful)";

/** A wish that the reader tell or give something. */
const TELL_ME =
  /^(?:(?:i|we)(?:'d| would)?(?: also| still| just| really)* (?:need|like|love|want) to know|(?:i|we) need to hear(?: from you)?|(?:i|we)(?:'m| am|'re| are) (?:just )?wondering(?! (?:if|whether) you (?:can|could|would)))\s+/i;
const GIVE_ME =
  /^(?:(?:would|is|will) it (?:be )?possible (?:for (?:me|us) )?to|(?:can|could|may|might) (?:i|we)(?: please| also)*) (?:get|have|receive|see|obtain)(?: please)?\s+(?!(?:a |an |our |some )?(?:\w+ )?(?:call|meeting|chat|lunch|coffee|dinner|talk|word|minute|discount|refund|extension|room|table|seat|lift|ride)\b)/i;

/** Openings before the verb of a request. The longest match is removed first, repeatedly. */
const BEFORE_VERB = new RegExp(
  `^(?:(?:all|each|both) of you[:,]|${SOFT}|(?:may|can|could|might) (?:i|we) (?:please )?ask you to|do (?:me|us) a favou?r and|(?:are|would|will|might|could) you (?:also |still )?(?:be )?able to|${COULD}|(?:i|we)(?:'d)? ?${LIKES} (?:for )?(?:you|everyone|everybody|you all|all of you|each of you)(?: ${SOFT})* to|you(?:'ll| will| all| both| may| might)?(?: also| still| just| really| do)* (?:need|have|want|are (?:kindly )?(?:asked|requested|required|expected|invited|supposed|advised|encouraged)|ought) to|you (?:should|must|can|shall|could|may)(?: ${SOFT}| now)*|(?:please )?(?:do not|don't|dont|never) forget to|(?:please )?remember to|(?:please )?be sure (?:to|and|you)|(?:please )?(?:make sure|ensure) (?:you|to|that you)|be (?:so )?kind (?:enough )?(?:to|and)|see if you can|${PLEASING} (?:if |whether |that )?(?:you|u)(?: (?:can|could|would|might|will|may))?(?: ${SOFT})*|(?:would|is|will) it be? ?possible(?: for you)? to|(?:is|would) it (?:be )?(?:ok|okay|possible) (?:for you )?(?:if you |to )|i (?:think|suggest|recommend|propose|believe|guess)(?: that)? (?:you|we)(?: (?:should|could|must|need to|ought to|might want to))?|(?:this is )?(?:just )?(?:an? )?(?:quick |gentle |friendly |kind |final )*reminder (?:to|that you (?:need|have) to)|you might want to|you'd better|better|if you (?:can|could|would|wouldn't mind)(?: ${SOFT})*|you (?:are|'re) (?:welcome|free) to|feel free to|don't hesitate to|do not hesitate to|(?:we|you and i)(?: all| both| also| still| really| do)* (?:need|have|ought|want) to|we (?:should|must)(?: also| still| all| really)*|let's(?: ${SOFT})*|lets|let us(?! know)|need(?:s)? (?:you )?to|want you to|must|you need to)\\s+`,
  "i",
);
const BEFORE_GERUND =
  /^(?:(?:would|do|will|if) you(?: guys| all| both)?(?: wouldn't)? mind(?: please)?|(?:i|we)(?:'d| would) (?:really |greatly |very much )?appreciate (?:it if )?(?:you|your)|(?:thanks|thank you)(?: in advance)? for|how about(?: you)?|what about)\s+(?=\p{L}+ing\b)/iu;
const BEFORE_THING =
  /^(?:(?:i|we)(?:'ll| will| still| also| really| urgently| just| do)* (?:need|require|am missing|are missing|await|expect|lack)|(?:i|we)(?:'m| am|'re| are)(?: still| just)? (?:waiting for|missing|awaiting)|(?:i|we)(?:'d| would) (?:really |greatly |also |very )*(?:like|love|appreciate|welcome|be (?:\w+ )?grateful for)|looking for|i(?:'m| am) looking for|waiting for|(?:i|we) (?:want|could use))\s+(?!to\b|you\b)/i;
const PROMISES =
  /^(?:(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to|'m about to| plan to| intend to| promise to| am planning to| hope to)(?: also| then| just| try to| be sure to| make sure to| definitely| probably| be able to)*|i can(?= (?:send|get|do|have|bring|take|call|share|prepare|forward|check|ask|provide)\b))\s+/i;
const NAMED_DOES =
  /^\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20})? (?:to|will|should|must|needs? to|has to|please|shall|is to)\s+(?=\p{Ll})/u;
const PASSIVE =
  /^(.{2,80}?) (?:must|should|(?:still |also )?(?:needs?|has|have|is|are) to|shall|will (?:need|have) to|ought to) be (\p{L}{2,20})\b\s?(.*)$/iu;

/** Reads a sentence without its due date. */
/** "Your feedback on the draft would be appreciated." */
const WELCOME = /^(your .{3,80}?)(?: by [\w ]{3,20})? would be (?:\w+ )?(?:appreciated|helpful|welcome)$/i;
const HAVE_YOURS =
  /^(?:let (?:me|us) have|(?:could|can|may|might) (?:i|we) (?:please )?(?:have|get)) ((?:your|the) .{3,})$/i;

export function readRequest(sentence: string): RequestPhrase {
  const isQuestion = /\?["”')\s]*$/.test(sentence);
  let text = trimmed(sentence).replaceAll("’", "'");
  text = text
    .replace(BEFORE_PLEASE, "")
    .replace(DO_THAT, "$1")
    .replace(/ by (?:each|all|both|every one) of you\b/i, "");
  const wanted = WELCOME.exec(text) ?? HAVE_YOURS.exec(text);
  if (wanted && !/\b(?:call|meeting|chat|word|minute)\b/i.test(wanted[1] ?? ""))
    return { kind: "need", what: tidied(wanted[1] ?? "") };
  const reason = REASON_FIRST.exec(text);
  // "Finance closes the books on Friday, so please have a look": the request stands last.
  if (reason && !begins(text) && !CLAUSE_FIRST.test(text)) text = text.slice(reason[0].length);
  const clause = CLAUSE_FIRST.exec(text)?.[1] ?? "";
  const rest = clause && text.slice(clause.length).replace(/^,\s+/, "");
  const core = rest && begins(rest) ? rest : "";
  const condition = core && !EMPTY_CLAUSE.test(clause) ? ` ${clause.charAt(0).toLowerCase()}${clause.slice(1)}` : "";
  text = core || text;
  const promise = PROMISES.exec(text);
  if (promise && !isQuestion) return { kind: "promise", what: `${text.slice(promise[0].length)}${condition}` };
  const command = commandIn(text, isQuestion);
  if (command) return { kind: "do", what: `${tidied(command)}${condition}` };
  const thing = BEFORE_THING.exec(text);
  if (thing && !isQuestion) return { kind: "need", what: `${tidied(text.slice(thing[0].length))}${condition}` };
  const passive = isQuestion ? null : PASSIVE.exec(text);
  const verb = passive && verbOf(passive[2] ?? "");
  if (passive && verb)
    return { kind: "do", what: tidied(`${verb} ${lowerFirst(passive[1] ?? "")} ${passive[3] ?? ""}`.trim()) };
  return { kind: isQuestion ? "ask" : "other", what: text };
}

function trimmed(sentence: string): string {
  let text = sentence.trim().replace(TRAILING, "");
  for (let round = 0; round < 3; round += 1) {
    const next = text.replace(LABEL, "").replace(OPENING, "");
    const named = VOCATIVE.exec(next);
    const after = named && isName(named[0]) ? next.slice(named[0].length) : next;
    if (after === text || after.length < 3) break;
    text = after;
  }
  return text;
}

/** Whether the words before a comma address somebody: "Grace," but not "Friday,". */
function isName(words: string): boolean {
  const [first = ""] = words.replace(/^(?:@|hi |hey |dear )/i, "").split(/[\s,:-]/, 1);
  return !NOT_NAMES.has(first.toLowerCase()) && !IMPERATIVES.has(first.toLowerCase());
}

const begins = (text: string) =>
  BEFORE_VERB.test(text) ||
  BEFORE_GERUND.test(text) ||
  PROMISES.test(text) ||
  BEFORE_THING.test(text) ||
  startsWithVerb(text);

/** The command in a sentence, from its verb on; null if there is none. */
function commandIn(sentence: string, isQuestion: boolean): string | null {
  const told = TELL_ME.exec(sentence);
  if (told) return `tell me ${sentence.slice(told[0].length)}`;
  const given = GIVE_ME.exec(sentence);
  if (given) return `send me ${sentence.slice(given[0].length)}`;
  let text = sentence;
  let isAsked = false;
  for (let round = 0; round < 4; round += 1) {
    const gerund = BEFORE_GERUND.exec(text);
    if (gerund) {
      const doing = text.slice(gerund[0].length);
      const [first = ""] = doing.split(/\s/, 1);
      const verb = baseOf(first.toLowerCase());
      return verb ? `${verb}${doing.slice(first.length)}` : null;
    }
    const lead = BEFORE_VERB.exec(text) ?? NAMED_DOES.exec(text);
    if (!lead) break;
    isAsked = true;
    text = text.slice(lead[0].length);
  }
  if (startsWithVerb(text, isQuestion)) return text;
  const [first = ""] = text.split(/\s/, 1);
  // "I'd appreciate it if you sent us the forecast"
  const present = isAsked ? verbOf(first) : null;
  if (present) return `${present}${text.slice(first.length)}`;
  return isAsked && /^\p{L}{2,}/u.test(text) && !NOT_COMMAND.test(text) ? text : null;
}

/** Verbs after a modal that are no command: "could you be free", "you should have received". */
const NOT_COMMAND =
  /^(?:be (?:able|free|available|interested|aware|back|there|ok|okay|around)|have (?:\w+(?:ed|en)|been|had|got|any|a|an|time|some|the time)\b|you|i|we|they|he|she|it|the|this|that|these|those|there|not|agree\b.*\?|find (?:attached|enclosed|below)|know\b|like to\b|want\b|need\b|remember\b.*\?)\b/i;
const SUBJECTS = wordSet("you we i they he she it there the this these those that");
const PERSONS = wordSet("you we i they he she it there");
const MODAL_VERBS = wordSet("do have don't");

/** "Send the file", but neither "Do you agree" nor "Check is in the mail". */
function startsWithVerb(text: string, isQuestion = true): boolean {
  const [first = "", second = ""] = text
    .toLowerCase()
    .replace(/^(?:please|also|then|just|kindly) /, "")
    .split(/\s/, 2);
  if (!IMPERATIVES.has(first)) return false;
  if (MODAL_VERBS.has(first)) return second !== "" && !(isQuestion ? SUBJECTS : PERSONS).has(second);
  return !/^(?:is|are|was|were|has|will|can|would|should)$/.test(second);
}

/** Courtesies inside a command, and the article of a verb phrase. */
function tidied(command: string): string {
  return command
    .replace(new RegExp(`^(?:${SOFT}\\s+)+`, "i"), "")
    .replace(/,? (?:please|pls|kindly)\b,?/gi, "")
    .replace(TRAILING, "")
    .replace(/\s+/g, " ")
    .trim();
}

const lowerFirst = (text: string) =>
  /^(?:The|This|These|That|Those|All|Your|My|Our|Any|Each|Every|A|An)\b/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

/** "sending" → "send", if that is a verb we know. */
function baseOf(gerund: string): string | null {
  if (!gerund.endsWith("ing")) return null;
  const stem = gerund.slice(0, -3);
  const candidates = [stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")];
  return (
    candidates.find((verb) => IMPERATIVES.has(verb)) ??
    (stem.length > 2 ? (/(?:[aeiou][^aeiouwxy]|[cvsz])$/.test(stem) && stem.length < 5 ? `${stem}e` : stem) : null)
  );
}

const IRREGULAR = pairs(
  "sent: send, paid: pay, made: make, done: do, given: give, taken: take, written: write, chosen: choose, kept: keep",
  "brought: bring, bought: buy, sold: sell, told: tell, held: hold, left: leave, found: find, read: read, set: set, put: put",
  "met: meet, seen: see, shown: show, run: run, built: build, drawn: draw, filed: file, signed: sign, shut: shut, hung: hang",
);

/** "returned" → "return", if that is a verb we know. */
function verbOf(participle: string): string | null {
  const word = participle.toLowerCase();
  const irregular = IRREGULAR.get(word);
  if (irregular) return irregular;
  if (!word.endsWith("ed")) return null;
  const stem = word.slice(0, -2);
  return (
    [word.slice(0, -1), stem, stem.replace(/(.)\1$/, "$1"), stem.replace(/i$/, "y")].find((verb) =>
      IMPERATIVES.has(verb),
    ) ?? null
  );
}
