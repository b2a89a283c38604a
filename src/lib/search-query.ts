import { validationFailed } from "./errors.ts";
import { type AnySearchNode, NO_OPERATORS, parseSearch, type SearchNode, type WordsNode } from "./search-syntax.ts";

/** An FTS5 expression: the records that match it, or all but those. */
export interface Match {
  isExcept: boolean;
  expression: string;
}

interface SearchColumns {
  /** The columns of words without a field, as FTS5 names them: `{title description}`. */
  all: string;
  /** The columns of each field. */
  fields?: Record<string, string>;
  /** Whether the index has English stems. */
  hasStems?: boolean;
}

/**
 * The expression of a tree that has only words. No input acts as an operator of FTS5: every word is quoted. FTS5 cannot
 * say "all but these" by itself, only "these but not those"; what is not found either way is turned around.
 */
export function matchOf(node: AnySearchNode, columns: SearchColumns): Match {
  switch (node.kind) {
    case "words":
      return { isExcept: false, expression: wordsExpression(node, columns) };
    case "not": {
      const { isExcept, expression } = matchOf(node.node, columns);
      return { isExcept: !isExcept, expression };
    }
    case "all":
      return allOf(node.nodes.map((each) => matchOf(each, columns)));
    case "any":
      // a or b is all but (not a and not b).
      return inverse(allOf(node.nodes.map((each) => inverse(matchOf(each, columns)))));
    default:
      throw new Error(`${node.kind} is not made of words`);
  }
}

const inverse = ({ isExcept, expression }: Match): Match => ({ isExcept: !isExcept, expression });

function allOf(matches: readonly Match[]): Match {
  const [wanted, unwanted] = [false, true].map((isExcept) =>
    distinct(matches.filter((match) => match.isExcept === isExcept).map(({ expression }) => expression)),
  );
  if (!wanted?.length) return { isExcept: true, expression: joined(unwanted, "OR") };
  const expression = joined(wanted, "AND");
  return {
    isExcept: false,
    expression: unwanted?.length ? `(${expression} NOT ${joined(unwanted, "OR")})` : expression,
  };
}

const distinct = (texts: readonly string[]) => [...new Set(texts)];

function joined(expressions: readonly string[] = [], operator: "AND" | "OR"): string {
  return expressions.length === 1 ? `${expressions[0]}` : `(${expressions.join(` ${operator} `)})`;
}

function wordsExpression({ words, field, isStart }: WordsNode, { all, fields, hasStems }: SearchColumns): string {
  const columns = (field !== null && fields?.[field]) || all;
  if (!isStart) return `${columns} : "${words}"`;
  const others = hasStems ? longerForms(words) : [];
  return `${columns} : ("${[`${words}"*`, ...others].join(' OR "')})`;
}

/** Endings that a stem does not have. */
const ENDINGS =
  "ing ings ed er ers es ies al ally ly ion ions ation ations ity ities ment ments ness able ible ance ence ive ize".split(
    " ",
  );
const MIN_STEM = 4;

/**
 * In an index of stems, the start of a word may be no start of its stem: while "university" is being typed, "universi"
 * is not in "univers", nor "runn" in "run". So endings that have begun are completed, too. And FTS5 takes a final y for that of a whole word,
 * which becomes an i: "pay" would not find "payment". With an e, which a stem loses later, it stays.
 */
function longerForms(words: string): string[] {
  if (!/[a-z]{3}$/i.test(words)) return [];
  const last = words.slice(words.lastIndexOf(" ") + 1).toLowerCase();
  const completed = ENDINGS.flatMap((ending) => {
    const begun = Array.from({ length: ending.length - 1 }, (_, index) => index + 1);
    return begun
      .filter((length) => last.length - length >= MIN_STEM && last.endsWith(ending.slice(0, length)))
      .map((length) => `${words}${ending.slice(length)}"`);
  });
  const isDoubled = /([b-df-hj-np-tv-z])\1$/.test(last);
  return distinct([
    ...(last.endsWith("y") ? [`${words}e"*`] : []),
    ...(isDoubled ? [`${words}ing"`] : []),
    ...completed,
  ]);
}

/** The number of words and operators in a tree. */
export function termsIn(node: AnySearchNode): number {
  if (node.kind === "not") return termsIn(node.node);
  if (node.kind === "words" || node.kind === "operator") return 1;
  return node.nodes.reduce((sum, each) => sum + termsIn(each), 0);
}

/** Whether a tree has only words. */
export function isMadeOfWords(node: AnySearchNode): boolean {
  if (node.kind === "not") return isMadeOfWords(node.node);
  return node.kind === "words" || (node.kind !== "operator" && node.nodes.every(isMadeOfWords));
}

const MAX_TERMS = 32;

/** A text without operators as an expression: phrases, OR, parentheses and -words. Null if there is nothing to find. */
export function matchOfText(text: string, columns: SearchColumns): Match | null {
  const node = parseSearch(text, NO_OPERATORS);
  return node && matchOf(withinLimit(node), columns);
}

/** A search from the words of a person or a model. A long text is cut to its first words, never refused. */
export function shortQuery(text: string): string {
  const node = parseSearch(text, NO_OPERATORS);
  if (!node || termsIn(node) <= MAX_TERMS) return text;
  return (text.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !/^(?:AND|OR|NOT)$/.test(word))
    .slice(0, MAX_TERMS)
    .join(" ");
}

/** Of a mere list of words, the first count, as for a sentence that was pasted. */
export function withinLimit<Operator extends { kind: "operator" }>(node: SearchNode<Operator>): SearchNode<Operator> {
  if (termsIn(node) <= MAX_TERMS) return node;
  const isList = node.kind === "all" && node.nodes.every(({ kind }) => kind === "words");
  const distinctNodes = isList ? [...new Map(node.nodes.map((each) => [JSON.stringify(each), each])).values()] : [];
  if (!isList)
    throw validationFailed({ path: "q", message: `must not have more than ${MAX_TERMS} words and operators` });
  return { kind: "all", nodes: distinctNodes.slice(0, MAX_TERMS) };
}
