import { capitalize, collapseSpace } from "../../../lib/text.ts";
import { pairs, wordSet } from "../../../lib/words.ts";

/** The recipient of an email. */
export interface Addressee {
  /** As the greeting calls them; null for "my landlord" or a department. */
  name: string | null;
  isPlural: boolean;
}

/** The purpose of an email in a prompt: "telling her that …". */
export const DOING = pairs(
  "asking: ask, saying: say, telling: tell, thanking: thank, inviting: invite, confirming: confirm, reminding: remind",
  "explaining: explain, requesting: request, informing: inform, stating: say, declining: decline, accepting: accept",
  "congratulating: congratulate, letting: let, announcing: announce, proposing: propose, suggesting: suggest",
  "apologising: apologise, apologizing: apologise, promising: promise, complaining: complain, demanding: demand",
  "offering: offer, wishing: wish, warning: warn, notifying: notify, reporting: report, mentioning: mention",
  "cancelling: cancel, canceling: cancel, summarising: summarise, summarizing: summarise, postponing: postpone",
  "rejecting: reject, refusing: refuse, agreeing: agree, adding: add, advising: advise, assuring: assure",
);

const NEXT = [
  "about|regarding|on|that|to|with|from|using|for|in|based|which|because|tell|ask|say|thank",
  ...DOING.keys(),
].join("|");
const TO = new RegExp(
  `^\\s+(?:addressed )?to\\s+((?:[\\p{L}'.@&+-]|\\d)[\\p{L}\\d'.@&+-]{0,40}(?:,? (?:(?!(?:${NEXT})\\b)[\\p{L}'.&-]{1,30})){0,4}?)(?=,?\\s(?:and\\s)?(?:${NEXT})\\b|\\s?[:\\n]|[,.](?:\\s|$)|$)`,
  "iu",
);
const BARE = /^\s+((?:my |the |our )?[\p{L}.'@-]{2,40}(?: \p{Lu}[\p{L}'-]{1,30})?)(?=\s(?:that|to)\b)/iu;
const NAMELESS =
  /^(?:my|our|the|all|everyone|everybody|support|hr|it|sales|billing|accounting|customer service|reception|info|office|staff|whom)\b/i;
const PLURAL =
  /\b(?:team|staff|neighbou?rs|parents|colleagues|customers|clients|friends|everyone|everybody|all|board|guests|kids|children|members|guys)\b|\band\b|&/i;
const LOWER_PARTS = wordSet("and von van de der den la le");

/** The addressee at the start of a text, and how many characters name it; with `bare` also without "to". */
export function addresseeOf(text: string, bare: boolean): { who: Addressee; length: number } {
  const found = TO.exec(text) ?? (bare ? BARE.exec(text) : null) ?? TOLD.exec(text);
  const given = collapseSpace(found?.[1] ?? "");
  if (!found || given === "") return { who: { name: null, isPlural: false }, length: 0 };
  // "telling Anna that": the name stays, since it belongs to what is told.
  const length = TO.test(text) || (bare && BARE.test(text)) ? found[0].length : 0;
  return { who: { name: nameOf(given), isPlural: PLURAL.test(given) }, length };
}

const TOLD = /^\s+(?:telling|asking|thanking|informing|reminding|inviting|congratulating)\s(\p{Lu}\p{Ll}{1,20})\s/u;

function nameOf(given: string): string | null {
  if (NAMELESS.test(given)) return null;
  const local = /^([a-z]{2,20})(?:[.+_-][^@]*)?@/i.exec(given)?.[1];
  if (given.includes("@")) return local && !NAMELESS.test(local) ? capitalize(local.toLowerCase()) : null;
  if (given === given.toUpperCase() && given.length > 1) return null;
  const words = given.split(" ");
  const isLower = given === given.toLowerCase();
  // "john" is a name in a hurry; "customer care" is a department.
  if (isLower && words.length > 1 && !words.includes("and")) return null;
  return words.map((word) => (isLower && !LOWER_PARTS.has(word) ? capitalize(word) : word)).join(" ");
}
