import { joinBytes } from "../encoding.ts";

type OnLine = (line: Uint8Array, offset: number, isWhole: boolean) => void;

/** Longer lines are handed on in pieces, so that a message of one line needs no more memory than any other. */
const LONGEST_LINE = 64 * 1024;
const HYPHEN = 0x2d;

/**
 * Cuts a stream of bytes into lines, each with its line break and its place. A line may end in LF only. While `isInBody`,
 * lines that can be no boundary are handed on together: a message may have millions of them.
 */
export class LineReader {
  private held: Uint8Array[] = [];
  private heldSize = 0;
  private offset = 0;
  private isInside = false;
  private readonly onLine: OnLine;

  private readonly isInBody: () => boolean;

  constructor(onLine: OnLine, isInBody: () => boolean) {
    this.onLine = onLine;
    this.isInBody = isInBody;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      if (chunk[start] !== HYPHEN && this.heldSize === 0 && this.isInBody()) end = lastOfRun(chunk, end);
      this.take(chunk.subarray(start, end + 1), true);
      start = end + 1;
    }
    if (start < chunk.length) this.take(chunk.subarray(start), false);
  }

  /** The number of bytes read. */
  end(): number {
    this.flush(true);
    return this.offset;
  }

  private take(piece: Uint8Array, isEnd: boolean): void {
    if (isEnd && this.heldSize === 0) {
      this.emit(piece, true);
      return;
    }
    this.held.push(piece.slice());
    this.heldSize += piece.length;
    if (isEnd) this.flush(true);
    else if (this.heldSize >= LONGEST_LINE) this.flush(false);
  }

  private flush(isEnd: boolean): void {
    if (this.heldSize === 0) return;
    const line = joinBytes(this.held);
    this.held = [];
    this.heldSize = 0;
    this.emit(line, isEnd);
  }

  private emit(line: Uint8Array, isEnd: boolean): void {
    this.onLine(line, this.offset, isEnd && !this.isInside);
    this.offset += line.length;
    this.isInside = !isEnd;
  }
}

/** The last line break before a line that begins with a hyphen, or before one that is not complete. */
function lastOfRun(chunk: Uint8Array, from: number): number {
  let end = from;
  while (chunk[end + 1] !== HYPHEN) {
    const next = chunk.indexOf(0x0a, end + 1);
    if (next < 0) break;
    end = next;
  }
  return end;
}
