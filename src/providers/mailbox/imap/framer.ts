import { ByteBuffer } from "../../../lib/mime/byte-buffer.ts";

/** The server said something that no server says. */
export class ResponseProblem extends Error {}

/** A literal longer than was allowed: its bytes were read and dropped. */
export class Oversized {
  readonly size: number;

  constructor(size: number) {
    this.size = size;
  }
}

/** A response: text, and after each text but the last a literal. */
export interface RawResponse {
  texts: Uint8Array[];
  literals: (Uint8Array<ArrayBuffer> | Oversized)[];
}

const TEXT_BYTES = 1024 * 1024;
const LITERAL_BYTES = 1024 * 1024;
const [LF, CR, OPEN, CLOSE, PLUS, TILDE] = [10, 13, 123, 125, 43, 126];

/** Their text is for people, and ends with the line, whatever it ends with. */
const STATUS = /^(?:\+|\S{1,40} (?:OK|NO|BAD|BYE|PREAUTH)(?: |$))/i;

/** Divides what the server sends into responses. Pure: bytes in, in any pieces; responses out. */
export class ResponseFramer {
  /** Of a longer literal the bytes are dropped. A command that expects more, or less, says so. */
  literalLimit = LITERAL_BYTES;
  private raw: RawResponse = { texts: [], literals: [] };
  private line = new ByteBuffer();
  private textBytes = 0;
  private literal: { bytes: Uint8Array<ArrayBuffer> | null; at: number; size: number } | null = null;

  /** Whether a response has begun and not ended. */
  get isInside(): boolean {
    return this.line.size > 0 || this.raw.texts.length > 0;
  }

  *push(chunk: Uint8Array): Generator<RawResponse, void> {
    let at = 0;
    while (at < chunk.length || this.literal?.size === 0) {
      if (this.literal) at = this.fillLiteral(this.literal, chunk, at);
      else {
        const end = chunk.indexOf(LF, at);
        const piece = chunk.subarray(at, end < 0 ? chunk.length : end);
        this.textBytes += piece.length;
        if (this.textBytes > TEXT_BYTES) throw new ResponseProblem("a line is too long");
        at += piece.length + 1;
        if (end < 0 || this.line.size > 0) this.line.add(piece);
        if (end >= 0) {
          const line = this.line.size > 0 ? this.line.taken() : piece;
          this.line = new ByteBuffer();
          if (!this.endLine(line)) yield this.take();
        }
      }
    }
  }

  private fillLiteral(literal: NonNullable<typeof this.literal>, chunk: Uint8Array, at: number): number {
    const piece = chunk.subarray(at, at + literal.size - literal.at);
    literal.bytes?.set(piece, literal.at);
    literal.at += piece.length;
    if (literal.at === literal.size) {
      this.raw.literals.push(literal.bytes ?? new Oversized(literal.size));
      this.literal = null;
    }
    return at + piece.length;
  }

  /** Whether the response goes on after this line, with a literal. */
  private endLine(whole: Uint8Array): boolean {
    const line = whole.at(-1) === CR ? whole.subarray(0, -1) : whole;
    const found = this.raw.texts.length === 0 && isStatus(line) ? null : literalAt(line);
    this.raw.texts.push(found ? line.subarray(0, found.start) : line);
    if (!found) return false;
    const isKept = found.size <= this.literalLimit;
    this.literal = { bytes: isKept ? new Uint8Array(found.size) : null, at: 0, size: found.size };
    return true;
  }

  private take(): RawResponse {
    const raw = this.raw;
    this.raw = { texts: [], literals: [] };
    this.textBytes = 0;
    return raw;
  }
}

function isStatus(line: Uint8Array): boolean {
  return STATUS.test(latin1(line.subarray(0, 50)));
}

/** `{123}` at the end of a line, also `{123+}` and `~{123}`. */
function literalAt(line: Uint8Array): { start: number; size: number } | null {
  if (line.at(-1) !== CLOSE) return null;
  const last = line.at(-2) === PLUS ? line.length - 3 : line.length - 2;
  let at = last;
  let size = 0;
  for (let power = 1; at >= 0; at--, power *= 10) {
    const digit = (line[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) break;
    size += digit * power;
  }
  if (at === last || line[at] !== OPEN) return null;
  if (last - at > 10) throw new ResponseProblem("a literal is too long");
  return { start: line[at - 1] === TILDE ? at - 1 : at, size };
}

/** Each byte as a character, and back by `latin1Bytes`: names of folders survive it, whatever they are written in. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

export function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
