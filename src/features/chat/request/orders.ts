import type { FoundDate } from "../../../engine/dates/find-dates.ts";
import { wordSet } from "../../../lib/words.ts";
import type { Act } from "../reader/acts.ts";
import { isAlike } from "../reader/sure.ts";
import { classesOf, isDeterminer } from "../reader/word-classes.ts";
import { wordsOf } from "./exact.ts";
import { enumerationIn } from "./items.ts";
import { isQuestion } from "./vetoes.ts";

/*
 * Plain orders: a verb at the beginning says what is wanted, more surely than a reading of the whole.
 */

const LEADS = wordSet(
  "please pls and also then now ok okay hey hi can could would will you bitte und dann kannst du puis et peux tu y luego por favor puedes",
);
const ADDS = wordSet(
  "add put schedule create arrange reserve enter pencil trag trage füge setze notiere ajoute ajouter mets añade agrega apunta pon",
);
/** Nouns, too: "book club on Friday", "plan B". */
const ADDS_WITH_ARTICLE = wordSet("book plan block note make set");
const REMOVES = wordSet(
  "cancel delete remove scrap skip lösche lösch streiche streich storniere storno annule annuler supprime cancela borra elimina",
);
const MOVES = wordSet(
  "move reschedule postpone push shift verschiebe verschieb déplace décale reporte mueve cambia aplaza pospón",
);
/** "Mark buy milk as done": said of one that is there. */
const FINISHES = wordSet("mark complete tick check cross");
/** After these, the word before is a noun: "schedule is full". */
const TELLS = wordSet("is was are were has had looks look for of club seems ist war est es");

/** "Make the fence low priority" */
const CHANGES = wordSet("make set change give rename");
const CHANGED = wordSet("priority length longer shorter rename place repeat");
const REMOVES_WITH_ARTICLE = wordSet("drop bin ditch");

type Order = "add" | "remove" | "move" | "done";

/** The verb at the beginning, and the word behind it. */
function verbIn(text: string): { verb: string; next: string; isThing: boolean } {
  const words = wordsOf(text);
  const begin = words.findIndex((word) => !LEADS.has(word));
  const [verb = "", next = ""] = words.slice(Math.max(0, begin));
  return { verb, next, isThing: isDeterminer(next) || next === "number" };
}

/** What the verb at the beginning of these words asks for; null if there is none. */
export function orderIn(text: string): Order | null {
  const { verb, next, isThing } = verbIn(text);
  if (next === "" || TELLS.has(next)) return null;
  if (ADDS.has(verb) || (ADDS_WITH_ARTICLE.has(verb) && isThing)) return "add";
  if (REMOVES.has(verb) || (REMOVES_WITH_ARTICLE.has(verb) && isThing)) return "remove";
  if (FINISHES.has(verb)) return "done";
  return MOVES.has(verb) ? "move" : null;
}

/** What can only be done to something that is there. */
const OF_KNOWN = wordSet(
  "move later earlier length longer shorter until repeat no_repeat rename priority undate remove done reopen pick other",
);
const CREATES =
  /^(?:(?:please|and|also|then)[\s,]+)*(?:schedule|add|create|arrange|reserve|set up|book|plan|put)\s+(?:an?|some)\b/i;

/** "Put that time on the task", "amend the task accordingly": it is there. */
const OF_THAT_ONE =
  /(?<!\b(?:add|create|make|new) )\b(?:the|that|this|my|die|diese|la|esa) (?:task|to-?do|reminder|aufgabe|tarea|tâche)\b(?=[\s.,;!]*$|[.,;!]\s| (?:accordingly|to|for|by|until|is|auf|bis|para|al)\b)/i;

export const isOfThatOne = (text: string) => OF_THAT_ONE.test(text);

/** Whether an order can be read so: "schedule a weekly sync" is about something new, which cannot be moved or renamed. */
export const canMean = (text: string, act: Act): boolean =>
  OF_KNOWN.has(act)
    ? !CREATES.test(text)
    : // "Move the task itself to Friday" is about something that is there.
      !(act === "add_task" || act === "add_event") || ((orderIn(text) ?? "add") === "add" && !isOfThatOne(text));

/** Where a second clause or somebody's words begin: "cancel it, he said". */
const CLAUSE = /[,;:!?]\s|(?<=\p{L}{3})\.\s|["“„«]/u;
/** "Add a task called "Buy bread"" */
const CALLED = /\b(?:called|named|titled|heißt|namens|appelée?|llamad[ao])[:,]? ["“„«].{1,300}$/iu;

/** "Annule surtout pas le vol" */
const DENIES = wordSet("not don't never no nicht nich nie kein keine pas jamais rien nunca nada");

/** Whether the words order what they were read as, and nothing else: one clause, or a heading with a list. */
export function isOrder(text: string, act: Act): boolean {
  const order = orderIn(text);
  const listed = order === "add" ? enumerationIn(text) : null;
  const clause = listed
    ? listed.head
    : text
        .replace(CALLED, "")
        .replace(/,? please[.!?]?$/i, "")
        .replace(/\?$/, "");
  if (isQuestion(text) || CLAUSE.test(clause) || wordsOf(text).some((word) => DENIES.has(word))) return false;
  const { verb, isThing } = verbIn(text);
  if (CHANGED.has(act)) return CHANGES.has(verb) && isThing;
  if (order === "add") return act === "add_task" || act === "add_event";
  return order !== null && isAlike(act, order);
}

/** What is asked of the assistant: courtesies are gone where a verb follows that it knows. */
const ASKED =
  /^(?:(?:and|so|then|ok|okay|hey|but|random but)[\s,]+)*(?:can|could|would|will) you (?:(?:please|just|maybe|also) ){0,3}(\p{L}+)/iu;
/** "Order me a pizza", "book me a van": to be fetched from the world outside. */
const FETCHES = /^(?:please )?(?:book|order|buy|get|fetch|hire|rent|call|find) me (?:an?|some|the) (?<what>.{1,200})$/i;
const RECORDS = wordSet("event tasks mail free");
const SURE_OF_ACT = 0.75;

/** Whether something is asked for that no tool does: a verb that the assistant does not know, asked of it. */
export function asksOutside(text: string, { act, share }: { act: Act; share: number }): boolean {
  if (act !== "other_world" && share >= SURE_OF_ACT) return false;
  const verb = ASKED.exec(text)?.[1]?.toLowerCase();
  const what = FETCHES.exec(text)?.groups?.what;
  const isOfRecords = wordsOf(what ?? text).some((word) => classesOf(word).some((name) => RECORDS.has(name)));
  return ((verb !== undefined && classesOf(verb).length === 0) || what !== undefined) && !isOfRecords;
}

const TASKS = /\s(?:to my (?:tasks|to-?dos|task list)|zu meinen aufgaben|à mes tâches|a mis tareas)(?=[\s.!]|$)/i;

/** "Add milk to my tasks" */
export const addsToTasks = (text: string): boolean => orderIn(text) === "add" && TASKS.test(text);

const ABSENT =
  /^(?:i'm|i am|i'll be|i will be|we're|we are|we'll be|we will be)\s(?:(?:on|taking)\s)?(?:an?\s)?(?<what>(?:annual |parental )?(?:vacation|holidays?|leave)|out of (?:the )?office)[\s,]*…[\s,.!…]*$/i;

/** "I'm on vacation from 20 to 27 December" blocks these days: what for; null if it says something else. */
export function absenceIn(text: string, times: readonly FoundDate[]): string | null {
  const isDays = times.length > 0 && times.every(({ type }) => type === "date" || type === "daterange");
  const told = times.reduce((rest, { text: words }) => rest.replace(words, "…"), text);
  return isDays ? (ABSENT.exec(told)?.groups?.what ?? null) : null;
}
