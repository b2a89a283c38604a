import { latin1, type Oversized, type RawResponse, ResponseProblem } from "./framer.ts";

/** An atom is text, a string (quoted or a literal) its bytes, `NIL` null. */
export type Value = string | Uint8Array<ArrayBuffer> | Oversized | null | Value[];

export interface Status {
  type: "status";
  /** Null if it is not the end of a command. */
  tag: string | null;
  status: "OK" | "NO" | "BAD" | "BYE" | "PREAUTH";
  /** Of `[UIDNEXT 5]`: `UIDNEXT` and `5`. */
  code: string | null;
  argument: string;
  text: string;
}

export interface Data {
  type: "data";
  /** Upper case, such as `LIST`. */
  kind: string;
  /** Of `* 5 EXISTS`. */
  number: number | null;
  /** What follows, read when asked for: what nobody needs cannot fail. */
  values(): Value[];
}

export type Response = Status | Data | { type: "continue"; text: string };

const MAX_DEPTH = 200;
const [SPACE, QUOTE, LEFT, RIGHT, BACKSLASH, OPEN] = [32, 34, 40, 41, 92, 91];

export function readResponse(raw: RawResponse): Response {
  const [first = new Uint8Array()] = raw.texts;
  const head = latin1(first.subarray(0, 100));
  if (head.startsWith("+")) return { type: "continue", text: new TextDecoder().decode(first.subarray(2)) };
  const status = /^(\S{1,40}) (OK|NO|BAD|BYE|PREAUTH)(?: |$)/i.exec(head);
  if (status) return readStatus(status, first);
  const data = /^\* (?:(\d{1,10}) )?([A-Za-z][\w.-]{0,30})(?: |$)/.exec(head);
  if (!data) throw new ResponseProblem("a line is no response");
  const [start, number, kind = ""] = data;
  return {
    type: "data",
    kind: kind.toUpperCase(),
    number: number === undefined ? null : Number(number),
    values: () => readValues(raw, start.length),
  };
}

function readStatus([start, tag = "", status = ""]: RegExpExecArray, line: Uint8Array): Status {
  const text = new TextDecoder().decode(line.subarray(start.length));
  const [code, name = null, argument = ""] = /^\[([\w.-]{1,40})(?: ([^\]]*))?\] ?/.exec(text) ?? [""];
  return {
    type: "status",
    tag: tag === "*" ? null : tag,
    // The expression has matched it.
    status: status.toUpperCase() as Status["status"],
    code: name?.toUpperCase() ?? null,
    argument,
    text: text.slice(code.length),
  };
}

/** In one pass and without recursion. What is nested deeper than any message is left out. */
function readValues({ texts, literals }: RawResponse, from: number): Value[] {
  const root: Value[] = [];
  const open: Value[][] = [root];
  let tooDeep = 0;
  const add = (value: Value) => {
    if (tooDeep === 0) open.at(-1)?.push(value);
  };
  for (const [index, text] of texts.entries()) {
    let at = index === 0 ? from : 0;
    while (at < text.length) {
      const byte = text[at];
      if (byte === SPACE) at += 1;
      else if (byte === LEFT) {
        at += 1;
        if (tooDeep > 0 || open.length > MAX_DEPTH) tooDeep += 1;
        else {
          const list: Value[] = [];
          add(list);
          open.push(list);
        }
      } else if (byte === RIGHT) {
        at += 1;
        if (tooDeep > 0) tooDeep -= 1;
        else if (open.length === 1) throw new ResponseProblem("a list ends that has not begun");
        else open.pop();
      } else if (byte === QUOTE) {
        const quoted = readQuoted(text, at + 1);
        add(quoted.bytes);
        at = quoted.end;
      } else {
        const end = atomEnd(text, at);
        const atom = latin1(text.subarray(at, end));
        add(atom.toUpperCase() === "NIL" ? null : atom);
        at = end;
      }
    }
    const literal = literals[index];
    if (literal !== undefined) add(literal);
  }
  if (open.length > 1 || tooDeep > 0) throw new ResponseProblem("a list does not end");
  return root;
}

function readQuoted(text: Uint8Array, start: number): { bytes: Uint8Array<ArrayBuffer>; end: number } {
  let end = start;
  while (end < text.length && text[end] !== QUOTE) end += text[end] === BACKSLASH ? 2 : 1;
  if (end >= text.length) throw new ResponseProblem("a quoted string does not end");
  const bytes = new Uint8Array(end - start);
  let size = 0;
  for (let at = start; at < end; at++) {
    if (text[at] === BACKSLASH) at += 1;
    bytes[size] = text[at] ?? 0;
    size += 1;
  }
  return { bytes: bytes.slice(0, size), end: end + 1 };
}

/** `BODY[HEADER.FIELDS (SUBJECT)]<0>` is one atom, with its spaces and brackets. */
function atomEnd(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length) {
    const byte = text[at];
    if (
      byte === OPEN &&
      /^(?:BODY|BINARY)(?:\.[A-Z]+)?$/i.test(latin1(text.subarray(start, Math.min(at, start + 20))))
    ) {
      const end = text.indexOf(93, at);
      if (end < 0) throw new ResponseProblem("a section does not end");
      at = end;
    } else if (byte === SPACE || byte === LEFT || byte === RIGHT || byte === QUOTE) break;
    at += 1;
  }
  return at;
}

export function textOf(value: Value | undefined): string | null {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : null;
}

export function bytesOf(value: Value | undefined): Uint8Array<ArrayBuffer> | null {
  if (typeof value === "string") return Uint8Array.from(new TextEncoder().encode(value));
  return value instanceof Uint8Array ? value : null;
}

/** Numbers of IMAP have 32 bits, sizes 63. */
export function numberOf(value: Value | undefined): number | null {
  const text = textOf(value);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** `(UID 5 FLAGS (…))` by upper case names. Of `BODY[…]` the name has the section, without the origin. */
export function fieldsOf(value: Value | undefined): Map<string, Value> {
  if (!Array.isArray(value)) throw new ResponseProblem("a message has no list of items");
  const fields = new Map<string, Value>();
  for (let at = 0; at + 1 < value.length; at += 2) {
    const name = value[at];
    if (typeof name !== "string") throw new ResponseProblem("an item of a message has no name");
    fields.set(name.toUpperCase().replace(/<\d{1,15}>$/, ""), value[at + 1] ?? null);
  }
  return fields;
}
