import { datesIn } from "../../../engine/notes/message-time.ts";
import { distance } from "../../../lib/nearest-names.ts";
import type { Turn } from "../../tools/turn.ts";
import { runChange } from "./amend.ts";
import { justWritten, refOf } from "./references.ts";
import type { Reply } from "./reply-text.ts";

const NAME = "(?<to>\\p{L}[\\p{L}.'-]{0,9}(?: [\\p{L}][\\p{L}.'-]{0,9}){0,3}?)";
const LETTERS =
  "(?:with|without|spelled|spelt|written)(?: with| without)? (?:an? |two |double |one )?[\\p{L}]{1,3}(?:(?: and|,) (?:an? )?[\\p{L}]{1,3}){0,6}(?: (?:at the end|in the middle|at the start|instead of .{1,6}))?";
const LEAD =
  "^(?:(?:no|nope|sorry|oops|wait|actually|oh|ah|hm+|correction|my mistake|typo|well|but|and)[\\s,.!:]{1,9}){0,6}";
/** "her name is Kathrin, with th", "Correction: it's Mrs. Schmitt", "it's spelled John" */
const SAID = new RegExp(
  `${LEAD}(?:(?:her|his|the|their|its|my) (?:first |last |sur|family )?name(?:'s| is| was| should be)|(?:it|that)(?:'s| is| was| should be| should read)|(?:(?:it|that|she|he)(?:'s| is) )?(?:spelled|spelt|written|called)|i meant(?: to say| to write)?|should be)(?: actually| really| spelled| spelt| written| called){0,6} ${NAME}(?:,? ${LETTERS})?[\\s.!]{0,9}$`,
  "iu",
);
/** "Stephen with ph" */
const LETTERED = new RegExp(`${LEAD}(?:it's |that's )?${NAME},? ${LETTERS}[\\s.!]{0,9}$`, "iu");
/** A name of which fewer letters are the same is another one; it has to begin alike, or be more alike. */
const ALIKE = 0.5;
const VERY_ALIKE = 0.7;
const MAX_TITLE_WORDS = 20;

/** The title with the words that are spelled most like the name replaced by it; null if none is. */
function respelled(title: string, name: string): string | null {
  const words = title.split(" ").slice(0, MAX_TITLE_WORDS);
  const count = name.split(" ").length;
  const found = words.slice(0, Math.max(0, words.length - count + 1)).map((_, at) => {
    const said = words.slice(at, at + count).join(" ");
    const longest = Math.max(said.length, name.length);
    return { at, said, like: 1 - distance(said.toLowerCase(), name.toLowerCase()) / longest };
  });
  const [best] = found.sort((one, other) => other.like - one.like);
  if (!best || best.like < ALIKE || best.said.toLowerCase() === name.toLowerCase()) return null;
  if (best.said[0]?.toLowerCase() !== name[0]?.toLowerCase() && best.like < VERY_ALIKE) return null;
  const isName = /^\p{Lu}/u.test(best.said);
  const shown = isName ? name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : name;
  return [...words.slice(0, best.at), shown, ...title.split(" ").slice(best.at + count)].join(" ");
}

/** A name in the title of what was just written is set right. */
export async function spellOtherwise(turn: Turn, text: string): Promise<Reply | null> {
  const name = (SAID.exec(text) ?? LETTERED.exec(text))?.groups?.to;
  const [record, ...others] = justWritten(turn, ["task", "event"]);
  if (!name || !record || others.length > 0 || datesIn(name, turn.clock).length > 0) return null;
  const title = respelled(record.title, name);
  if (!title) return null;
  const tool = record.kind === "task" ? "update_task" : "update_event";
  return runChange(turn, { tool, input: { ...refOf(record), title } });
}
