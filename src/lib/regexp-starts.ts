/** How a text that matches may begin, in lower case, and the place behind what was read. Null: in any way. */
interface Read {
  starts: ReadonlySet<string> | null;
  end: number;
}

const LITERAL = /[\p{L}\p{N}'@# ,:-]/u;
const OPTIONAL = /[?*{]/;

/** One sequence of a pattern, up to the `|` or `)` that ends it. */
function readSequence(source: string, from: number): Read {
  let text = "";
  let at = from;
  while (at < source.length && source[at] !== "|" && source[at] !== ")") {
    const char = source[at] ?? "";
    if (char === "^" || source.startsWith("\\b", at)) {
      at += char === "^" ? 1 : 2;
    } else if (LITERAL.test(char) && !OPTIONAL.test(source[at + 1] ?? "")) {
      text += char.toLowerCase();
      at += 1;
    } else if (text === "" && char === "(") {
      return readGroup(source, at);
    } else {
      return { starts: text === "" ? null : new Set([text]), end: endOfSequence(source, at) };
    }
  }
  return { starts: new Set([text]), end: at };
}

/** A sequence that begins with a group. */
function readGroup(source: string, from: number): Read {
  const isLookahead = /^\(\?[=!]/.test(source.slice(from, from + 3));
  const open = /^\((?:\?(?:[:=!]|<[a-zA-Z]\w*>))?/.exec(source.slice(from))?.[0] ?? "(";
  const starts = new Set<string>();
  let isAny = source.startsWith("(?<=", from) || source.startsWith("(?<!", from);
  let at = from + open.length - 1;
  do {
    const part = readSequence(source, at + 1);
    if (part.starts === null) isAny = true;
    for (const start of part.starts ?? []) starts.add(start);
    at = part.end;
  } while (source[at] === "|");
  const isOptional = OPTIONAL.test(source[at + 1] ?? "");
  const behind = source.slice(at + 1).replace(/^[?*+]\??|^\{[\d,]+\}\??/, "");
  const rest = readSequence(source, source.length - behind.length);
  // The text of a lookahead is read again by the following pattern.
  if (isLookahead) return rest;
  if (isAny) return { starts: null, end: rest.end };
  if (!isOptional && !starts.has("")) return { starts, end: rest.end };
  return { starts: rest.starts && new Set([...starts, ...rest.starts].filter((start) => start !== "")), end: rest.end };
}

/** The place of the `|` or `)` that ends a sequence, or the end. */
function endOfSequence(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const char = source[at];
    if (char === "\\") at += 1;
    else if (char === "[") at = source.indexOf("]", at + (source[at + 1] === "]" ? 2 : 1));
    else if (char === "(") depth += 1;
    else if (char === ")" && depth > 0) depth -= 1;
    else if (depth === 0 && (char === "|" || char === ")")) return at;
  }
  return source.length;
}

/** The starts by their first character. */
type Starts = ReadonlyMap<string, readonly string[]>;

function startsOf({ source }: RegExp): Starts | null {
  const starts = new Set<string>();
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] !== "^") return null;
    const part = readSequence(source, at);
    if (part.starts === null || part.starts.has("")) return null;
    for (const start of part.starts) starts.add(start);
    at = part.end;
  }
  const byFirst = new Map<string, string[]>();
  for (const start of starts) byFirst.set(start.charAt(0), [...(byFirst.get(start.charAt(0)) ?? []), start]);
  return byFirst;
}

const known = new WeakMap<RegExp, Starts | null>();

/**
 * Whether a pattern that is anchored to the start may match, by the words that it can begin with. A pattern is compiled
 * when it is first used, which takes about a millisecond: of hundreds of patterns, a text needs few.
 */
export function mayMatch(pattern: RegExp, lowerCaseText: string): boolean {
  let starts = known.get(pattern);
  if (starts === undefined) {
    starts = startsOf(pattern);
    known.set(pattern, starts);
  }
  if (starts === null) return true;
  return starts.get(lowerCaseText.charAt(0))?.some((start) => lowerCaseText.startsWith(start)) ?? false;
}
