import { capitalize, collapseSpace } from "../../lib/text.ts";
import { pairs } from "../../lib/words.ts";
import { type ReplyTone, sentence, sentenceOf } from "../reply/instruction-sentences.ts";
import { readInstructions } from "../reply/instructions.ts";

const MAX_HEAD = 400;
const DRAFT =
  /^(?:(?:please|kindly|can you|could you|would you|help me|i need you to|i want you to|i need|i want)\s)*(?:draft|write|compose|prepare|create|make)(?: me| us)?(?: up)? (?:an? |the )?((?:(?:short|brief|quick|concise|formal|professional|polite|business|friendly|warm|casual|informal|nice|simple|clear|kind|thank[- ]you|follow[- ]?up|apology),? (?:and )?){0,4})(?:e-?mail|mail|message|note|letter)\b/i;
const TO =
  /^\s+(?:addressed )?to\s+((?:my|our|the)\s[\p{L}' -]{2,40}?|[\p{Lu}][\p{L}'.-]{1,30}(?: [\p{Lu}][\p{L}'.-]{1,30}){0,2})(?=\s(?:about|regarding|on|asking|saying|that|telling|to|with|from|using|for|thanking|inviting|confirming|apologi[sz]ing|reminding|explaining|requesting|informing|and|in|stating|letting|declining|accepting|congratulating|based|announcing)\b|[:,.\n]|$)/u;
const ABOUT =
  /^[\s,]+(?:about|regarding|on the subject of|concerning|re)\s(.{2,120}?)(?=[:.\n]|,\s|\s(?:asking|saying|that says|telling|with the following|using|from these|based on|and (?:ask|say|tell|thank))\b|$)/i;
const FACTS =
  /^[\s,]*(?:(?:from|with|using|based on|including|covering|containing|that (?:includes|covers|mentions|says|contains))\s(?:the |these |those )?(?:following |given )?(?:facts|points|information|details|notes|bullet points|bullets|following|data)?\s?)?[:\n.]+\s*/i;
const SPOKEN =
  /^[\s,]+(?:and\s)?(asking|saying|telling|thanking|inviting|confirming|apologi[sz]ing|reminding|explaining|requesting|informing|stating|declining|accepting|congratulating|letting|announcing|proposing|suggesting|that says|which says|to (?=(?:ask|say|tell|thank|invite|confirm|apologi[sz]e|remind|explain|request|inform|decline|accept|congratulate|let|announce|propose|suggest)\b))\s?/i;
const VERBS = pairs(
  "asking: ask, saying: say, telling: tell, thanking: thank, inviting: invite, confirming: confirm, reminding: remind",
  "explaining: explain, requesting: request, informing: inform, stating: say, declining: decline, accepting: accept",
  "congratulating: congratulate, letting: let, announcing: say, proposing: propose, suggesting: suggest",
  "that says: say, which says: say, apologising: apologise, apologizing: apologise",
);
const SIGNED = /^(?:from|signed?(?: by| as)?|sender|my name(?: is)?|name)\s?:?\s+(\p{Lu}[\p{L}'. -]{1,60}?)\.?$/iu;

/** What needs more than the facts: another language, or another art. */
const BEYOND =
  /\b(?:in|into) (?:\p{L}{3,12}(?:ian|ish|ese)|french|german|greek|dutch|arabic|hindi|thai|czech|latin|hebrew)\b|\b(?:rhym\w*|poem|poetic|haiku|funny|humorous|joke|persuasive|sarcastic)\b/iu;
const MORE_ORDERS =
  /^(?:make|use|translate|include|write|sound|end|start|begin|keep|try|rhyme|quote|list|format|sign|in \p{L}{4,12}$)/iu;

/** An email from the facts a prompt gives; null when it gives none, or asks for something else. */
export function draftEmail(prompt: string): string | null {
  const whole = prompt.trim();
  const lead = DRAFT.exec(whole.slice(0, MAX_HEAD));
  if (!lead) return null;
  const left = { rest: whole.slice(lead[0].length) };
  const to = eat(left, TO);
  const about = eat(left, ABOUT);
  const spoken = SPOKEN.exec(left.rest);
  const facts = spoken ? spokenFacts(left.rest, spoken) : FACTS.exec(left.rest) ? left.rest.replace(FACTS, "") : null;
  if (facts === null || facts.trim() === "") return null;
  if (BEYOND.test(whole.slice(0, whole.length - facts.length))) return null;
  return composed(to, about, facts, toneOf(lead[1] ?? ""));
}

function eat(left: { rest: string }, pattern: RegExp): string | null {
  const found = pattern.exec(left.rest.slice(0, MAX_HEAD));
  if (!found) return null;
  left.rest = left.rest.slice(found[0].length);
  return collapseSpace(found[1] ?? "");
}

function spokenFacts(rest: string, found: RegExpExecArray): string {
  const verb = (found[1] ?? "").trim().toLowerCase();
  const said = rest
    .slice(found[0].length)
    .replace(/(,\s(?:and\s)?|\sand\s)([a-z]{3,15}ing)\b/g, (whole, link: string, doing: string) =>
      VERBS.has(doing) ? `${link}${VERBS.get(doing)}` : whole,
    );
  return `${verb === "to" ? "" : `${VERBS.get(verb) ?? verb} `}${said}`;
}

function toneOf(adjectives: string): ReplyTone {
  if (/friendly|warm|casual|informal|nice/i.test(adjectives)) return "friendly";
  return /short|brief|quick|concise/i.test(adjectives) ? "brief" : "formal";
}

function composed(to: string | null, about: string | null, facts: string, given: ReplyTone): string | null {
  const lines = facts
    .replace(/([.!?])\s+(?=(?:from|signed|sender)\s?:\s)/i, "$1\n")
    .split("\n")
    .map((line) => line.replace(/^\s{0,20}(?:[-*•–]|\d{1,2}[.)])\s{1,10}/, "").trim());
  const signature = lines.map((line) => SIGNED.exec(line)?.[1]).find((name) => name !== undefined);
  const told = lines.filter((line) => line !== "" && !SIGNED.test(line)).join("\n");
  const { instructions, unread, hints } = readInstructions(told);
  if (unread.some((fact) => MORE_ORDERS.test(fact))) return null;
  const tone = hints.brief ? "brief" : hints.friendly ? "friendly" : given;
  const written = instructions.flatMap((instruction) => sentenceOf(instruction, tone) ?? []);
  // A fact without a verb to begin with, such as "delivery on Tuesday", still stands as it was given.
  const noted = unread.map((fact) => sentence(fact, "."));
  const asks = written.filter((text) => text.endsWith("?"));
  const says = written.filter((text) => !text.endsWith("?"));
  if (says.length + noted.length + asks.length === 0) return null;
  const greeting = to && !/^(?:my|our|the)\s/i.test(to) ? `${tone === "formal" ? "Dear" : "Hi"} ${to},` : "Hello,";
  const purpose = about && tone !== "brief" ? `I am writing about ${about}.` : "";
  const list =
    noted.length > 2
      ? `Here are the details:\n${noted.map((fact) => `- ${fact.replace(/\.$/, "")}`).join("\n")}`
      : noted.join(" ");
  const closing = { formal: "Kind regards", friendly: "Best wishes", brief: "Best" }[tone];
  const subject = about ? `Subject: ${capitalize(about)}` : "";
  return [
    subject,
    greeting,
    purpose,
    says.join(" "),
    list,
    asks.join(" "),
    signature ? `${closing},\n${signature}` : closing,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
