import { wordSet } from "../../../lib/words.ts";
import { withoutStop, wordsOf } from "./exact.ts";

/* What somebody is to be told, in the words of the person. */

const TELLS =
  /(?<![\p{L}'])(?:(?<thanks>thank)|tell|let(?= \S+ know)|write(?: back)?(?: to)?|reply(?: to)?|answer|respond to|inform|e?mail|message) (?:her|him|them|'?em)(?![\p{L}']| down\b)(?: know| back)?[\s,:]{0,3}(?:that )?(?<text>.*)/isu;
const ASKED = /\b(?:can|could|would|will) you (?:please )?$/i;
/** Before a verb of telling, in its clause, these say that somebody else tells, or that nobody does yet. */
const HOLDS = wordSet(
  "i i'll i'd we we'll you he she they to not don't didn't never will would should must can could might may did does have has had if when who before after once until gotta gonna",
);
const ALSO_THANKS = /,? and thank (?:her|him|them)\b/i;
const LEADS = wordSet("and n so then also please kindly ok okay just now");

interface Told {
  /** What stands before the verb. */
  before: string;
  said: string;
}

/** "That's not enough, tell them we need six": what is to be told to whoever was talked about, and what leads to it. */
export function tellingIn(text: string): Told | null {
  const found = TELLS.exec(text);
  const { thanks, text: said } = found?.groups ?? {};
  if (!found || said === undefined) return null;
  const before = text.slice(0, found.index).replace(ASKED, "");
  const clause = before.split(/[.,;:!?]\s/).at(-1) ?? "";
  if (wordsOf(clause).some((word) => HOLDS.has(word))) return null;
  return {
    before,
    said: letterText(
      `${thanks ? "thank you " : ""}${said.replace(/ and that /i, " and ").replace(ALSO_THANKS, ". Thank you")}`,
    ),
  };
}

/** The same, if the words begin with it: "tell her yes", "let them know that …"; null otherwise. */
export function toldIn(text: string): string | null {
  const told = tellingIn(text);
  return told && wordsOf(told.before).every((word) => LEADS.has(word)) ? told.said : null;
}

/** Words about the text that are not part of it. */
const ABOUT_TEXT =
  /^(?:(?:please|kindly|too|also|as well|something (?:kind|nice|polite|friendly|short))(?![\p{L}'])[\s,:]{0,3}(?:(?:that|saying) )?){1,4}/iu;
const BEHIND_TEXT = /[\s,]{1,3}(?:please|pls|too|as well)[.!]?$/i;
const POINTS = wordSet("that this so it");

/** The text of a letter without the courtesies around it; empty if it only points at what was said before. */
export function letterText(words: string): string {
  const text = withoutStop(words).replace(ABOUT_TEXT, "").replace(BEHIND_TEXT, "");
  return wordsOf(text).every((word) => POINTS.has(word)) ? "" : text;
}

/** "Write Jette.", "and let Ann know": whom to tell what was just said; null if the words say more. */
export const toldBare = (text: string): string | null => BARE.exec(withoutStop(text))?.groups?.who ?? null;
const BARE =
  /^(?:(?:and|then|so|please|also)[\s,]{1,2}){0,3}(?:tell|write(?: to)?|answer|reply to|let(?= \S+ know)|inform|e?mail|message) (?<who>[\p{L}'-]{2,40})(?: know)?(?: that| so| too| please){0,2}$/iu;
