import { joinBytes } from "./encoding.ts";

/** A message of an mbox file. */
export interface MboxMessage {
  /** Where it begins in the file, at its `From ` line, and where it ends. */
  start: number;
  end: number;
  /** Its bytes without the `From ` line and its quoting; null if it has more than the limit. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

const LF = 10;
const CR = 13;
const QUOTE = 62;
const FROM = [70, 114, 111, 109, 32];
/** A `From ` line ends with a date. Programs that quote nothing leave lines of the text that only begin with "From ". */
const SEPARATOR = /^From \S.*\d:\d\d/;
const MAX_SEPARATOR_BYTES = 1000;
/** A longer line is text, whatever it begins with: it is not waited for. */
const MAX_LINE_BYTES = 64 * 1024;

const isFrom = (bytes: Uint8Array, at: number) => FROM.every((byte, index) => bytes[at + index] === byte);

/** Whether this line begins a message of an mbox. A file that begins with one is an mbox, and not a single message. */
export function isSeparator(line: Uint8Array): boolean {
  return isFrom(line, 0) && SEPARATOR.test(new TextDecoder("latin1").decode(line.subarray(0, MAX_SEPARATOR_BYTES)));
}

/**
 * Splits an mbox file (mboxrd, mboxo; lines that end with LF or CRLF) that is read from `base` on. Holds one message in
 * memory, and of one that is too large nothing.
 */
export async function* splitMbox(
  source: ReadableStream<Uint8Array>,
  { base = 0, maxBytes }: { base?: number; maxBytes: number },
): AsyncGenerator<MboxMessage> {
  const reader = new MboxReader(base, maxBytes);
  for await (const chunk of source) yield* reader.take(chunk);
  yield* reader.finish();
}

class MboxReader {
  readonly #maxBytes: number;
  /** The offset of `#rest`. */
  #at: number;
  #rest: Uint8Array = new Uint8Array();
  #start: number;
  #isAfterBlank = true;
  /** Whether the beginning of a long line is kept already. */
  #isWithinLine = false;
  #isInside = false;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(base: number, maxBytes: number) {
    this.#at = base;
    this.#start = base;
    this.#maxBytes = maxBytes;
  }

  *take(chunk: Uint8Array): Generator<MboxMessage> {
    const bytes = this.#rest.length > 0 ? joinBytes([this.#rest, chunk]) : chunk;
    let line = 0;
    /** Where what is not kept yet begins. */
    let kept = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, line)) {
      const next = end + 1;
      if (this.#isWithinLine) {
        this.#isWithinLine = false;
        this.#isAfterBlank = false;
        line = next;
        continue;
      }
      if (this.#isAfterBlank && isFrom(bytes, line) && isSeparator(bytes.subarray(line, next))) {
        this.#keep(bytes.subarray(kept, line));
        yield* this.#flush(this.#at + line);
        this.#isInside = true;
        kept = next;
      } else if (isQuoted(bytes, line, next)) {
        this.#keep(bytes.subarray(kept, line));
        kept = line + 1;
      }
      const length = end - line;
      this.#isAfterBlank = length === 0 || (length === 1 && bytes[line] === CR);
      line = next;
    }
    if (bytes.length - line > MAX_LINE_BYTES) this.#isWithinLine = true;
    const done = this.#isWithinLine ? bytes.length : line;
    this.#keep(bytes.subarray(kept, done));
    this.#rest = bytes.slice(done);
    this.#at += done;
  }

  *finish(): Generator<MboxMessage> {
    const isUnread = this.#rest.length > 0;
    if (isUnread) yield* this.take(Uint8Array.of(LF));
    yield* this.#flush(isUnread ? this.#at - 1 : this.#at);
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) this.#parts = [];
    // The source may use its buffer again.
    else if (bytes.length > 0) this.#parts.push(bytes.slice());
  }

  *#flush(end: number): Generator<MboxMessage> {
    if (this.#isInside) {
      const bytes = this.#size > this.#maxBytes ? null : withoutLastBlank(joinBytes(this.#parts));
      yield { start: this.#start, end, bytes };
    }
    this.#start = end;
    this.#parts = [];
    this.#size = 0;
  }
}

/** A line of the text that begins with "From " got a ">" in front, and one that begins with ">From " another. */
function isQuoted(bytes: Uint8Array, line: number, end: number): boolean {
  if (bytes[line] !== QUOTE) return false;
  let at = line;
  while (at < end && bytes[at] === QUOTE) at += 1;
  return isFrom(bytes, at);
}

/** The blank line before the next `From ` line belongs to the file, not to the message. */
function withoutLastBlank(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { length } = bytes;
  if (bytes[length - 1] !== LF) return bytes;
  if (bytes[length - 2] === LF) return bytes.subarray(0, length - 1);
  const isCrLf = bytes[length - 2] === CR && bytes[length - 3] === LF;
  return isCrLf ? bytes.subarray(0, length - 2) : bytes;
}
