/*
 * Parses an expression of JavaScript just far enough to tell how long it takes: where its characters, choices and
 * repetitions are. What a character of it matches is asked of the engine itself.
 */

export type Node =
  | { kind: "atom"; source: string }
  /** `^` without the flag `m`. */
  | { kind: "start" }
  /** What the character before has to be: `\b`, `^` with the flag `m`, and lookbehinds of one character. */
  | { kind: "before"; source: string; holds: "differs" | "is" | "not" }
  /** Matches nothing but may fail: `$`, `\B`. */
  | { kind: "condition" }
  | { kind: "look"; body: Node }
  | { kind: "choice"; options: Node[] }
  | { kind: "sequence"; items: Node[] }
  | { kind: "repeat"; body: Node; min: number; max: number };

/** As `\b` has it, whatever the flags. */
export const WORD = "[A-Za-z0-9_]";

/** The one character that a lookbehind looks for, also if the beginning of the text will do. */
function onlyAtom(node: Node): string | null {
  if (node.kind === "atom") return node.source;
  if (node.kind === "sequence") return node.items.length === 1 && node.items[0] ? onlyAtom(node.items[0]) : null;
  if (node.kind !== "choice") return null;
  const atoms = node.options.filter((option) => option.kind !== "sequence" || option.items[0]?.kind !== "start");
  const sources = atoms.map(onlyAtom);
  return sources.length > 0 && sources.every((source) => source !== null) ? `(?:${sources.join("|")})` : null;
}

export function parseExpression(source: string, flags: string): Node {
  let at = 0;
  const peek = () => source.charAt(at);

  function choice(): Node {
    const options = [sequence()];
    while (peek() === "|") {
      at += 1;
      options.push(sequence());
    }
    return options.length === 1 && options[0] ? options[0] : { kind: "choice", options };
  }

  function sequence(): Node {
    const items: Node[] = [];
    while (at < source.length && peek() !== "|" && peek() !== ")") items.push(repeated(item()));
    return { kind: "sequence", items };
  }

  function repeated(body: Node): Node {
    const [whole, simple, low = "0", comma, high] =
      /^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/.exec(source.slice(at, at + 30)) ?? [];
    if (whole === undefined) return body;
    at += whole.length;
    if (simple) return { kind: "repeat", body, min: simple === "+" ? 1 : 0, max: simple === "?" ? 1 : Infinity };
    const max = high ? Number(high) : comma ? Infinity : Number(low);
    return { kind: "repeat", body, min: Number(low), max };
  }

  function item(): Node {
    const char = peek();
    if (char === "(") return group();
    if (char === "[") return characterClass();
    if (char === "\\") return escaped();
    at += 1;
    if (char === "^") return flags.includes("m") ? { kind: "before", source: "\\n", holds: "is" } : { kind: "start" };
    if (char === "$") return { kind: "condition" };
    if (char === ".") return { kind: "atom", source: "." };
    const whole = flags.includes("u") ? String.fromCodePoint(source.codePointAt(at - 1) ?? 0) : char;
    at += whole.length - 1;
    return { kind: "atom", source: whole.replace(/[\]{}/]/, "\\$&") };
  }

  function group(): Node {
    const head = /^\((?:\?(?:<?[=!]|<\w+>|[a-z-]*:))?/.exec(source.slice(at, at + 60))?.[0] ?? "(";
    at += head.length;
    const body = choice();
    if (peek() !== ")") throw new Error(`no end of a group at ${at}`);
    at += 1;
    if (!/^\(\?<?[=!]/.test(head)) return body;
    const before = head.startsWith("(?<") ? onlyAtom(body) : null;
    return before === null
      ? { kind: "look", body }
      : { kind: "before", source: before, holds: head.endsWith("=") ? "is" : "not" };
  }

  function characterClass(): Node {
    const start = at;
    let depth = 0;
    do {
      if (peek() === "\\") at += 1;
      else if (peek() === "[" && (depth === 0 || flags.includes("v"))) depth += 1;
      else if (peek() === "]") depth -= 1;
      at += 1;
    } while (depth > 0 && at < source.length);
    return { kind: "atom", source: source.slice(start, at) };
  }

  function escaped(): Node {
    const [whole = ""] =
      /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<\w+>|c[A-Za-z]|\d+|[\s\S])/u.exec(
        source.slice(at, at + 60),
      ) ?? [];
    at += whole.length;
    if (whole === "\\b") return { kind: "before", source: WORD, holds: "differs" };
    if (whole === "\\B") return { kind: "condition" };
    // What a group has matched may be anything.
    return { kind: "atom", source: /^\\(?:k|[1-9])/.test(whole) ? "[^]" : whole };
  }

  const node = choice();
  if (at < source.length) throw new Error(`cannot be parsed from ${at} on`);
  return node;
}
