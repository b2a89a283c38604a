import { wordSet } from "../../../lib/words.ts";
import { classesOf } from "../reader/word-classes.ts";
import { isPlain } from "./content.ts";
import { wordsOf } from "./exact.ts";
import { isReferring, type Kind } from "./reference.ts";
import type { Request } from "./request.ts";
import { isPolite } from "./vetoes.ts";

/** What a question asks for: the words that tell the record, the kind of record, and the kind of thing in it. */
export interface Asked {
  /** The words that nothing else accounts for, and those of a time. */
  words: string[];
  /** Words of what was said before it in the same message, for "he", "it", "they". */
  before: string[];
  kind: Kind | null;
  thing: "time" | "amount" | "number" | null;
  /** It is a question by its beginning or its end, by a clause in it, or by words that may be one. */
  strength: "plain" | "inner" | "tag";
}

const WH = wordSet(
  "what what's whats wot wots when when's whens where where's wheres who who's whos whose which wich how how's why wann wo wer wem wen welche welcher welches wie wieviel warum quand quoi qui où quel quelle combien comment pourquoi qué cuándo dónde quién cuánto cuál cómo",
);
const AUX = wordSet(
  "is are was were am isn't aren't wasn't did does didn't doesn't has hasn't haven't ist sind war hat hatte gibt est sont a-t-il es está",
);
/** They begin an order as well: "do it", "have a look". */
const OPEN_AUX = wordSet("do don't have had haben habe ai as avez tengo tiene");
const PRONOUNS = wordSet("i we he she it they there you ich wir er sie es il elle ils on");
const LEADS = wordSet(
  "and but so well ok okay hey hi oh ah please then also now n yeah ye yes yep wait no right good great fine btw um und aber also et mais alors y pero ja",
);
const BY = wordSet("by until till til since from at for in on to with about bis seit jusqu'à hasta");
const NEW = wordSet("about if not a an");

const SAYS = wordSet(
  "wrote write written writes mentioned gave said say says mail mailed mails email emails emailed message messages reply replied replies answer answered respond responded asks asked ask want wants wanted propose proposes proposed suggest suggested suggests letter back send sent schrieb geschrieben schreibt will wollte sagt geantwortet mail écrit veut voulait dit répondu escribió escrito quiere quería dijo respondido",
);
const SELF = /\b(?:did|do|have|had|should|habe|ai) (?:i|we|ich|je)\b/i;
const OF_TASKS = wordSet("task tasks todo todos to-do left due aufgabe aufgaben tâche tâches tarea tareas");
const PLACED = wordSet(
  "when when's whens where where's appointment appointments meeting event wann wo termin quand où rendez-vous cuándo dónde cita",
);
const TIME = wordSet(
  "when when's whens time times day date dates deadline until till long late wann uhr bis quand heure cuándo hora hasta",
);
const AMOUNT = wordSet(
  "much money cost costs price amount fee euros pay rent budget wieviel kostet combien coûte cuánto cuesta",
);
const NUMBER = wordSet("number nr code reference many nummer numéro número");
/** Words of a question that no record is known by. */
const VAGUE = wordSet(
  "anything something anybody anyone somebody someone nobody people ppl guy man woman smth else exactly precisely actually anyway ever already yet me must reason ready come comes coming came",
);
const THIRD = wordSet("he she it they him her them his their that this these those er sie ihm ihr il elle lui él ella");

/** A question about the records; null if the words ask for something else, or nothing. */
export function askedIn(request: Request): Asked | null {
  // "Qué ilusión, hace meses que no le veo!"
  const isExclaimed = EXCLAIMS.test(request.message.slice(request.message.indexOf(request.text)));
  if (isExclaimed && (request.act === "quiet" || request.act === "talk")) return null;
  const strength = strengthOf(request.text, wordsOf(request.text));
  return strength && { ...askedBy(request), strength };
}

const EXCLAIMS = /^[^?]*!\s*$/;

/** What the words ask for, if they ask. */
export function askedBy({ text, message, kind, times }: Request): Asked {
  const words = wordsOf(text);
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  const isSaid = has(SAYS) && !SELF.test(text);
  const isOpen = (word: string) => !SAYS.has(word);
  const telling = tellingOf(isSaid ? words.filter(isOpen) : words);
  const begin = message.indexOf(text);
  const isBack = begin > 0 && (has(THIRD) || telling.length < 2);
  return {
    words: telling,
    before: isBack
      ? tellingOf(wordsOf(message.slice(0, begin)).filter((word) => isOpen(word) && !isGreeting(word)))
      : [],
    kind: isSaid ? "email" : (kind ?? (has(OF_TASKS) ? "task" : has(PLACED) || times.length > 0 ? "event" : null)),
    thing: has(AMOUNT) ? "amount" : has(NUMBER) ? "number" : has(TIME) ? "time" : null,
    strength: "plain",
  };
}

/** The words that a record may be known by. */
const tellingOf = (words: readonly string[]) => [
  ...new Set(
    words
      .map((word) => word.replace(/'s$/, ""))
      .filter((word) => word.length > 1 && !isPlain(word) && !isGrammar(word) && !VAGUE.has(word))
      .filter((word) => !isReferring(word) && !OF_TASKS.has(word)),
  ),
];

const isGreeting = (word: string) => classesOf(word).includes("thanks");
const isGrammar = (word: string) =>
  WH.has(word) || AUX.has(word) || OPEN_AUX.has(word) || PRONOUNS.has(word) || LEADS.has(word) || BY.has(word);

/** Whether words begin as a question does: "and did anybody write". */
export function beginsQuestion(words: readonly string[]): boolean {
  const at = words.findIndex((word) => !LEADS.has(word) && !BY.has(word));
  const [first = "", second = ""] = words.slice(Math.max(0, at));
  if (WH.has(first)) return !NEW.has(second);
  return AUX.has(first) || (OPEN_AUX.has(first) && PRONOUNS.has(second));
}

function strengthOf(text: string, words: readonly string[]): Asked["strength"] | null {
  const at = words.findIndex((word) => !LEADS.has(word) && !BY.has(word));
  const [first = "", second = ""] = words.slice(Math.max(0, at));
  if ((WH.has(first) && NEW.has(second)) || isPolite(text)) return null;
  const isTold = first === "tell" && second === "me" && words.some((word) => WH.has(word));
  if (beginsQuestion(words) || isTold) return "plain";
  if (text.endsWith("?")) return MAY.has(first) ? null : "plain";
  const isAux = (word = "") => AUX.has(word) || OPEN_AUX.has(word) || MAY.has(word);
  // "what time was that", and not "back to where it was"
  const isTurned = (at: number) => isAux(words[at + (MEASURES.has(words[at + 1] ?? "") ? 2 : 1)]);
  const isAsking = (word: string, at: number) => WH.has(word) && (/s$/.test(word) || isTurned(at));
  if (words.some(isAsking) || WH.has(words.at(-1) ?? "")) return "inner";
  const isTag = (word: string, at: number) => at > 0 && AUX.has(word) && PRONOUNS.has(words[at + 1] ?? "");
  return words.some(isTag) ? "tag" : null;
}

const MEASURES = wordSet("time day date number much many long late reason");
/** They ask whether to do something. */
const MAY = wordSet("should shall can could may would will sollte soll kann darf dois puis peux debo puedo");
