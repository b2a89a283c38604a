import { collapseSpace } from "../../lib/text.ts";
import { pairs, type Word } from "../../lib/words.ts";
import { IMPERATIVES } from "../email/request-words.ts";
import { sentencesIn } from "../email/sentences.ts";

type PlainKind =
  | Word<"accept decline propose thank apologise congratulate invite remind confirm say avoid">
  | Word<"ask ask-for ask-about ask-to ask-whether">;

/** One thing that an email or a reply is to say. */
export type Instruction = { kind: PlainKind; what: string } | { kind: "postpone"; what: string; to: string };

export interface Instructions {
  instructions: Instruction[];
  /** What was not understood, word for word. */
  unread: string[];
  hints: { formal: boolean; friendly: boolean; brief: boolean };
}

const MAX_READ = 4000;
const MAX_INSTRUCTIONS = 20;

type Pattern = readonly [RegExp, PlainKind | ((what: string, lead: string) => Instruction | null)];

const THEM = "(?:him|her|them|[A-Z][a-z]{1,20}|the sender|the client|the customer|the team|everyone|my \\w{2,20})";
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
  [start(`ask ${THEM} to|request ${THEM} to|request that they|ask to`), "ask-to"],
  [start(`ask(?: ${THEM})? about`), "ask-about"],
  [start(`ask(?: ${THEM})? for|request`), "ask-for"],
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
  [
    start(
      `(?:say|tell(?: ${THEM})?|mention|explain(?: to ${THEM})?|write|state|add|note|include|inform ${THEM}|let ${THEM} know|point out|emphasi[sz]e|stress|assure ${THEM}|answer|reply|respond)(?: that)?`,
    ),
    saying,
  ],
  [start("(?:accept|agree(?: to| with)?|say yes(?: to)?|approve|take)(?: it| this| that| them)?"), "accept"],
  [start("(?:decline|reject|refuse|turn down|say no(?: to)?|pass on)(?: it| this| that| them)?"), "decline"],
  [start("(?:postpone|reschedule|delay|push back|move|defer)"), postponed],
  [start("(?:propose|suggest|offer)(?: to meet)?"), "propose"],
  [start("confirm(?: that| the fact that)?"), confirmed],
];

const CLAUSE =
  /^(?:i|we|i'm|i'll|i've|i'd|we'll|we're|we've|my|our|the|a|an|it|it's|there|this|that|these|those|your|you|yes|no|unfortunately|no problem|everything|all)\b/i;
const HINT =
  /^(?:(?:and |but )?(?:keep it|make it|be|sound|stay|write|answer|reply|respond|in an?|use an?)\s)?(?:very |quite |more |really )?(polite(?:ly)?|formal(?:ly)?|professional(?:ly)?|friendly|warm(?:ly)?|casual(?:ly)?|kind(?:ly)?|short|brief(?:ly)?|concise(?:ly)?|positive(?:ly)?)(?:(?:,| and|, and) (?:polite|formal|professional|friendly|warm|casual|kind|short|brief|concise|positive))?(?: tone| way| manner| reply| answer)?$/i;

/** Reads instructions such as "accept, but ask for the agenda; thank them for the draft". */
export function readInstructions(text: string): Instructions {
  const instructions: Instruction[] = [];
  const unread: string[] = [];
  const hints = { formal: false, friendly: false, brief: false };
  for (const clause of clausesOf(text.slice(0, MAX_READ))) {
    const hint = HINT.exec(clause);
    if (hint) {
      if (/formal|professional/i.test(clause)) hints.formal = true;
      if (/friendly|warm|casual/i.test(clause)) hints.friendly = true;
      if (/short|brief|concise/i.test(clause)) hints.brief = true;
      continue;
    }
    const instruction = instructionOf(clause);
    if (instruction && instructions.length < MAX_INSTRUCTIONS) instructions.push(instruction);
    else unread.push(clause);
  }
  return { instructions, unread, hints };
}

function instructionOf(clause: string): Instruction | null {
  for (const [pattern, make] of PATTERNS) {
    const match = pattern.exec(clause);
    if (!match) continue;
    const what = bare(addressed(clause.slice(match[0].length), match[0]));
    return typeof make === "string" ? { kind: make, what } : make(what, match[0]);
  }
  return isStatement(clause) ? { kind: "say", what: bare(clause) } : null;
}

const FINITE =
  /\s(?:is|are|was|were|has|have|had|will|won't|can|can't|cannot|takes?|gets?|costs?|needs?|works?|starts?|ends?|opens?|closes?|includes?|arrives?|ships?|comes?|goes|means|depends|isn't|aren't)\s/i;

/** Whether the clause is a statement to be sent as it is, not an instruction that was not understood. */
function isStatement(clause: string): boolean {
  if (CLAUSE.test(clause)) return clause.includes(" ");
  return FINITE.test(clause) && !IMPERATIVES.has(clause.split(/\W/, 1)[0]?.toLowerCase() ?? "");
}

const VERBS =
  "accept|agree|approve|decline|reject|refuse|turn down|postpone|reschedule|delay|push back|propose|suggest|offer|ask|request|thank|apologi[sz]e|congratulate|invite|remind|say|tell|mention|explain|state|add|inform|let (?:him|her|them)|confirm|keep it|be (?:polite|brief|formal|friendly)|don't mention|do not mention|avoid|point out|move (?:it|this|the)";
const JOINT = new RegExp(
  `\\s*(?:,?\\s(?:and|but)(?: then| also)?\\s|,\\s|\\sthen\\s)(?=(?:please |politely |also |instead )?(?:${VERBS})\\b)`,
  "gi",
);

function clausesOf(text: string): string[] {
  return text
    .split(/[\n;]/)
    .map((line) => line.replace(/^\s{0,20}(?:[-*•–]|\d{1,2}[.)])\s{1,10}/, ""))
    .flatMap((line) =>
      sentencesIn(line, { start: 0, end: line.length }).map(({ start, end }) => line.slice(start, end)),
    )
    .flatMap((sentence) => sentence.split(JOINT))
    .map((clause) => collapseSpace(clause.replace(/[.;,\s]+$/, "")))
    .filter((clause) => clause !== "");
}

function bare(text: string): string {
  return text.trim().replace(/[.;,\s]+$/, "");
}

function saying(what: string): Instruction | null {
  if (/^yes\b/i.test(what)) return { kind: "accept", what: bare(what.slice(3)).replace(/^,?\s?/, "") };
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
  const [, thing = "", to = ""] = /^(.*?)(?:\b(?:to|until|till|for)\s(.+))?$/i.exec(what) ?? [];
  return { kind: "postpone", what: bare(thing), to: bare(to) };
}

const VERB_FORMS = pairs("is: are, has: have, was: were, does: do, wants: want, needs: need");

const OTHERS = { him: ["he", "his"], her: ["she", "her"], them: ["they", "their"] } as const;

/** "ask him to send his notes" → "send your notes": the third person becomes the reader. */
function addressed(clause: string, lead: string): string {
  const who = /\b(him|her|them|they)\b/i.exec(lead)?.[1]?.toLowerCase().replace("they", "them");
  const isQuestion = /\b(?:ask|check|find out)\b/i.test(lead);
  if (!who && !isQuestion) return clause;
  const spoken = Object.entries(OTHERS).flatMap(([object, words]) => (who && object !== who ? [] : [words]));
  const subjects = spoken.map(([subject]) => subject).join("|");
  const owners = spoken.map(([, owner]) => owner).join("|");
  return clause
    .replace(new RegExp(`\\b(?:${subjects})(?:'s| ([a-z]+))?\\b`, "gi"), (found, verb?: string) => {
      if (/'s$/.test(found)) return "you are";
      return verb ? `you ${VERB_FORMS.get(verb.toLowerCase()) ?? verb}` : "you";
    })
    .replace(new RegExp(`\\b(?:${owners})\\b`, "gi"), "your")
    .replace(/\bthem\b/gi, who === "them" ? "you" : "them");
}
