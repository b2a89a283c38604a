import { type FindOptions, MAX_SCANNED } from "../../../engine/dates/find-dates.ts";
import { SMALL_NUMBERS } from "../../../engine/dates/vocabulary.ts";
import { keySentences } from "../../../engine/email/summary.ts";
import { assertType } from "../../../lib/cast.ts";
import { capitalize } from "../../../lib/text.ts";
import { draftEmail } from "./draft.ts";
import { extractor, KINDS, type Kind } from "./extract.ts";
import { factTable, itemsOf, listed } from "./lists.ts";
import { isOnlyFiller, type PromptParts, partsOf, plainInstruction, takeMatch } from "./split-prompt.ts";

/** Answers a prompt; null if the prompt asks for something else. */
type Ability = (parts: PromptParts, clock: FindOptions) => string | null;

const ABILITIES: readonly Ability[] = [summarise, pickOut, rewriteAsList, tabulate];

/**
 * Answers the prompts that need no knowledge: summarize, extract, rewrite as a list or a table, draft an email from
 * given facts. Null for everything else. Every word of the instruction must be understood, so that "… in French" is
 * not half done.
 */
export function answerPrompt(prompt: string, clock: FindOptions, writer: string | null = null): string | null {
  const read = prompt.slice(0, MAX_SCANNED);
  const answer = draftEmail(read, writer) ?? firstAnswer(partsOf(read), clock);
  if (answer === null || prompt.length <= MAX_SCANNED) return answer;
  return `${answer}\n\n(Only the first ${MAX_SCANNED} of ${prompt.length} characters were read.)`;
}

function firstAnswer(candidates: readonly PromptParts[], clock: FindOptions): string | null {
  for (const parts of candidates) {
    for (const ability of ABILITIES) {
      const answer = ability(parts, clock);
      if (answer !== null) return answer;
    }
  }
  return null;
}

const SUMMARY =
  /^(?:(?:summari[sz]e|sum up|condense|shorten|recap|tl;?dr|abridge|boil down)\b|(?:make|write|give|create|provide|produce|do|get)(?: me)? (?:an? |the )?(?:very |quick |short |brief |concise |one[- ]sentence |executive ){0,3}(?:summary|recap|tl;?dr|overview)\b|make (?:this|it|the (?:following )?(?:text|email|mail|message)) (?:shorter|more concise)\b|(?:what(?:'s| is| are)|list|give(?: me)?|find|extract|identify|highlight) (?:the )?(?:gist|key points?|main points?|key takeaways?|takeaways|main ideas?|most important (?:points?|sentences?|parts?)|key messages?)\b|(?:key points?|main points?|summary)\b)/;
const COUNTS: ReadonlyMap<string, number> = new Map([...SMALL_NUMBERS, ["a", 1], ["an", 1], ["single", 1]]);
const NUMBER = "(\\d{1,3}|an?|one|single|two|three|four|five|six|seven|eight|nine|ten)";
const AT_MOST =
  "(?:at most |no more than |under |fewer than |less than |up to |max(?:imum)?(?: of)? |about |around |exactly |only |just )?";
const SENTENCES = new RegExp(
  `\\b(?:in|into|to|as|with|using)?\\s?${AT_MOST}${NUMBER}(?: short| brief| key| main)?[ -](sentences?|lines?|points?|bullets?(?: points?)?|takeaways?|items?)\\b`,
);
const WORDS = new RegExp(`\\b(?:in|to|into|with|using)?\\s?${AT_MOST}${NUMBER} words(?: or (?:less|fewer))?\\b`);
const BULLETS =
  /\b(?:as|in|into|using|with)?\s?(?:an? )?(?:short |bulleted |bullet[- ]|numbered |ordered |dashed )?(?:bullets?(?: points?| list)?|points|list(?: of (?:bullet )?points)?)\b/;
const BRIEF =
  /\b(?:briefly|shortly|concisely|quickly|short|brief|concise|quick|main|key|important|most|points?|ideas?)\b/g;

function summarise({ instruction, text, isTopic }: PromptParts, clock: FindOptions): string | null {
  if (isTopic) return null;
  const left = { rest: plainInstruction(instruction) };
  const request = takeMatch(left, SUMMARY);
  if (!request) return null;
  const isNumbered = /\bnumbered|\bordered/.test(left.rest);
  const words = numberOf(takeMatch(left, WORDS)?.[1]);
  const counted = takeMatch(left, SENTENCES);
  const isBulleted = takeMatch(left, BULLETS) !== null;
  const isList = isBulleted || /point|bullet|takeaway|item|idea/.test(`${counted?.[2] ?? ""}${request[0]}`);
  left.rest = left.rest.replace(BRIEF, " ");
  if (!isOnlyFiller(left.rest)) return null;
  const count = Math.min(
    numberOf(counted?.[1]) ?? (isList ? 4 : words ? 10 : /one[- ]sentence/.test(request[0]) ? 1 : 3),
    20,
  );
  const sentences = withinWords(keySentences({ content: text, ...clock }, count), words);
  if (sentences.length === 0) return null;
  return isList ? listed(sentences, isNumbered ? "numbered" : "bullets") : sentences.join(" ");
}

function numberOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  return COUNTS.get(word) ?? (Number(word) || undefined);
}

/** As many whole sentences as fit, or the beginning of the first if it is too long. */
function withinWords(sentences: readonly string[], limit: number | undefined): string[] {
  if (!limit) return [...sentences];
  const kept: string[] = [];
  let left = limit;
  for (const sentence of sentences) {
    const words = sentence.split(" ");
    if (words.length <= left) kept.push(sentence);
    else if (kept.length === 0) return [`${words.slice(0, limit).join(" ")}…`];
    left -= words.length;
    if (left <= 0) break;
  }
  return kept;
}

const PICK =
  /^(?:(?:extract|find|list|pull out|pull|get|identify|collect|give me|show me|show|return|grab|pick out|gather|detect|locate|name|parse out|parse)\b|(?:what|which)(?: are)?\b)/;
const SHAPE =
  /\b(?:as|in|into)\s(?:an? )?(?:valid )?(?:(json)(?: (?:array|object|list))?|(numbered) list|(comma)[- ]separated(?: list| values)?|(?:bulleted |bullet )?list|bullet points?|bullets)\b|\b(?:one per line|separated by (?:a )?(comma)s?)\b/;

function pickOut({ instruction, text, isTopic }: PromptParts, clock: FindOptions): string | null {
  const left = { rest: plainInstruction(instruction) };
  const request = takeMatch(left, PICK)?.[0];
  if (!request) return null;
  const shape = takeMatch(left, SHAPE);
  // "from this email" names the text, not what to look for.
  left.rest = left.rest.replace(
    /\b(?:from|in|of|out of|within) (?:the |this |my |that )?(?:following |below |above )?(?:e-?mail|message|mail)\b/,
    " ",
  );
  const kinds = kindsIn(left);
  if (kinds.length === 0 || !isOnlyFiller(left.rest)) return null;
  const extract = extractor(text, clock);
  const found = kinds.map((kind) => ({ kind, values: extract(kind) }));
  // "List names: for my cat" wants some made up, and so does a topic that holds none.
  const isSearch =
    !isTopic &&
    /^(?:extract|find|pull|get|identify|collect|pick|gather|detect|locate|parse|grab|what|which)/.test(request);
  if (!isSearch && found.every(({ values }) => values.length === 0)) return null;
  if (shape?.[1]) return JSON.stringify(Object.fromEntries(found.map(({ kind, values }) => [kind, values])), null, 2);
  const [only] = found;
  if (found.length === 1 && only) return only.values.length === 0 ? none(only.kind) : shaped(only.values, shape);
  return found
    .map(({ kind, values }) =>
      values.length === 0 ? none(kind) : `${capitalize(KINDS[kind].name)}:\n${shaped(values, shape)}`,
    )
    .join("\n\n");
}

function kindsIn(left: { rest: string }): Kind[] {
  const kinds: { kind: Kind; at: number }[] = [];
  const whole = left.rest;
  for (const kind of assertType<Kind[]>(Object.keys(KINDS))) {
    const found = takeMatch(left, KINDS[kind].words);
    if (found) kinds.push({ kind, at: whole.indexOf(found[0]) });
  }
  return kinds.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
}

function shaped(values: readonly string[], shape: RegExpExecArray | null): string {
  if (shape?.[3] || shape?.[4]) return values.join(", ");
  return listed(values, shape?.[2] ? "numbered" : "bullets");
}

function none(kind: Kind): string {
  return `No ${KINDS[kind].name} were found in the text.`;
}

const REWRITE =
  /^(?:rewrite|reformat|format|turn|convert|make|transform|change|put|present|write|restructure|structure|break|split|organi[sz]e|list|give me|show)\b/;
const AS_LIST =
  /\b(?:as|into|in|to|with|using)?\s?(?:an? )?(?:(?:simple|clean|short|markdown|nice) )?(?:(numbered|ordered)(?: list| points)?|(check-?list|to-?do list|task list|list of tasks|tasks)|(?:bulleted|bullet[- ]pointed|bullet|unordered) (?:list|points?)|bullets|bullet points?|(?:list|points)(?: of (?:bullet )?points)?)\b/;

function rewriteAsList({ instruction, text, isTopic }: PromptParts, clock: FindOptions): string | null {
  if (isTopic) return null;
  const left = { rest: plainInstruction(instruction) };
  const isBare = /^(?:bullet points?|bullets|numbered list|bulleted list)$/.test(left.rest);
  if (!isBare && !takeMatch(left, REWRITE)) return null;
  const request = takeMatch(left, AS_LIST);
  left.rest = left.rest.replace(/\b(?:up|down|sentences?|items?|separate)\b/g, " ");
  if (!request || !isOnlyFiller(left.rest)) return null;
  if (request[2]) {
    const actions = extractor(text, clock)("actions");
    return listed(actions.length > 0 ? actions : itemsOf(text), "tasks");
  }
  return listed(itemsOf(text), request[1] ? "numbered" : "bullets");
}

const TABLE = /\b(?:as|into|in|to|of)?\s?(?:an? )?(?:(?:markdown|simple|two[- ]column) )?table\b/;

function tabulate({ instruction, text, isTopic }: PromptParts): string | null {
  if (isTopic) return null;
  const left = { rest: plainInstruction(instruction) };
  takeMatch(left, /^(?:make|create|build|draw|rewrite|format|turn|convert|put|present|transform|show|give me)\b/);
  if (!takeMatch(left, TABLE)) return null;
  left.rest = left.rest.replace(/\b(?:of|facts|data|values|key|keys|information|details|these|items)\b/g, " ");
  return isOnlyFiller(left.rest) ? factTable(text) : null;
}
