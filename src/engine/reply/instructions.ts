import { collapseSpace } from "../../lib/text.ts";
import type { Word } from "../../lib/words.ts";
import { IMPERATIVES } from "../email/request-words.ts";
import { sentencesIn } from "../email/sentences.ts";
import { addressReader, type ReaderGroup } from "./address-reader.ts";

type PlainKind =
  | Word<"accept decline propose thank apologise congratulate invite remind confirm say avoid">
  | Word<"ask ask-for ask-about ask-to ask-whether offer wish">;

/** One thing that an email or a reply is to say. */
export type Instruction = { kind: PlainKind; what: string } | { kind: "postpone"; what: string; to: string };

interface Instructions {
  instructions: Instruction[];
  /** The parts that were not understood, verbatim. */
  unread: string[];
  hints: { formal: boolean; friendly: boolean; brief: boolean };
}

const MAX_READ = 4000;
const MAX_INSTRUCTIONS = 20;

type Pattern = readonly [RegExp, PlainKind | ((what: string, lead: string) => Instruction | null)];

const THEM = "(?:him|her|them|you|[A-Z][a-z]{1,20}|the sender|the client|the customer|the team|everyone|my \\w{2,20})";
const POLITELY = "(?:(?:please|politely|kindly|gladly|happily|gently|also|then|just|briefly|warmly)\\s)*";
const KINDLY = "(?:\\s(?:politely|kindly|gladly|gently|firmly|warmly|sincerely))?";
const start = (body: string) => new RegExp(`^${POLITELY}(?:${body})${KINDLY}(?=$|[\\s,.:;!?-])[\\s,:-]*`, "i");

const PATTERNS: readonly Pattern[] = [
  [
    start(
      "(?:do not|don't|dont|never|avoid|without)(?: mention(?:ing)?| say(?:ing)?| talk(?:ing)? about| discuss(?:ing)?)",
    ),
    "avoid",
  ],
  [start(`ask ${THEM} (?:not )?to|request ${THEM} (?:not )?to|request that they|ask (?:not )?to`), asked],
  [start(`ask(?: ${THEM})? about`), "ask-about"],
  [start(`ask(?: ${THEM})? for|request|demand`), "ask-for"],
  [start(`ask(?: ${THEM})? (?:if|whether)|check (?:if|whether)|find out (?:if|whether)`), "ask-whether"],
  [start(`ask(?: ${THEM})?(?= (?:when|what|where|who|why|how|which)\\b)`), "ask"],
  [
    start(
      `(?:thank|thanks)(?: (?:you|${THEM}))?(?: (?:so|very) much)?(?: for)?|say thank(?:s| you)(?: for)?|express (?:my |our )?(?:thanks|gratitude) for`,
    ),
    "thank",
  ],
  [
    start(`apologi[sz]e(?: to ${THEM})?(?: for)?|say (?:that )?(?:I'm |I am |we are |we're )?sorry(?: for)?`),
    "apologise",
  ],
  [start(`congratulate(?: ${THEM})?(?: on| for)?`), "congratulate"],
  [start(`invite(?: ${THEM})?(?: to| for)?`), "invite"],
  [start(`remind(?: ${THEM})?(?: of| about)?`), "remind"],
  [start(`promise(?: ${THEM})? to`), (what) => ({ kind: "say", what: `I will ${what}` })],
  [start("complain(?: that| about)?"), (what, lead) => ({ kind: "say", what: complaint(what, lead) })],
  [start(`offer ${THEM}`), "offer"],
  [start("offer to(?! meet)"), (what) => ({ kind: "say", what: `I am happy to ${what}` })],
  [start(`wish ${THEM}`), "wish"],
  [
    start("(?:choose|pick(?! (?:up|him|her|them)\\b)|prefer|go with|go for|opt for)"),
    (what) => ({ kind: "say", what: `I would prefer ${what}` }),
  ],
  [start("cancel"), (what) => ({ kind: "say", what: `I would like to cancel ${what || "this"}` })],
  [
    start(
      `(?:warn ${THEM}|notify ${THEM}|report|announce|summari[sz]e|advise ${THEM}|promise(?: ${THEM})?|say|tell(?: ${THEM})?|mention|explain(?: to ${THEM})?|write|state|add|note|include|inform ${THEM}|let ${THEM} know|point out|emphasi[sz]e|stress|assure ${THEM}|answer|reply|respond)(?: that)?`,
    ),
    saying,
  ],
  [start("(?:accept|agree(?: to| with)?|approve|take)(?: it| this| that| them)?"), "accept"],
  [start("(?:decline|reject|refuse|turn down|say no(?: to)?|pass on)(?: it| this| that| them)?"), "decline"],
  [start("(?:postpone|reschedule|delay|push back|move|defer)"), postponed],
  [start("(?:propose|suggest) to(?! meet)"), (what) => ({ kind: "say", what: `I suggest that we ${what}` })],
  [start("(?:propose|suggest|offer)(?: to meet| meeting)?"), "propose"],
  [start("confirm(?: that| the fact that)?"), confirmed],
];

const CLAUSE =
  /^(?:i|we|i'm|i'll|i've|i'd|we'll|we're|we've|my|our|the|a|an|it|it's|there|this|that|these|those|your|you|yes|no|unfortunately|no problem|everything|all)\b/i;
const HINT =
  /^(?:(?:and |but )?(?:keep it|make it|be|sound|stay|write|answer|reply|respond|in an?|use an?)\s)?(?:very |quite |more |really )?(polite(?:ly)?|formal(?:ly)?|professional(?:ly)?|friendly|warm(?:ly)?|casual(?:ly)?|kind(?:ly)?|short|brief(?:ly)?|concise(?:ly)?|positive(?:ly)?)(?:(?:,| and|, and) (?:polite|formal|professional|friendly|warm|casual|kind|short|brief|concise|positive))?(?: tone| way| manner| reply| answer)?$/i;

/** Reads instructions such as "accept, but ask for the agenda; thank them for the draft". */
export function readInstructions(text: string, reader: ReaderGroup = null): Instructions {
  const instructions: Instruction[] = [];
  const unread: string[] = [];
  const hints = { formal: false, friendly: false, brief: false };
  let group = reader;
  for (const clause of clausesOf(text.slice(0, MAX_READ))) {
    const hint = HINT.exec(clause);
    if (hint) {
      if (/formal|professional/i.test(clause)) hints.formal = true;
      if (/friendly|warm|casual/i.test(clause)) hints.friendly = true;
      if (/short|brief|concise/i.test(clause)) hints.brief = true;
      continue;
    }
    group = groupIn(clause) ?? group;
    const instruction = instructionOf(clause, group);
    if (instruction && instructions.length < MAX_INSTRUCTIONS) instructions.push(instruction);
    else unread.push(clause);
  }
  return { instructions, unread, hints };
}

/** "tell her …": whom the instructions call "her" is the reader. */
function groupIn(clause: string): ReaderGroup {
  const word = LEADING_PERSON.exec(clause)?.[1]?.toLowerCase();
  return word === "him" || word === "her" || word === "them" ? word : null;
}

const LEADING_PERSON =
  /^(?:(?:please|politely|kindly|also|then|just|gently|briefly|warmly)\s)*(?:ask|tell|thank|inform|remind|invite|congratulate|let|assure|promise|request|warn|notify|advise|offer|wish|explain to|apologi[sz]e to)\s(him|her|them)\b/i;

function instructionOf(clause: string, group: ReaderGroup): Instruction | null {
  for (const [pattern, make] of PATTERNS) {
    const match = pattern.exec(clause);
    if (!match) continue;
    const what = bare(addressReader(clause.slice(match[0].length), group));
    return typeof make === "string" ? { kind: make, what } : make(what, match[0]);
  }
  const short = SHORT_ANSWERS.find(([pattern]) => pattern.test(clause));
  if (short) return { kind: short[1], what: short[2] ? clause.replace(/,? please$/i, "") : "" };
  return isStatement(clause) ? { kind: "say", what: bare(addressReader(clause, group)) } : null;
}

/** A whole instruction in a word or two; the last member says whether the words name a time. */
const SHORT_ANSWERS: readonly (readonly [RegExp, PlainKind, boolean])[] = [
  [
    /^(?:yes|yep|yeah|yes,? please|sure|ok|okay|fine|of course|agreed|sounds good|that works|works for me|with pleasure)[.!]*$/i,
    "accept",
    false,
  ],
  [/^(?:no|nope|no,? thanks|no,? thank you|no,? sorry|sorry,? no|not possible|i can't)[.!]*$/i, "decline", false],
  [
    /^(?:on |at )?(?:(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|\d{1,2}(?::\d{2}|\s?[ap]m))(?: (?:at|in|the|on|morning|afternoon|evening|\d\S*|[ap]m)){0,4}(?:,? please)?$/i,
    "accept",
    true,
  ],
];

function asked(what: string, lead: string): Instruction {
  return { kind: "ask-to", what: /\bnot to\b/i.test(lead) ? `not ${what}` : what };
}

function complaint(what: string, lead: string): string {
  return `I am writing to complain ${/about/i.test(lead) || !/\s(?:is|are|was|were|has|have|had|arrived|did|does|do|will|can|came|broke)\b/i.test(what) ? "about" : "that"} ${what}`;
}

const FINITE =
  /\s(?:is|are|was|were|has|have|had|will|won't|can|can't|cannot|takes?|gets?|costs?|needs?|works?|starts?|ends?|opens?|closes?|includes?|arrives?|ships?|comes?|goes|means|depends|isn't|aren't)\s/i;

/** Whether the clause is a statement to be sent as it is, not an instruction that was not understood. */
function isStatement(clause: string): boolean {
  if (CLAUSE.test(clause)) return clause.includes(" ");
  return FINITE.test(clause) && !IMPERATIVES.has(clause.split(/\W/, 1)[0]?.toLowerCase() ?? "");
}

const VERBS =
  "choose|pick|prefer|go with|opt for|promise|complain|demand|cancel|wish|warn|notify|report|announce|accept|agree|approve|decline|reject|refuse|turn down|postpone|reschedule|delay|push back|propose|suggest|offer|ask|request|thank|apologi[sz]e|congratulate|invite|remind|say|tell|mention|explain|state|add|inform|let (?:him|her|them|[A-Z][a-z]+) know|confirm|keep it|be (?:polite|brief|formal|friendly)|don't mention|do not mention|avoid|point out|move (?:it|this|the)";
const JOINT = new RegExp(
  `\\s{0,9}(?:,?\\s(?:and|but)(?: then| also)?\\s|,\\s|\\sthen\\s)(?=(?:please |politely |also |instead )?(?:${VERBS})\\b)`,
  "gi",
);

/** "tell her that A and that B", "decline, I'm on holiday": what follows is said on its own. */
const SAYING =
  /^((?:(?:please|politely|kindly|also|then|just)\s)*(?:say|tell|inform|explain|mention|confirm|remind|let|announce|write|state|add|note|assure|promise|report|warn|notify|point out|summari[sz]e)(?:\s(?:to\s)?(?:him|her|them|[A-Z][a-z]{1,20}|my \w{2,20}|the \w{2,20}|everyone))?(?: know)?)\s/i;
const NEXT_FACT = /(?:,\s(?:and\s|but\s)?|\s(?:and|but)\s)that\s/gi;
const STANCE_LEAD =
  /^(?:(?:please|politely|kindly|gladly|also|then|just)\s)*(?:accept|agree|approve|decline|reject|refuse|turn down|postpone|reschedule|thank|apologi[sz]e|congratulate|confirm|propose|suggest)\b/i;
const OWN_SENTENCE =
  /(?:,|\s[-–—]|:)\s(?=(?:i|i'm|i'll|i've|i'd|we|we're|we'll|we've|it's|there's|my|our|unfortunately)\s)/i;

function clausesOf(text: string): string[] {
  return text
    .replaceAll("’", "'")
    .split(/[\n;]/)
    .map((line) =>
      line.replace(/^\s{0,20}(?:[-*•–]|\d{1,2}[.)])\s{1,10}/, "").replace(/^\s*(?:and|but|also|then)\s/i, ""),
    )
    .flatMap((line) =>
      sentencesIn(line, { start: 0, end: line.length }).map(({ start, end }) => line.slice(start, end)),
    )
    .flatMap((sentence) => sentence.split(JOINT))
    .flatMap(singleFacts)
    .map((clause) => collapseSpace(clause.replace(/(?<![.;,\s])[.;,\s]+$/, "")))
    .filter((clause) => clause !== "");
}

function singleFacts(clause: string): string[] {
  const said = SAYING.exec(clause)?.[1];
  if (said) {
    const [first = "", ...more] = clause.split(NEXT_FACT);
    const lead = /^(?:.*\s)?(?:remind|confirm|promise)\b/i.test(said) ? "say" : said.replace(/\sthat$/i, "");
    return [first, ...more.map((fact) => `${lead} that ${fact}`)];
  }
  if (!STANCE_LEAD.test(clause)) return [clause];
  const at = OWN_SENTENCE.exec(clause);
  return at ? [clause.slice(0, at.index), clause.slice(at.index + at[0].length)] : [clause];
}

function bare(text: string): string {
  return text.trim().replace(/(?<![.;,\s])[.;,\s]+$/, "");
}

function saying(what: string): Instruction | null {
  if (/^yes\b/i.test(what)) return { kind: "accept", what: bare(what.slice(3)).replace(/^,?\s?(?:to\s)?/i, "") };
  if (/^no to\b/i.test(what)) return { kind: "decline", what: bare(what.slice(5)) };
  if (/^no\b[,.]?$/i.test(what)) return { kind: "decline", what: "" };
  return what === "" ? null : { kind: "say", what: what.replace(/^["“](.+)["”]$/, "$1") };
}

function confirmed(what: string, lead: string): Instruction {
  if (/that/i.test(lead) || /^(?:i|we|it|the \w+ (?:is|are|was|has|will))\b/i.test(what)) {
    return { kind: "say", what: `I confirm that ${what}` };
  }
  return { kind: "confirm", what };
}

function postponed(what: string): Instruction {
  const joint = /\b(?:to|until|till|for)\s(?=.)/i.exec(what);
  const at = joint?.index ?? what.length;
  return { kind: "postpone", what: bare(what.slice(0, at)), to: bare(what.slice(at + (joint?.[0].length ?? 0))) };
}
