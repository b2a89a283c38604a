import type { FoundDate } from "../../../engine/dates/find-dates.ts";
import { wordSet } from "../../../lib/words.ts";
import type { Act } from "../reader/acts.ts";
import { isAlike } from "../reader/sure.ts";
import { isDeterminer } from "../reader/word-classes.ts";
import { wordsOf } from "./exact.ts";
import { enumerationIn } from "./items.ts";
import { isReferring } from "./reference.ts";
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

/** Whether an order can be read so: "schedule a weekly sync" is about something new, which cannot be moved or renamed. */
export const canMean = (text: string, act: Act): boolean => !OF_KNOWN.has(act) || !CREATES.test(text);

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

const INTO_CALENDAR = /\s(?:to|in|into|on|onto)\s(?:my|the|our)\s(?:calendar|diary|agenda|schedule|planner)\b/i;

/** "Add standup every weekday at 9am to my calendar" adds an event, if it says when. */
export function addsToCalendar(text: string, times: readonly FoundDate[]): boolean {
  const place = INTO_CALENDAR.exec(text)?.index ?? -1;
  const thing = wordsOf(text.slice(0, Math.max(0, place)))
    .filter((word) => !LEADS.has(word))
    .slice(1);
  return thing.length > 0 && times.length > 0 && orderIn(text) === "add" && !isReferring(thing.join(" "));
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
