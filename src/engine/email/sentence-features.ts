import { HEDGES, IMPERATIVES, MODALS, PEOPLE, QUESTION_WORDS } from "./request-words.ts";

const MAX_WORDS = 60;
const MAX_CHARACTERS = 600;

/** The words of a sentence. All numbers become one word; question and exclamation marks and colons are kept. */
function wordsOf(sentence: string): string[] {
  const text = sentence.slice(0, MAX_CHARACTERS).toLowerCase().replaceAll("’", "'");
  const found = text.match(/\$?[a-z][a-z']*|\d+|[?!:]/g) ?? [];
  return found.slice(0, MAX_WORDS).map((word) => (word.charCodeAt(0) < 58 && word.charCodeAt(0) > 47 ? "0" : word));
}

/** The features of a sentence: n-grams of words, how it begins and ends, and a few traits of its grammar. */
export function featuresOf(sentence: string): string[] {
  const words = wordsOf(sentence);
  const features = new Set<string>();
  const plain = words.filter((word) => word !== "!" && word !== ":");
  for (let at = 0; at < plain.length; at += 1) {
    const first = plain[at] ?? "";
    const second = plain[at + 1];
    const third = plain[at + 2];
    features.add(first);
    if (second === undefined) continue;
    features.add(`${first} ${second}`);
    if (third !== undefined) {
      features.add(`${first} ${second} ${third}`);
      features.add(`${first} * ${third}`);
    }
  }
  const body = plain.filter((word) => word !== "?");
  const lead = withoutName(sentence, body);
  features.add(`^${lead[0] ?? ""}`);
  features.add(`^${lead[0] ?? ""} ${lead[1] ?? ""}`);
  features.add(`^${lead[0] ?? ""} ${lead[1] ?? ""} ${lead[2] ?? ""}`);
  features.add(`$${body.at(-1) ?? ""}`);
  for (const trait of traitsOf(sentence, words, lead)) features.add(`#${trait}`);
  return [...features];
}

/** The sentence without the name it addresses: "Ann, please call", "Hi Bob - can you". */
function withoutName(sentence: string, words: string[]): string[] {
  const address =
    /^\W*(?:(?:hi|hey|hello|dear|ok|okay|also|so|and|but|then|again|finally|otherwise|thanks)\b[\s,]{0,9})?(?:[A-Z][a-z]+\s?){0,2}\s{0,9}(?:,|-|–|:|\/)\s*/.exec(
      sentence.slice(0, 60),
    );
  if (!address) return words;
  const skipped = wordsOf(address[0]).filter((word) => word !== ":").length;
  return skipped < words.length ? words.slice(skipped) : words;
}

function traitsOf(sentence: string, words: string[], lead: string[]): string[] {
  const traits: string[] = [];
  const has = (...any: string[]) => any.some((word) => words.includes(word));
  const first = lead[0] ?? "";
  const second = lead[1] ?? "";
  const asks = words.includes("?");
  const imperative = IMPERATIVES.has(first) || (first === "please" && second !== "");
  if (asks) traits.push("asks");
  if (imperative) traits.push("imperative");
  if (IMPERATIVES.has(first) && !asks) traits.push("bare imperative");
  if (QUESTION_WORDS.has(first)) traits.push("question word");
  if (MODALS.has(first)) traits.push("modal first");
  if (MODALS.has(first) && PEOPLE.has(second)) traits.push("modal person");
  if (asks && has("you", "your")) traits.push("asks you");
  if (asks && !has("you", "your", "i", "we", "me", "us")) traits.push("asks nobody");
  if (has("please", "pls", "plz", "kindly") && has("me", "us")) traits.push("please me");
  if (has("please") && has("$link")) traits.push("please link");
  if (has("$link")) traits.push("link");
  if (has("unsubscribe", "subscription", "newsletter", "click")) traits.push("bulk");
  if (HEDGES.test(words.join(" "))) traits.push("hedge");
  const me = has("me", "i", "my", "i'm", "i'll", "i'd", "i've");
  const you = has("you", "your", "you're", "you'll", "you'd", "you've");
  const us = has("we", "us", "our", "we'll", "let's", "lets");
  traits.push(`people ${me ? "m" : ""}${you ? "y" : ""}${us ? "w" : ""}`);
  if (has("i'll", "we'll") || /\b(?:i|we) (?:will|shall|can|would)\b/i.test(sentence)) traits.push("commits");
  if (/\b(?:i|we|you) (?:need|want|have|would like|should|must|ought)\b/i.test(sentence)) traits.push("needs");
  if (/\b(?:was|were|had|did|sent|said|told|got|received|went)\b/i.test(sentence)) traits.push("past");
  const { length } = words;
  traits.push(
    length < 5 ? "tiny" : length < 10 ? "short" : length < 20 ? "middle" : length < 35 ? "long" : "very long",
  );
  if (/^[^a-z]*$/.test(sentence)) traits.push("capitals");
  if (/^\s*[a-z]/.test(sentence)) traits.push("small start");
  if (/^\W*[>*\-•]/.test(sentence)) traits.push("marked");
  if (/:\s*$/.test(sentence)) traits.push("ends colon");
  if (!/[.?!:]\s*$/.test(sentence)) traits.push("no end");
  if (sentence.includes("!")) traits.push("exclaims");
  if (/\d/.test(sentence)) traits.push("number");
  if (/\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b|\btoday\b|\bweek\b/i.test(sentence))
    traits.push("day");
  return traits;
}
