import { assertType } from "../../lib/cast.ts";
import type { Language } from "../../lib/languages.ts";
import { capitalize, collapseSpace } from "../../lib/text.ts";
import { addressReader, type ReaderGroup } from "./address-reader.ts";
import { GRAMMARS, ORDERS } from "./grammars.ts";
import { type PlainAnswer, type ReplyTone, toned } from "./letters.ts";

const MAX_READ = 4000;
const MAX_ORDERS = 20;

/** What a letter says by one part of the instructions. */
export interface Said {
  kind: PlainAnswer | null;
  /** With the person's words; null for a plain answer, which has none. */
  sentence: string | null;
}

interface Reading {
  said: Said[];
  /** The parts that were not understood, verbatim. */
  unread: string[];
}

/** The tone of the letter, what the instructions call its reader, and their names; null if any name is theirs. */
interface LetterReader {
  tone: ReplyTone;
  group: ReaderGroup;
  names: ReadonlySet<string> | null;
}

type Shape = "thing" | "any" | "said" | "own";

interface Row {
  kind: PlainAnswer | null;
  sentence: string;
  pattern: RegExp;
  shape: Shape | null;
}

/** The end of a word; "l'" and "qu'" are words, too. */
const END = "(?:(?<=['’])|(?![\\p{L}]))";
const TELL = "(?:say|tellTHEM|tell(?= that )|letTHEM know|(?:inform|warn|notify|advise|assure)THEM|promiseWHOM)";
/** Without "that" or a colon these are followed by a topic: "explain the delay". */
const TOLD =
  "(?:report|announce|summari[sz]e|mention|explain(?: toTHEM)?|writeWHOM|state|add|note|include|point out|emphasi[sz]e|stress|answer|reply|respond)";
const SORRY = "(?:apologi[sz]e(?: toTHEM)?|say (?:that )?(?:i'm |i am |we are |we're )?sorry)";
const TIME =
  "(?:on |at )?((?:(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|next week|\\d{1,2}(?::\\d{2}|\\s?[ap]m))(?: (?:at|in|the|on|instead|of|\\p{L}+day|morning|afternoon|evening|\\d\\S*|[ap]m)){0,4})";

const SHAPES: readonly (readonly [macro: string, shape: Shape])[] = [
  ["THING", "thing"],
  ["ANY", "any"],
  ["TIME", "any"],
  ["SAID", "said"],
  ["OWN", "own"],
];

type Grammar = ReturnType<typeof grammarOf>;
const grammars = new Map<Language, Grammar>();

function grammarFor(language: Language): Grammar {
  const grammar = grammars.get(language) ?? grammarOf(language);
  grammars.set(language, grammar);
  return grammar;
}

function grammarOf(language: Language) {
  const { whom, courtesies, things, limits, depends, and, or, orders, own, begun, finite, reasons, noReason, third } =
    GRAMMARS[language];
  const polite = `(?:(?:${courtesies}),? ){0,4}`;
  const word = (words: string, before = "") => new RegExp(`(?<!\\p{L})${before}(?:${words})${END}`, "iu");
  const rowOf = (sentence: string, body: string): Row => {
    const [, kind, said] = /^(?:(\w{1,15})(?:: |$))?(.*)$/.exec(sentence) ?? [];
    const pattern = `${body}${body.includes("SAID(") ? `${END}.*)` : ""}`
      .replaceAll("TELL", TELL)
      .replaceAll("TOLD", TOLD)
      .replaceAll("SORRY", SORRY)
      .replaceAll("WHOM", `(?:${whom})?(?: (?:${courtesies})){0,3}`)
      .replaceAll("THEM", whom)
      .replaceAll("NOREASON", `(?:${noReason})?`)
      .replace(/ANYOF(\([^)]{1,200}\))$/, (_, heads: string) => `((?:${heads})${END}.*?)`)
      // The heads of a clause stand at the end of a line, in parentheses.
      .replace("SAID(", "((?:")
      .replace("SAID", "(.*)")
      .replace("TIME", TIME)
      .replace(/THING|ANY|OWN/, "(.+?)");
    return {
      kind: kind === undefined ? null : assertType<PlainAnswer>(kind),
      sentence: said ?? "",
      shape: SHAPES.find(([macro]) => body.includes(macro))?.[1] ?? null,
      pattern: new RegExp(`^${polite}(?:${pattern})(?:,? (?:${courtesies})){0,3}[.!]*$`, "iu"),
    };
  };
  const order = `${polite}(?:${orders})`;
  return {
    third,
    rows: ORDERS[language]
      .trim()
      .split("\n")
      .flatMap((line) => {
        const at = line.indexOf(" = ");
        const [said, body] = [line.slice(0, at), line.slice(at + 3)];
        return body.split(" || ").map((each) => rowOf(said, each));
      }),
    thing: new RegExp(`^(?:${things})${END}`, "iu"),
    limit: word(limits),
    depends: word(depends, "(?<=\\S\\s)"),
    reason: word(reasons),
    order: new RegExp(`^${order}`, "iu"),
    comma: new RegExp(`, (?=${order})`, "iu"),
    next: new RegExp(`(?:,|,? (?:${and})) (?=${order})|(?<=\\S) (?=(?:${or}) (?:to )?${order})`, "iu"),
    own: new RegExp(`^(?:(?:${own})|(?:${begun})(?= (?:.* )?(?:${finite})(?![\\p{L}'])))(?!\\p{L})`, "iu"),
  };
}

/** What is to be kept back is said in the same breath: "tell her that I come, but not that I am ill". */
const KEEPS_BACK =
  /(?<!\p{L})(?:(?:but )?not that|without (?:saying|mentioning|telling)|nicht,? dass|ohne (?:\p{L}+ ){0,6}zu|mais pas que?|sans (?:dire|mentionner|parler)|pero no que|sin (?:decir|mencionar))(?!\p{L})/iu;
/** Which of the two is accepted or declined is open. */
const CHOICE = /(?<!\p{L})(?:or|oder|ou|o)(?!\p{L})/iu;
/** "tell him that A and that B" says both. */
const NEXT_FACT = /(?:,\s(?:(?:and|but)\s)?|\s(?:and|but|et|mais|y|pero)\s)(?:that\s|que\s|qu['’])/iu;
/** What is to be left out. A draft that has only what the person says leaves it out anyway. */
const AVOID =
  /^(?:please )?(?:do not|don't|dont|never|avoid|without) (?:mention(?:ing)?|talk(?:ing)? about|discuss(?:ing)?|(?:say(?:ing)?|tell(?:ing)? (?:him|her|them))(?: that)?(?= (?:i|i'm|i've|we|we're|my|our|the)\b)) /i;
const TOPIC = /mention|discuss|talk/i;

const HINT_WORDS: Record<ReplyTone, string> = {
  brief: "short|brief(?:ly)?|concise(?:ly)?|kurz|knapp|bref|court|breve(?:mente)?",
  friendly: "friendly|warm(?:ly)?|casual(?:ly)?|freundlich|herzlich|amical(?:ement)?|amable(?:mente)?",
  formal: "formal(?:ly|mente)?|professional(?:ly)?|förmlich|formell?(?:ement)?",
};
const TONES = ["brief", "friendly", "formal"] as const;
const HINTS = `(?:${Object.values(HINT_WORDS).join("|")}|polite(?:ly)?|kind(?:ly)?|positive(?:ly)?|höflich|poli(?:ment)?)`;
const HINT = new RegExp(
  `^(?:(?:and|but|please|bitte) )?(?:(?:keep it|make it|be|sound|stay|write|answer|reply|respond|in an?|use an?|fasse? dich|halte? es|sei|schreibe?|sois|reste|sé|hazlo|escribe) )?(?:(?:very|quite|more|really) )?${HINTS}(?:(?:,| and|, and) ${HINTS})?(?: (?:tone|way|manner|reply|answer))?$`,
  "iu",
);

/** The tone the instructions ask for: "keep it short". */
export function askedTone(instructions: string): ReplyTone | null {
  const hints = clausesOf("en", instructions.slice(0, MAX_READ)).filter((clause) => HINT.test(clause));
  return (
    TONES.find((tone) =>
      hints.some((hint) => new RegExp(`(?<!\\p{L})(?:${HINT_WORDS[tone]})(?!\\p{L})`, "iu").test(hint)),
    ) ?? null
  );
}

/**
 * What a letter in this language says by the instructions. Every word of a part is the order itself, a courtesy, or
 * copied into the letter; a part with any other word is not understood.
 */
export function saidIn(language: Language, given: string, reader: LetterReader): Reading {
  const text = given.slice(0, MAX_READ).replaceAll("’", "'");
  const own = (clause: string): Said[] | null =>
    isOwnTextIn(language, clause) && !isRemark(language, clause)
      ? [{ kind: null, sentence: sentenceOf(clause) }]
      : null;
  const whole = text.includes(";") || saidBy(language, text, reader) ? null : own(text);
  if (whole) return { said: whole, unread: [] };
  const said: Said[] = [];
  const unread: string[] = [];
  const avoided: string[] = [];
  let { group } = reader;
  for (const clause of clausesOf(language, text)) {
    if (HINT.test(clause)) continue;
    if (language === "en" && AVOID.test(clause) && !grammarFor("en").limit.test(clause.replace(AVOID, ""))) {
      avoided.push(clause);
      continue;
    }
    group = groupIn(clause) ?? group;
    const found = saidBy(language, withoutName(language, clause, reader.names), { ...reader, group }) ?? own(clause);
    if (found && said.length < MAX_ORDERS) said.push(...found);
    else unread.push(clause);
  }
  // Alone, "don't mention the price" is about the plain answer; "don't say that I'm ill" may be about anything.
  const isOpen = (clause: string) =>
    said.length === 0
      ? !TOPIC.test(clause)
      : said.some(({ sentence }) => sentence && clause.toLowerCase().endsWith(sentence.slice(0, -1).toLowerCase()));
  return { said, unread: [...unread, ...avoided.filter(isOpen)] };
}

/** "tell her …": whom the instructions call "her" is the reader. */
function groupIn(clause: string): ReaderGroup {
  const word = /^(?:\p{L}+ ){1,3}?(him|her|them)(?!\p{L})/iu.exec(clause)?.[1]?.toLowerCase();
  return word === "him" || word === "her" || word === "them" ? word : null;
}

const NAMED = /^((?:please |also |then |kindly ){0,3}\p{L}{2,12}(?: to)?)(?: [àa])? (\p{Lu}\p{Ll}+)(?=[ ,:.]|$)/u;

/** "tell Ben …" in a reply to Ben speaks of its reader; "tell Anna …" does not. */
function withoutName(language: Language, clause: string, names: ReadonlySet<string> | null): string {
  return clause.replace(NAMED, (whole, verb: string, name: string) => {
    const isName = names ? names.has(name) : !/day$/.test(name) && PERSONAL.test(verb);
    if (!isName) return whole;
    return language === "en" ? `${verb} them` : verb;
  });
}

const PERSONAL =
  /(?:ask|tell|thank|inform|remind|invite|congratulate|let|assure|promise|request|warn|notify|advise|offer|wish|to)$/i;

const inPerson = (language: Language, text: string, group: ReaderGroup) =>
  language === "en" ? addressReader(text, group) : text;

/** "decline, he is annoying": who writes to the reader says "you", so this is for the assistant. */
const isRemark = (language: Language, text: string) => inPerson(language, text, null) !== text;

/** Whether the text is one that the person wants to send as it is. */
function isOwnTextIn(language: Language, text: string): boolean {
  const { own, order } = grammarFor(language);
  return own.test(text) && !clausesOf(language, text).some((part) => order.test(part));
}

/** Makes a sentence: a capital letter first, and a stop at the end if there is none. */
export function sentenceOf(text: string, stop = "."): string {
  const plain = text.trim().replace(/(?<![.;,\s])[;,\s]+$/, "");
  const body = capitalize(plain).replace(/(?<![\p{L}'])i(?=\s|'(?:m|ll|ve|d)(?!\p{L})|$)/gu, "I");
  return /[.!?…]["”')]?$/.test(body) ? body : `${body}${stop}`;
}

/** By the first order that fits; null if none does, or if what would be copied may hold another order or a limit. */
function saidBy(language: Language, clause: string, { tone, group }: LetterReader): Said[] | null {
  const grammar = grammarFor(language);
  for (const { kind, sentence, pattern, shape } of grammar.rows) {
    const match = pattern.exec(clause);
    if (!match) continue;
    if (!shape) return [{ kind, sentence: null }];
    const what = inPerson(language, match[1] ?? "", group)?.trim();
    if (what === undefined || !fits(language, shape, what) || KEEPS_BACK.test(what) || grammar.next.test(what))
      continue;
    if ((kind === "accept" || kind === "decline") && shape === "thing" && CHOICE.test(what)) continue;
    const worded = toned(sentence, tone);
    const [first = "", ...facts] = shape === "said" || shape === "own" ? what.split(NEXT_FACT) : [what];
    return [{ kind, sentence: filled(worded, first) }, ...facts.map((fact) => ({ kind, sentence: sentenceOf(fact) }))];
  }
  return null;
}

const filled = (sentence: string, what: string) =>
  sentenceOf(
    sentence.slice(0, -1).replace("$", () => what.replace(/\.$/, "")),
    sentence.slice(-1),
  );

function fits(language: Language, shape: Shape, what: string): boolean {
  const { thing, limit, depends, reason, third } = grammarFor(language);
  if (what === "" || third?.test(what)) return false;
  const limited = what.slice(0, reason.exec(what)?.index ?? what.length);
  if (shape === "said") return !depends.test(what);
  if (shape === "own") return isOwnTextIn(language, what) && !depends.test(what);
  return !limit.test(limited) && !depends.test(what) && (shape === "any" || thing.test(what));
}

/** The subject of the first verb is that of the next: "we agree and accept the offer". */
const SUBJECT = /^(?:i|we|ich|wir|je|nous|yo)(?![\p{L}])/iu;

/** Also "decline, I'm on holiday": what follows an order is said on its own. */
function clausesOf(language: Language, text: string): string[] {
  const { next, comma, own, order } = grammarFor(language);
  return text
    .split(/[;\n]|(?<=[\p{Ll}\d]{2}[.!?])\s(?=[\p{Lu}\d])/u)
    .map((line) =>
      line.replace(/^\s{0,20}(?:[-*•–]|\d{1,2}[.)])\s{1,10}/, "").replace(/^\s*(?:and|but|also|then)\s/i, ""),
    )
    .flatMap((line) => line.split(SUBJECT.test(line) ? comma : next))
    .map((line) => collapseSpace(order.test(line) ? line.replace(/(?<![.!,])[.!,]+$/, "") : line.replace(/,\s*$/, "")))
    .flatMap((line) => {
      const at = /,\s|\s[-–—]\s|:\s/.exec(line);
      const [head, rest] = at ? [line.slice(0, at.index), line.slice(at.index + at[0].length)] : ["", ""];
      const isApart =
        !own.test(line) && own.test(rest) && !/^that\s/i.test(rest) && saidBy(language, head, ANYONE) !== null;
      return isApart ? [head, rest] : [line];
    })
    .filter((line) => line !== "");
}

const ANYONE: LetterReader = { tone: "formal", group: null, names: null };
