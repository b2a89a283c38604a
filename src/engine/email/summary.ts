import { capitalize, collapseSpace } from "../../lib/text.ts";
import { wordSet } from "../../lib/words.ts";
import type { FoundDate } from "../dates/find-dates.ts";
import { dated, dueOf } from "../due-date.ts";
import { type ActionItem, actionItemsIn } from "./action-items.ts";
import { amountsIn } from "./amounts.ts";
import { datesIn, type EmailInput, type ReadEmail, readEmail, textOf } from "./email.ts";
import type { TextRange } from "./sentences.ts";

const MAX_SUMMARY = 300;
const MAX_SENTENCES = 300;
const STOP = wordSet(
  "the a an and or but if of to in on at for with from by is are was were be been being it its this that these those i you he she we they me him her us them my your his our their as not no so do does did have has had will would can could should may might just also there here what which who when how all any some more most other than then very",
);

/** The one or two most important sentences of an email, word for word and in their order, with a capital at the start. */
export function summaryOf(email: ReadEmail, items: readonly ActionItem[]): string {
  if (email.sentences.length === 0) return collapseSpace(email.subject ?? email.visible).slice(0, MAX_SUMMARY);
  const { texts, ranked } = rankedSentences(email, items);
  const chosen: number[] = [];
  let length = 0;
  for (const at of ranked) {
    const size = texts[at]?.length ?? 0;
    if (chosen.length > 0 && (length + size > MAX_SUMMARY || chosen.length === 2)) continue;
    chosen.push(at);
    length += size + 1;
  }
  const summary = startOfSentence(
    chosen
      .sort((a, b) => a - b)
      .map((at) => texts[at])
      .join(" "),
  );
  return summary.length > MAX_SUMMARY ? `${[...summary].slice(0, MAX_SUMMARY - 1).join("")}…` : summary;
}

/** After "Hi Ada," a letter may go on in lower case. A name such as "iCloud" stays as it is written. */
function startOfSentence(text: string): string {
  return /^\p{Ll}+(?!\p{L})/u.test(text) ? capitalize(text) : text;
}

/** The most important sentences of a text, word for word and in their order. */
export function keySentences(input: EmailInput, count: number): string[] {
  const email = readEmail(input);
  const { texts, ranked } = rankedSentences(email, actionItemsIn(email));
  return ranked
    .slice(0, count)
    .sort((a, b) => a - b)
    .flatMap((at) => texts[at] ?? []);
}

/** The sentences, and their indexes with the most important first. */
function rankedSentences(email: ReadEmail, items: readonly ActionItem[]): { texts: string[]; ranked: number[] } {
  const spans = email.sentences.slice(0, MAX_SENTENCES);
  const texts = spans.map((range) => collapseSpace(textOf(email, range)));
  const words = texts.map(contentWords);
  const weights = wordWeights(words, email.subject ?? "");
  const asked = new Set(items.map(({ quote }) => quote.start));
  const scored = spans.map((range, at) => ({
    at,
    score: scoreOf(
      email,
      { range, at, text: texts[at] ?? "", words: words[at] ?? [] },
      weights,
      asked.has(range.start),
    ),
  }));
  return { texts, ranked: scored.sort((a, b) => b.score - a.score || a.at - b.at).map(({ at }) => at) };
}

const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z][a-z']{2,}/g) ?? []).filter((word) => !STOP.has(word));

function wordWeights(sentences: readonly (readonly string[])[], subject: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const words of sentences) {
    for (const word of new Set(words)) weights.set(word, (weights.get(word) ?? 0) + 1);
  }
  for (const word of contentWords(subject)) weights.set(word, (weights.get(word) ?? 0) + 2);
  return weights;
}

interface Sentence {
  range: TextRange;
  at: number;
  text: string;
  words: readonly string[];
}

function scoreOf(
  email: ReadEmail,
  { range, at, text, words }: Sentence,
  weights: ReadonlyMap<string, number>,
  asks: boolean,
): number {
  if (words.length < 2) return 0;
  let sum = 0;
  for (const word of words.slice(0, 40)) sum += weights.get(word) ?? 0;
  const central = sum / Math.sqrt(words.length);
  const early = 2 / (1 + at);
  const dated = datesIn(email, range).length > 0 ? 1 : 0;
  return central + early + dated + (asks ? 2 : 0) - (text.length > 280 ? 2 : 0);
}

const MAX_EACH = 5;
const WAITING =
  /\b(?:waiting (?:for|on)|awaiting|pending|still need|haven't (?:heard|received)|have not (?:heard|received)|as soon as (?:i|we) (?:hear|get|receive))\b/i;
const DEADLINE = /\b(?:by|before|until|till|due|deadline|no later than|expires?)\b[^.?!]{0,20}$/i;
const PERSON =
  /\b(?:Mr|Mrs|Ms|Dr|Prof)\.? [A-Z][a-z]{1,20}|\b(?:with|from|to|ask|tell|cc|contact|and) ([A-Z][a-z]{2,20} [A-Z][a-z]{2,20})\b/g;

/** Short facts: deadlines, amounts, people, questions, and what the sender waits for. */
export function insightsOf(email: ReadEmail, deadlines: readonly FoundDate[]): string[] {
  const insights: string[] = [];
  for (const date of deadlines.slice(0, MAX_EACH))
    insights.push(`Deadline: ${dated(date.text, dueOf(date, email), email.timeZone)}`);
  const amounts = new Set<string>();
  const people = new Set<string>();
  const questions: string[] = [];
  const waiting: string[] = [];
  for (const range of email.sentences.slice(0, MAX_SENTENCES)) {
    const text = collapseSpace(textOf(email, range)).slice(0, 600);
    for (const amount of amountsIn(text)) amounts.add(amount);
    for (const match of text.matchAll(PERSON)) people.add(match[1] ?? match[0]);
    if (text.endsWith("?") && questions.length < MAX_EACH) questions.push(text);
    if (WAITING.test(text) && waiting.length < MAX_EACH) waiting.push(text);
  }
  for (const amount of [...amounts].slice(0, MAX_EACH)) insights.push(`Amount: ${amount}`);
  for (const person of [...people].slice(0, MAX_EACH)) insights.push(`Person: ${person}`);
  for (const question of questions) insights.push(`Question: ${question}`);
  for (const text of waiting) insights.push(`Waiting on: ${text}`);
  return insights;
}

/** The dates something must be done by. */
export function deadlinesIn(email: ReadEmail): FoundDate[] {
  return email.dates.filter(
    (date) => date.from !== null && DEADLINE.test(email.visible.slice(Math.max(0, date.start - 40), date.start)),
  );
}
