import { capitalize, collapseSpace } from "../../lib/text.ts";
import { pairs } from "../../lib/words.ts";
import { asOwnTask } from "./pronouns.ts";
import { type RequestPhrase, readRequest } from "./request-phrase.ts";

const MAX_TITLE = 120;

/** Who wrote the sentence, as a title calls them: a first name or the name of a company; null if unknown. */
type Writer = string | null;

/** A request as the reader's own task: "Please send me your notes." from Carl → "Send Carl my notes". */
export function taskTitle(sentence: string, writer: Writer): string {
  return bounded(capitalize(written(readRequest(collapseSpace(sentence)), writer)).replace(CONSEQUENCE, ""));
}

/** A consequence is not part of the task: "send the contract, then we can book it". */
const CONSEQUENCE =
  /,\s+(?:(?:and )?then (?:we|i|you|they|it)(?:'ll|'re|'m)? |so (?:that )?(?:we|i|they)(?:'ll)? |or else ).*/i;

function written({ kind, what }: RequestPhrase, writer: Writer): string {
  if (kind === "do") return asOwnTask(what, writer);
  if (kind === "need") return needed(what, writer);
  if (kind === "promise") return `wait for ${writer ?? "the sender"} to ${asOwnTask(what, null)}`;
  if (kind === "ask") return answered(what, writer);
  return `follow up: ${what}`;
}

/** "the floor plans from you" → "Get Carl the floor plans". */
function needed(what: string, writer: Writer): string {
  const thing = what.replace(/ from you$/i, "");
  return `${writer ? `get ${writer}` : "get them"} ${asOwnTask(thing, null)}`;
}

const AUXILIARY = "(do|does|have|has|are|is|am|was|were|will|would|can|could|should|shall|may|might)";
const PERSON = "(you|we|i|they|he|she|it|there)";
const WHETHER = new RegExp(`^${AUXILIARY} ${PERSON}\\b(.*)$`, "i");
const WH = new RegExp(
  `^((?:what|when|where|who|why|how|which)(?:(?: \\w+){0,3})?) ${AUXILIARY} ${PERSON}\\b(.*)$`,
  "i",
);

/** "Do you agree with it?" → "Tell Carl whether I agree with it"; other questions stay as they were asked. */
function answered(what: string, writer: Writer): string {
  const whom = writer ?? "them";
  const known =
    /^(?:do|would|does) you (?:happen to )?know (whether|if|when|where|who|why|how|what|which)\b(.*)$/i.exec(what);
  if (known)
    return `tell ${whom} ${(known[1] ?? "").toLowerCase().replace(/^if$/, "whether")}${asOwnTask(known[2] ?? "", null)}`;
  const open = WHETHER.exec(what);
  if (open) return `tell ${whom} whether ${turned(open[2] ?? "", open[1] ?? "", open[3] ?? "")}`;
  const wh = WH.exec(what);
  if (wh) return `tell ${whom} ${(wh[1] ?? "").toLowerCase()} ${turned(wh[3] ?? "", wh[2] ?? "", wh[4] ?? "")}`;
  return `answer ${writer ? `${writer}: ` : ""}“${capitalize(what)}?”`;
}

const SUBJECTS = pairs("you: I, i: they, we: we, they: they, he: he, she: she, it: it, there: there");
const VERBS = pairs("you are: am, you were: was, you has: have, i am: are, i was: were");

/** The subject before its verb again: "are", "you" → "I am". */
function turned(subject: string, verb: string, rest: string): string {
  const who = subject.toLowerCase();
  const does = verb.toLowerCase();
  const says = does === "do" ? "" : ` ${VERBS.get(`${who} ${does}`) ?? does}`;
  return `${SUBJECTS.get(who) ?? subject}${says}${asOwnTask(rest, null)}`;
}

const CLAUSE_END =
  /(?:[;:–—]\s|\s[–—-]\s|,?\s(?:so that|so we|so i|because|since|as we|as i|which|in order to)\s|,\s|\.\s|\s\()/gi;

/** Cut where a clause ends, or else between words. */
function bounded(title: string): string {
  if (title.length <= MAX_TITLE) return title;
  const cuts = [...title.matchAll(CLAUSE_END)].map(({ index }) => index).filter((at) => at >= 25 && at <= MAX_TITLE);
  const cut = cuts.at(-1) ?? title.lastIndexOf(" ", MAX_TITLE - 1);
  const kept = title.slice(0, cut > 25 ? cut : MAX_TITLE - 1).replace(/(?<![\s,;:(–—-])[\s,;:(–—-]+$/, "");
  return cuts.length > 0 ? kept : `${kept}…`;
}
