import { IMPERATIVES } from "../../../engine/email/request-words.ts";
import type { ReaderGroup } from "../../../engine/reply/address-reader.ts";
import { LETTERS, type ReplyTone, toned } from "../../../engine/reply/letters.ts";
import { askedTone, saidIn, sentenceOf } from "../../../engine/reply/orders.ts";
import { capitalize, collapseSpace } from "../../../lib/text.ts";
import { pairs, wordSet } from "../../../lib/words.ts";
import { type Addressee, addresseeOf, DOING } from "./addressee.ts";

const MAX_HEAD = 400;
const ADJECTIVE =
  "(?:short|brief|quick|concise|formal|professional|polite|business|friendly|warm|casual|informal|nice|simple|clear|kind|sincere|thank[- ]you|follow[- ]?up|apology),? (?:and )?";
const DRAFT = new RegExp(
  `^(?:(?:please|kindly|can you|could you|would you|help me|i need you to|i want you to|i need|i want)\\s)*(?:(?:draft|write|compose|prepare|create|make|send)(?: me| us)?(?: up)? (?:an? |the )?((?:${ADJECTIVE}){0,4})(?:e-?mail|mail|message|note|letter|reply|response|answer)\\b|(?:e-?mail|write to|message)(?= (?!to\\b|about\\b)\\p{L}[\\p{L}.@ -]{1,40} (?:that|to (?:say|tell|ask))\\b))`,
  "iu",
);
const FROM = /^\s+from\s+(\p{Lu}[\p{L}'.-]{0,30}(?: \p{Lu}[\p{L}'.-]{0,30}){0,2})(?=\s(?:to|telling|saying|asking)\b)/u;
const ABOUT =
  /^[\s,]+(?:about|regarding|on the subject of|concerning|re)\s(.{2,120}?)(?=[:.\n]|,\s|\s(?:asking|saying|that says|telling|with the following|using|from these|based on|and (?:ask|say|tell|thank))\b|$)/i;
const FACTS =
  /^[\s,]*(?:(?:from|with|using|based on|including|covering|containing|that (?:includes|covers|mentions|says|contains))\s(?:the |these |those )?(?:following |given )?(?:facts|points|information|details|notes|bullet points|bullets|following|data)?\s?)?[:\n.]+\s*/i;

const DO = [...new Set(DOING.values())].join("|");
const SPOKEN = new RegExp(
  `^[\\s,]+(?:and\\s)?(${[...DOING.keys()].join("|")}|that says|which says|that(?= )|to (?=(?:${DO}|\\p{L}{3,15})\\b)|(?:${DO})(?= (?:him|her|them|that|to|for|\\p{Lu})\\b))\\s?`,
  "iu",
);
const SIGNED =
  /(?:^|[\n;,.]|\sand)\s{0,9}(?:please\s)?(?:(?:from|sender|name)\s?:|sign(?:ed)?(?: it| off)?(?: as| by| with|:| from)?(?! up| in\b)|my name(?: is)?:?)\s*["“]?((?:the )?\p{Lu}[\p{L}'.-]{0,30}(?: [\p{L}'.-]{1,30}){0,3}?)["”]?\s*(?=$|[\n;.,])/iu;
const LAST_NAME = /[.!]\s+(\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20})?)\s*$/u;

/** Requests that need a language model: another language, or creative writing. */
const BEYOND =
  /\b(?:in|into) (?:\p{L}{3,12}(?:ian|ish|ese)|french|german|greek|dutch|arabic|hindi|thai|czech|latin|hebrew)\b|\b(?:rhym\w{0,9}|poem|poetic|haiku|funny|humorous|joke|persuasive|sarcastic)\b/iu;
const MORE_ORDERS =
  /^(?:make|use|translate|include|write|sound|end|start|begin|keep|try|rhyme|quote|list|format|sign|in \p{L}{4,12}$)\b/iu;

const WHOM = "((?:(?:my|the|our|all) )?[\\p{L}.@'-]{2,40}(?: (?!know\\b)(?:and )?\\p{Lu}[\\p{L}'-]{1,30}){0,2})";
const LEAD = "((?:(?:please|kindly|can you|could you|would you)\\s)*)";
/** "Tell Maria by email that …", "Let the team know via email …". */
const TOLD_BY = new RegExp(
  `^${LEAD}(tell|inform|notify|let|ask|remind|thank) ${WHOM}(?: know)? (?:by|via|per|in an?|with an?) (?:e-?mail|mail|message|note),?\\s`,
  "iu",
);
/** "Write Jack an email …", "Drop Kim a line …". */
const WRITE_WHOM = new RegExp(
  `^${LEAD}(?:write|send|draft|compose|shoot|drop) (?!me\\b|us\\b|an?\\b|the (?:e-?mail|message|note)\\b)${WHOM} an? ((?:${ADJECTIVE}){0,4})(?:e-?mail|mail|message|note|line|letter)\\b`,
  "iu",
);
const SAYING = pairs("ask: asking, remind: reminding, thank: thanking");

/** The prompt with its order as "write an email to …". */
function usualOrder(prompt: string): string {
  return prompt
    .replace(
      TOLD_BY,
      (_, lead: string, verb: string, who: string) =>
        `${lead}write an email to ${who} ${SAYING.get(verb.toLowerCase()) ?? "saying"} `,
    )
    .replace(WRITE_WHOM, (_, lead: string, who: string, how: string) => `${lead}write a ${how}note to ${who}`)
    .replace(/^((?:please )?)(?:shoot|drop|fire)(?: off)?(?= (?:an? |the ))/i, "$1send");
}

/** An email from the facts a prompt gives; null when it gives none, or asks for something else. */
export function draftEmail(prompt: string, writer: string | null = null): string | null {
  const given = usualOrder(prompt.trim());
  const lead = DRAFT.exec(given.slice(0, MAX_HEAD));
  if (!lead) return null;
  const isQuestion = /^(?:can|could|would) you\b/i.test(given);
  const whole = isQuestion ? given.replace(/\?\s*$/, "") : given;
  const { text, name } = withoutSignature(whole.slice(lead[0].length));
  const left = { rest: text };
  const from = eat(left, FROM);
  const named = addresseeOf(left.rest.slice(0, MAX_HEAD), lead[1] === undefined);
  left.rest = left.rest.slice(named.length);
  const about = eat(left, ABOUT);
  const kind = /thank/i.test(lead[1] ?? "") ? "thank" : /apology/i.test(lead[1] ?? "") ? "apologise" : null;
  const facts = factsIn(left.rest, kind);
  if (facts === null || facts.trim() === "") return null;
  const head = whole.slice(0, Math.max(0, whole.indexOf(left.rest.slice(0, 40))) + 20);
  if (BEYOND.test(head) || BEYOND.test(left.rest.slice(0, Math.max(0, left.rest.length - facts.length)))) return null;
  return composed(named.who, about, facts, toneOf(lead[1] ?? ""), name ?? from ?? writer);
}

function withoutSignature(text: string): { text: string; name: string | null } {
  const signed = SIGNED.exec(text);
  if (signed) {
    const after = text.slice(signed.index + signed[0].length);
    return {
      text: `${text.slice(0, signed.index)}${/^[\n;.,]\s*\S/.test(after) ? after : ""}`,
      name: signed[1]?.replace(/(?<=\p{L}{2})\.$/u, "") ?? null,
    };
  }
  const last = LAST_NAME.exec(text);
  return last?.[1] ? { text: text.slice(0, last.index + 1), name: last[1] } : { text, name: null };
}

function eat(left: { rest: string }, pattern: RegExp): string | null {
  const found = pattern.exec(left.rest.slice(0, MAX_HEAD));
  if (!found) return null;
  left.rest = left.rest.slice(found[0].length);
  return collapseSpace(found[1] ?? "");
}

/** The content of the email as instructions; null if the prompt has none. */
function factsIn(rest: string, kind: "thank" | "apologise" | null): string | null {
  const spoken = SPOKEN.exec(rest);
  if (spoken) return spokenFacts(rest, spoken);
  if (kind && /^[\s,]+for\s/i.test(rest)) return `${kind} ${rest.trim()}`;
  return FACTS.exec(rest) ? rest.replace(FACTS, "") : null;
}

const PURPOSE = wordSet(
  "discuss share follow check see clarify introduce arrange schedule book order return report cancel",
);

function spokenFacts(rest: string, found: RegExpExecArray): string {
  const verb = (found[1] ?? "").trim().toLowerCase();
  const said = rest
    .slice(found[0].length)
    .replace(/(,\s(?:and\s)?|\sand\s)([a-z]{3,15}ing)\b/g, (whole, link: string, doing: string) =>
      DOING.has(doing) ? `${link}${DOING.get(doing)}` : whole,
    );
  if (verb === "that" || verb.endsWith("says")) return `say that ${said.replace(/^that\s/i, "")}`;
  if (verb !== "to") return `${DOING.get(verb) ?? verb} ${said}`;
  const [first = ""] = said.split(/\s/, 1);
  const isInstruction = new RegExp(`^(?:${DO})$`, "i").test(first) && !PURPOSE.has(first.toLowerCase());
  return isInstruction ? said : `say I would like to ${said}`;
}

function toneOf(adjectives: string): ReplyTone {
  if (/friendly|warm|casual|informal|nice/i.test(adjectives)) return "friendly";
  return /short|brief|quick|concise/i.test(adjectives) ? "brief" : "formal";
}

const FIRST = new Set(["thank", "congratulate", "apologise"]);

function composed(
  to: Addressee,
  about: string | null,
  facts: string,
  given: ReplyTone,
  signature: string | null,
): string | null {
  const lines = facts.split("\n").map((line) => line.replace(/^\s{0,20}(?:[-*•–]|\d{1,2}[.)])\s{1,10}/, "").trim());
  const group: ReaderGroup = to.isPlural ? "them" : to.name ? null : "any";
  const text = lines.filter((line) => line !== "").join("\n");
  const asked = askedTone(text);
  const tone = asked === null || asked === "formal" ? given : asked;
  const { said, unread } = saidIn("en", text, { tone, group, names: null });
  if (unread.some((fact) => MORE_ORDERS.test(fact))) return null;
  const isFirst = ({ kind }: (typeof said)[number]) => kind !== null && FIRST.has(kind);
  const ordered = [...said.filter(isFirst), ...said.filter((each) => !isFirst(each))];
  const written = ordered.map(({ kind, sentence }) => sentence ?? (kind ? toned(LETTERS.en.answers[kind], tone) : ""));
  // A fact without a verb to begin with, such as "delivery on Tuesday", still stands as it was given.
  const noted = unread.map((fact) => sentenceOf(asRequest(fact)));
  if (written.length + noted.length === 0) return null;
  const list =
    noted.length > 2
      ? `Here are the details:\n${noted.map((fact) => `- ${fact.replace(/\.$/, "")}`).join("\n")}`
      : noted.join(" ");
  const closing = LETTERS.en.closings[tone];
  return [
    about ? `Subject: ${capitalize(about)}` : "",
    to.name ? `${tone === "formal" ? "Dear" : "Hi"} ${to.name},` : "Hello,",
    about && tone !== "brief" ? `I am writing about ${about}.` : "",
    ...paragraphs(written),
    list,
    signature ? `${closing},\n${signature}` : closing,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** "meet at the car park" asks the reader to. */
function asRequest(fact: string): string {
  const [first = ""] = fact.split(/\W/, 1);
  return IMPERATIVES.has(first.toLowerCase()) ? `please ${fact}` : fact;
}

/** Statements and questions are separate paragraphs. */
function paragraphs(sentences: readonly string[]): string[] {
  const parts: string[] = [];
  let wasQuestion: boolean | null = null;
  for (const text of sentences) {
    const isQuestion = text.endsWith("?");
    if (isQuestion === wasQuestion) parts.push(`${parts.pop() ?? ""} ${text}`);
    else parts.push(text);
    wasQuestion = isQuestion;
  }
  return parts;
}
