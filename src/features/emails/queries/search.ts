import { and, or, type SQL, sql } from "drizzle-orm";
import { whyNoDate } from "../../../engine/due-date.ts";
import type { TimeReading } from "../../../lib/date-habits.ts";
import { CATEGORIES, EMAIL_KINDS, LATEST_EMAIL } from "../../../lib/email-kinds.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { FILE_KINDS } from "../../../lib/file-kinds.ts";
import { isMadeOfWords, type Match, matchOf, termsIn, withinLimit } from "../../../lib/search-query.ts";
import { type Operators, parseSearch, type SearchNode } from "../../../lib/search-syntax.ts";
import { readSearchDate } from "../language/search-date.ts";
import { type Filters, matches, rowConditions } from "./filters.ts";

const TEXT_COLUMNS = {
  all: "{subject sender recipients cc body files}",
  fields: { from: "sender", to: "{recipients cc}", cc: "cc", subject: "subject", filename: "files" },
  hasStems: true,
};

const PEOPLE = new Set(["from", "to", "cc"]);

const OPERATORS: Operators = {
  fields: new Set(Object.keys(TEXT_COLUMNS.fields)),
  others: new Set(
    "tag label mailbox is in has before after on older newer older_than newer_than larger smaller category kind".split(
      " ",
    ),
  ),
  refuse(name) {
    const known =
      "from, to, cc, subject, has, filename, larger, smaller, in, is, tag, mailbox, before, after, on, older, newer, category and kind";
    const message = `"${name}:" is not an operator. There are ${known}. Put it in quotes to look for the word`;
    throw validationFailed({ path: "q", message });
  },
};

/** More alternatives than these would not fit the values that D1 takes for a statement. */
const MAX_ALTERNATIVES = 10;

type Node = SearchNode<{ kind: "operator"; filters: Filters }>;

export interface Search {
  /** Filters from operators that stand alone. */
  filters: Filters;
  /** The query for the full-text index. */
  words: Match | null;
  /** Whether it asks for words of the emails themselves, wherever it does, and not only for people. */
  readsTexts: boolean;
  /** Everything else: operators inside an OR, negated, or given twice. */
  others: Node[];
}

interface Clock {
  now: Date;
  reading(): TimeReading;
}

/** What a search asks for; null if the text has nothing to search for. Throws 422 for an operator with a wrong value. */
export function readSearch(text: string, given: Filters, clock: Clock): Search | null {
  const parsed = parseSearch(text, OPERATORS);
  if (!parsed) return null;
  const parts = conjuncts(withinLimit(understand(parsed, clock)));
  const texts = parts.filter(isMadeOfWords);
  const filters = { ...given };
  const others = parts.filter((part) => !isMadeOfWords(part) && !take(filters, filterOf(part)));
  if (others.reduce((sum, part) => sum + termsIn(part), 0) > MAX_ALTERNATIVES) {
    const message = `must not have more than ${MAX_ALTERNATIVES} operators in alternatives or with a minus`;
    throw validationFailed({ path: "q", message });
  }
  if (filters.status === undefined && others.some(namesStatus)) filters.status = "any";
  return {
    filters,
    words: texts.length > 0 ? matchOf({ kind: "all", nodes: texts }, TEXT_COLUMNS) : null,
    readsTexts: readsTexts(parsed),
    others,
  };
}

function readsTexts(node: SearchNode): boolean {
  if (node.kind === "words") return node.field === null || !PEOPLE.has(node.field);
  if (node.kind === "not") return readsTexts(node.node);
  return node.kind !== "operator" && node.nodes.some(readsTexts);
}

function conjuncts(node: Node): Node[] {
  return node.kind === "all" ? node.nodes.flatMap(conjuncts) : [node];
}

/** The tree with every operator understood. "me" is whoever sends from here. */
function understand(node: SearchNode, clock: Clock): Node {
  switch (node.kind) {
    case "all":
    case "any":
      return { kind: node.kind, nodes: node.nodes.map((each) => understand(each, clock)) };
    case "not":
      return { kind: "not", node: understand(node.node, clock) };
    case "words": {
      const isMe = !node.isQuoted && node.words.toLowerCase() === "me";
      if (!isMe || (node.field !== "from" && node.field !== "to")) return node;
      return { kind: "operator", filters: { direction: node.field === "from" ? "outbound" : "inbound" } };
    }
    default:
      return { kind: "operator", filters: readOperator(node.name, node.value.trim(), clock) };
  }
}

/** The filter that a part of the search is by itself; undefined if it is more than that. */
function filterOf(node: Node): Filters | undefined {
  if (node.kind === "operator") return node.filters;
  const inner = node.kind === "not" && node.node.kind === "operator" ? node.node.filters : undefined;
  const [entry, ...more] = Object.entries(inner ?? {});
  return entry && more.length === 0 && typeof entry[1] === "boolean" ? { [entry[0]]: !entry[1] } : undefined;
}

/** Adds a filter to the others, unless they ask for something else already. */
function take(filters: Filters, filter: Filters | undefined): boolean {
  if (!filter) return false;
  const { since, until, larger, smaller, status, ...rest } = filter;
  if (larger !== undefined) filters.larger = Math.max(larger, filters.larger ?? 0);
  if (smaller !== undefined) filters.smaller = Math.min(smaller, filters.smaller ?? smaller);
  if (since !== undefined) filters.since = Math.max(since, filters.since ?? 0);
  if (until !== undefined) filters.until = Math.min(until, filters.until ?? LATEST_EMAIL.getTime());
  if (status === "any") filters.status ??= "any";
  const wanted: Filters = status === undefined || status === "any" ? rest : { ...rest, status };
  const before: Filters = filters.status === "any" ? { ...filters, status: undefined } : filters;
  const isOther = Object.entries(wanted).some(([name, value]) => {
    const other = Object.entries(before).find(([key]) => key === name)?.[1];
    return other !== undefined && other !== value;
  });
  if (!isOther) Object.assign(filters, wanted);
  return !isOther;
}

function namesStatus(node: Node): boolean {
  if (node.kind === "operator") return node.filters.status !== undefined;
  if (node.kind === "not") return namesStatus(node.node);
  return node.kind !== "words" && node.nodes.some(namesStatus);
}

/** What the index cannot answer alone, as a condition on a row of `emails`. */
export function conditionOf(alias: string, node: Node, now: Date): SQL {
  if (isMadeOfWords(node)) {
    const { isExcept, expression } = matchOf(node, TEXT_COLUMNS);
    const isMatch = matches(alias, expression);
    return isExcept ? sql`NOT ${isMatch}` : isMatch;
  }
  if (node.kind === "not") return sql`NOT coalesce(${conditionOf(alias, node.node, now)}, 0)`;
  if (node.kind === "operator") {
    const { filters } = node;
    const bind = (name: string, value: string | number) =>
      typeof value === "string" ? value : sql.raw(String(name === "now" ? now.getTime() : value));
    const skipped: (keyof Filters)[] = filters.status === undefined ? ["status"] : [];
    return sql`(${and(...rowConditions(alias, filters, bind, skipped)) ?? sql`1`})`;
  }
  if (node.kind === "words") throw new Error("words are matched");
  const parts = node.nodes.map((each) => conditionOf(alias, each, now));
  return sql`(${(node.kind === "all" ? and(...parts) : or(...parts)) ?? sql`1`})`;
}

const IS: Record<string, Filters> = {
  unread: { unread: true },
  read: { unread: false },
  starred: { starred: true },
  snoozed: { snoozed: true },
  sent: { direction: "outbound" },
  received: { direction: "inbound" },
};

const IN: Record<string, Filters> = {
  inbox: { status: "inbox" },
  archive: { status: "archived" },
  archived: { status: "archived" },
  trash: { status: "trash" },
  bin: { status: "trash" },
  sent: { direction: "outbound" },
  snoozed: { snoozed: true },
  spam: { status: "spam" },
  junk: { status: "spam" },
  anywhere: { status: "any" },
};

const HAS: Record<string, Filters> = {
  attachment: { hasAttachment: true },
  attachments: { hasAttachment: true },
  ...Object.fromEntries(FILE_KINDS.map((fileKind) => [fileKind, { fileKind }])),
};

const CATEGORY_FILTERS = Object.fromEntries(CATEGORIES.map((category) => [category, { category }]));
const KIND_FILTERS = Object.fromEntries(EMAIL_KINDS.map((kind) => [kind.replaceAll("_", "-"), { kind }]));

function readOperator(name: string, value: string, clock: Clock): Filters {
  const oneOf = (values: Record<string, Filters>) => {
    const found = Object.entries(values).find(([word]) => word === value.toLowerCase().replaceAll("_", "-"));
    if (found) return found[1];
    throw wrongValue(name, value, `must be ${listed(Object.keys(values))}`);
  };
  const range = () => {
    const options = { reference: clock.now, ...clock.reading() };
    const found = readSearchDate(value, options);
    if (found) return { since: withinYears(found.from), until: withinYears(found.to) };
    const doubt = whyNoDate(value, options);
    if (doubt) throw validationFailed({ path: "q", message: `"${name}:" ${doubt}` });
    const forms = `a date such as 2026-11-01, 2026/11/1, yesterday or "last week"`;
    throw wrongValue(name, value, `must be ${forms}`);
  };
  const moment = () => range().since;
  switch (name) {
    case "is":
      return oneOf(IS);
    case "in":
      return oneOf(IN);
    case "has":
      return oneOf(HAS);
    case "category":
      return oneOf(CATEGORY_FILTERS);
    case "kind":
      return oneOf(KIND_FILTERS);
    case "before":
      return { until: moment() };
    case "after":
      return { since: moment() };
    case "on":
      return range();
    case "older":
      return { until: AGE.test(value) ? withinYears(before(name, value, clock.now)) : moment() };
    case "newer":
      return { since: AGE.test(value) ? withinYears(before(name, value, clock.now)) : moment() };
    case "larger":
      return { larger: bytesOf(name, value) };
    case "smaller":
      return { smaller: bytesOf(name, value) };
    case "older_than":
      return { until: withinYears(before(name, value, clock.now)) };
    case "newer_than":
      return { since: withinYears(before(name, value, clock.now)) };
    case "mailbox":
      return { mailbox: value.toLowerCase() };
    default:
      return { tag: value.toLowerCase() };
  }
}

const AGE = /^(\d{1,5})\s*(h|hours?|d|days?|w|weeks?|m|months?|y|years?)$/i;

/** The moment that long ago: 2d, 3w, 6m, 1y. Months and years by the calendar (UTC). */
function before(name: string, value: string, now: Date): Date {
  const [, digits, unit = ""] = AGE.exec(value) ?? [];
  if (digits === undefined) throw wrongValue(name, value, "must be a number with d, w, m or y, such as 7d or 1y");
  const amount = Number(digits);
  const moment = new Date(now);
  if (unit.startsWith("h")) moment.setTime(now.getTime() - amount * 3_600_000);
  else if (/^d/i.test(unit)) moment.setUTCDate(moment.getUTCDate() - amount);
  else if (/^w/i.test(unit)) moment.setUTCDate(moment.getUTCDate() - amount * 7);
  else if (/^m/i.test(unit)) moment.setUTCMonth(moment.getUTCMonth() - amount);
  else moment.setUTCFullYear(moment.getUTCFullYear() - amount);
  return moment;
}

const SIZE = /^(\d{1,9}(?:[.,]\d{1,3})?)\s*(b|kb?|mb?|gb?)?$/i;

function bytesOf(name: string, value: string): number {
  const [, digits, unit = ""] = SIZE.exec(value) ?? [];
  if (digits === undefined) throw wrongValue(name, value, "must be a size such as 5mb or 300kb");
  const factor = { k: 1e3, m: 1e6, g: 1e9 }[unit.charAt(0).toLowerCase()] ?? 1;
  return Math.round(Number(digits.replace(",", ".")) * factor);
}

/** Emails are from 1970 to 2199; other times do not fit a row number of the search index. */
export function withinYears(moment: Date): number {
  return Math.min(Math.max(moment.getTime() || 0, 0), LATEST_EMAIL.getTime());
}

function wrongValue(name: string, value: string, rule: string) {
  return validationFailed({ path: "q", message: `"${name}:" ${rule}, not "${value.slice(0, 50)}"` });
}

function listed(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : `${words[0]}`;
}
