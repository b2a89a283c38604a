import { kept } from "./kept.ts";

/*
 * What people type into a search box, as a tree:
 *
 *   contract signed          both
 *   "signed contract"        a phrase
 *   contract OR invoice      either; | and {contract invoice} mean the same
 *   -newsletter              not this
 *   (a OR b) c               parentheses
 *   from:ann  from:"Ann Lee" subject:(a b)   operators
 *
 * OR binds more tightly than the space between two words, as in other mail programs. Anything that cannot be read is
 * taken as words: only what the caller makes of an operator's value may be an error.
 */

/** Words that must follow each other, somewhere or in the field that an operator names. */
export interface WordsNode {
  kind: "words";
  /** Separated by single spaces. */
  words: string;
  field: string | null;
  /** Whether the last word may be the start of a longer one. */
  isStart: boolean;
  isQuoted: boolean;
}

interface OperatorNode {
  kind: "operator";
  name: string;
  value: string;
}

interface AnyOperator {
  kind: "operator";
}

/** `Operator` is what the caller makes of an operator. */
export type SearchNode<Operator extends AnyOperator = OperatorNode> =
  | WordsNode
  | Operator
  | { kind: "all" | "any"; nodes: SearchNode<Operator>[] }
  | { kind: "not"; node: SearchNode<Operator> };

export type AnySearchNode = SearchNode<AnyOperator>;

/** The operators that a search knows, in lower case: those whose value is words of a field, and all others. */
export interface Operators {
  fields: ReadonlySet<string>;
  others: ReadonlySet<string>;
  /** Throws for a name that is neither, such as `form:ann`. Without it, that is words. */
  refuse?(name: string): never;
}

export const NO_OPERATORS: Operators = { fields: new Set(), others: new Set() };

const MAX_DEPTH = 10;

/** The tree of a text; null if there is nothing to search for. */
export function parseSearch(text: string, operators: Operators): SearchNode | null {
  // A NUL would end the expression.
  const parser = new Parser(tokensOf(text.replaceAll("\0", " "), operators), operators);
  const node = parser.all(null, 0) ?? wordsOf(text, null, false)[0] ?? null;
  if (node) openLastWord(node);
  return node;
}

type Token =
  | { type: "open" | "close" | "or" | "not" }
  | { type: "quoted" | "bare"; text: string }
  /** `value` is missing where a parenthesis or the next token has it. */
  | { type: "operator"; name: string; value?: string; isQuoted: boolean; isApart: boolean };

const SPACE = /\s/;
const BARE = /[^\s"“”(){}|]+/y;
const QUOTED = /["“”]([^"“”]*)["“”]/y;
const NAME = /([A-Za-z_]+):/y;
/** A value follows at once: no time of day, no address of a page, and no "Re:" of a subject. */
const VALUE = /[^\s:/]/;
const NO_OPERATOR = /^(?:[a-z]|re|fwd?|aw|wg|sv|vs|tr|rif|enc|antw|mailto|tel|urn|data|cid|localhost)$/;

function at(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

function tokensOf(text: string, { fields, others, refuse }: Operators): Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < text.length) {
    const character = text.charAt(index);
    const quoted = at(QUOTED, text, index);
    const named = at(NAME, text, index);
    const name = named?.[1]?.toLowerCase() ?? "";
    if (SPACE.test(character)) index += 1;
    else if (quoted) {
      tokens.push({ type: "quoted", text: quoted[1] ?? "" });
      index += quoted[0].length;
    } else if (named && (fields.has(name) || others.has(name))) {
      index += named[0].length;
      const value = at(QUOTED, text, index) ?? at(BARE, text, index);
      const isQuoted = value?.[1] !== undefined;
      const isApart = SPACE.test(text.charAt(index));
      tokens.push({ type: "operator", name, isQuoted, isApart, ...(value && { value: value[1] ?? value[0] }) });
      index += value?.[0].length ?? 0;
    } else if (refuse && named && VALUE.test(text.charAt(index + named[0].length)) && !NO_OPERATOR.test(name)) {
      refuse(name);
    } else if (character === "-" && /^-[^\s-]/.test(text.slice(index, index + 2))) {
      tokens.push({ type: "not" });
      index += 1;
    } else if ("({".includes(character)) {
      tokens.push({ type: "open" }, ...(character === "{" ? [{ type: "or" } as const] : []));
      index += 1;
    } else if (")}".includes(character)) {
      tokens.push({ type: "close" });
      index += 1;
    } else if (character === "|") {
      tokens.push({ type: "or" });
      index += 1;
    } else {
      // A quote that is never closed is no quote.
      const bare = at(BARE, text, index)?.[0] ?? character;
      tokens.push(bare === "OR" ? { type: "or" } : { type: "bare", text: bare });
      index += bare.length;
    }
  }
  return tokens;
}

class Parser {
  private index = 0;
  private readonly tokens: readonly Token[];
  private readonly operators: Operators;

  constructor(tokens: readonly Token[], operators: Operators) {
    this.tokens = tokens;
    this.operators = operators;
  }

  /** Up to the end or to the parenthesis that closes this group. A group in braces begins with an OR. */
  all(field: string | null, depth: number): SearchNode | null {
    const isEither = this.tokens[this.index]?.type === "or" && depth > 0;
    const nodes: SearchNode[] = [];
    for (let token = this.tokens[this.index]; token; token = this.tokens[this.index]) {
      if (token.type === "close") {
        if (depth > 0) break;
        this.index += 1;
      } else {
        const node = this.either(field, depth);
        if (node) nodes.push(node);
      }
    }
    return joined(isEither ? "any" : "all", nodes);
  }

  private either(field: string | null, depth: number): SearchNode | null {
    const nodes: SearchNode[] = [];
    let isLinked = true;
    while (isLinked) {
      while (this.tokens[this.index]?.type === "or") this.index += 1;
      const node = this.one(field, depth);
      if (node) nodes.push(node);
      isLinked = this.tokens[this.index]?.type === "or";
    }
    return joined("any", nodes);
  }

  private one(field: string | null, depth: number): SearchNode | null {
    const token = this.tokens[this.index];
    if (!token || token.type === "close") return null;
    this.index += 1;
    switch (token.type) {
      case "quoted":
      case "bare":
        return joined("all", wordsOf(token.text, field, token.type === "quoted"));
      case "operator":
        return this.operator(token, depth);
      case "open":
        return this.group(field, depth);
      case "not": {
        const node = this.one(field, depth);
        return node && { kind: "not", node };
      }
      default:
        return null;
    }
  }

  private group(field: string | null, depth: number): SearchNode | null {
    // Deeper parentheses are left out, so that no text can overflow the stack.
    if (depth >= MAX_DEPTH) return null;
    const node = this.all(field, depth + 1);
    this.index += 1;
    return node;
  }

  private operator(token: Token & { type: "operator" }, depth: number): SearchNode | null {
    const { name, value, isQuoted, isApart } = token;
    const isField = this.operators.fields.has(name);
    const next = this.tokens[this.index];
    if (value === undefined && isField && next?.type === "open") {
      this.index += 1;
      return this.group(name, depth);
    }
    if (value === undefined && isField && isApart && (next?.type === "bare" || next?.type === "quoted")) {
      this.index += 1;
      return joined("all", wordsOf(next.text, name, next.type === "quoted"));
    }
    // "from:" at the end is one that is still being typed.
    if (value === undefined) return isApart ? joined("all", wordsOf(name, null, false)) : null;
    return isField ? joined("all", wordsOf(value, name, isQuoted)) : { kind: "operator", name, value };
  }
}

function joined(kind: "all" | "any", nodes: SearchNode[]): SearchNode | null {
  return nodes.length > 1 ? { kind, nodes } : (nodes[0] ?? null);
}

/** Signs inside one word: "ann@example.com", "12:30", "e-mail". Its parts must follow each other. */
// Made when a text is first searched for: with classes of Unicode, that takes a millisecond.
const betweenWords = kept(() => /[^\p{L}\p{N}\p{M}\p{Co}@._\-'’:/+&#%=~]+/u);
const word = kept(() => /[\p{L}\p{N}\p{M}\p{Co}]+/gu);

function wordsOf(text: string, field: string | null, isQuoted: boolean): WordsNode[] {
  return (isQuoted ? [text] : text.split(betweenWords())).flatMap((part) => {
    const words = plainWords(part);
    return words ? [{ kind: "words", words, field, isStart: false, isQuoted } as const] : [];
  });
}

/** The words of a text, separated by single spaces: nothing in them acts as an operator. */
export function plainWords(text: string): string {
  return (text.match(word()) ?? []).filter((found) => /[\p{L}\p{N}\p{Co}]/u.test(found)).join(" ");
}

/** The last word may still be being typed, also where operators follow it. */
function openLastWord(node: SearchNode): void {
  const last = node.kind === "all" || node.kind === "any" ? lastWordsIn(node.nodes) : node;
  if (last?.kind === "words") last.isStart = !last.isQuoted;
  else if (last && (last.kind === "all" || last.kind === "any")) openLastWord(last);
}

function lastWordsIn(nodes: readonly SearchNode[]): SearchNode | undefined {
  return nodes.findLast((node) => node.kind !== "operator" && node.kind !== "not");
}
