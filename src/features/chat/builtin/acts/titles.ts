import { wordSet } from "../../../../lib/words.ts";
import { tellingWords } from "../../../tools/language/name-match.ts";
import { quotedIn, remindsOfNew, wordsOf } from "../../request/exact.ts";
import { levelIn } from "../../request/filters.ts";
import { orderIn } from "../../request/orders.ts";
import { isReferring } from "../../request/reference.ts";
import { type Request, slotsOf } from "../../request/request.ts";

const LONGEST_WORDS = 14;
/** Words that no name begins with. */
const PRONOUNS = wordSet(
  "it that this them these those i i'm i've i'll you we he she they it's that's es das ich du wir ça je tu nous il elle eso lo yo nosotros",
);
/** Names that stand for nothing. */
const EMPTY = wordSet("the time thing something stuff one task reminder event meeting make it for it");

const INTO_TASKS =
  /(?<=\S)\s(?:(?:zu|auf|in) (?:meinen?|meine[rm]|die|den) (?:aufgaben|liste|kalender)(?: hinzu| ein)?|à (?:mes tâches|ma liste|mon agenda)|(?:a|en) mis? (?:tareas|lista|calendario|agenda))$/i;

/** A title as it is stored. */
export const tidy = (title: string) =>
  title
    .replace(/^["“'„«]{1,3}|["”'“»]{1,3}$/g, "")
    .replace(/^[\s,:;–-]+|(?<![\s,.!?;:])[\s,.!?;:]+$/g, "")
    .replace(
      /^(?:all[- ]day )?(?:(?:(?:an?|the) )?(?:event|task|reminder) )?(?:called|named|titled|entitled|saying|to|that|about|for|daran,?|de|que)\s+(?=\S)|^d'/i,
      "",
    )
    .replace(
      /(?<=\S)\s+(?:to|on|in|into|onto)\s+(?:my|the|our)(?:\s+(?:calendar|diary|schedule|agenda|planner|to-?do(?: list)?|list|tasks?))?$/i,
      "",
    )
    .replace(INTO_TASKS, "")
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    .slice(0, 300);

/** Whether words can be the name of something: no pronoun, no whole sentence, nothing that stands for nothing. */
export function isTitle(title: string): boolean {
  const words = wordsOf(title);
  const [first = ""] = words;
  if (words.length === 0 || words.length > LONGEST_WORDS || PRONOUNS.has(first) || /^no,/i.test(title)) return false;
  if (words.every((word) => EMPTY.has(word)) && tellingWords(title).length === 0)
    return words.length === 1 && !EMPTY.has(first);
  return !/[.!?]\s+\S+\s+\S/.test(title) && !/\b(?:put|add|book) (?:it|them|that)\b/i.test(title);
}

/** "…, put it in": what is to be added was told before. */
const PUT_IT =
  /(?:^|[\s,.;:–-])(?:(?:and|so|please) ){0,2}(?:(?:put|add|book|pop|stick|note|save) (?:it|that|them|this|those)|(?:trag|trage|schreib) (?:das|es|sie)|(?:mets|ajoute|note) (?:le|la|les)|(?:ponlo|ponla|(?:añade|apunta) l[oa]))(?=[\s,.!]|$).{0,300}$/iu;
const TOLD_THING = /\b(?:an?|the|my|ein|eine|einen|une?|una)\s([^,.;\s][^,.;]{0,120})$/i;

/** The name of what was told: "Nils has been invited to a regatta, put it in" is Regatta. */
export function toldTitle(text: string): string | null {
  const whole = text.replace(/^(?:and|also|und|et|y)\s+/i, "").trim();
  const told = whole.replace(PUT_IT, "").replace(/(?<![\s,;:–-])[\s,;:–-]+$/, "");
  if (told === whole || told === "") return null;
  const title = tidy(wordsOf(told).length > LONGEST_TOLD ? (TOLD_THING.exec(told)?.[1] ?? "") : told);
  return title !== "" && isTitle(title) ? title : null;
}

const LONGEST_TOLD = 4;

/** "Remind me to call Ann and cancel the gym" may be about both: what would be an order of its own is not obeyed. */
function wholeReminder({ slots, message, text }: Request): string | null {
  const names = slots.filter(({ slot }) => slot === "n");
  const [first, last] = [names[0], names.at(-1)];
  const isMeant = names.slice(1).some((name) => ["remove", "move"].includes(orderIn(name.text) ?? ""));
  return first && last && isMeant && remindsOfNew(text) ? message.slice(first.start, last.end) : null;
}

/** The names of what is new, as the message says them; empty if it says none that could be one. */
export function newTitles(request: Request): string[] {
  const quoted = quotedIn(request.text);
  if (quoted !== null) return [quoted];
  const whole = wholeReminder(request);
  if (whole !== null) return [tidy(whole)];
  return (
    slotsOf(request, "n")
      // "High priority task review budget": how urgent it is is no name.
      .filter((name) => !isReferring(name) && !(levelIn(name) !== null && wordsOf(name).length === 1))
      .map((name) => tidy(remindsOfNew(request.text) ? name.replace(/^forget (?:to )?/i, "") : name))
      .filter(isTitle)
  );
}
