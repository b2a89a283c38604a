import type { TransferEncoding } from "../attachments.ts";
import { ByteBuffer } from "./byte-buffer.ts";
import { Base64Meter, decoderOf } from "./transfer-encoding.ts";

/** Measures the body of a part as its lines come by, and keeps its beginning. */
export class PartMeter {
  private readonly base64 = new Base64Meter();
  private readonly quoted = decoderOf("quoted-printable");
  private quotedSize = 0;
  private readonly start = new ByteBuffer();
  /** The last line break: it belongs to the boundary, if that comes next. */
  private lineBreak = new Uint8Array();
  private end: number;
  private hasMore = false;

  readonly offset: number;
  readonly encoding: TransferEncoding;
  private readonly most: number;

  /** `most`: how many bytes are kept. */
  constructor(offset: number, encoding: TransferEncoding, most: number) {
    this.offset = offset;
    this.encoding = encoding;
    this.most = most;
    this.end = offset;
  }

  take(line: Uint8Array, offset: number): void {
    const breakAt = line.length - lineBreakLength(line);
    this.add(this.lineBreak);
    this.add(line.subarray(0, breakAt));
    this.lineBreak = line.slice(breakAt);
    this.end = offset + breakAt;
  }

  /** The message ends here: nothing but the part can own its last line break. */
  finish(size: number): void {
    this.add(this.lineBreak);
    this.lineBreak = new Uint8Array();
    this.end = Math.max(this.end, size);
  }

  private add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.encoding === "base64") this.base64.push(bytes);
    else if (this.encoding === "quoted-printable") this.quotedSize += this.quoted.push(bytes).length;
    if (this.start.size >= this.most) this.hasMore = true;
    else this.start.add(bytes);
  }

  get length(): number {
    return this.end - this.offset;
  }

  get size(): number {
    if (this.encoding === "base64") return this.base64.size;
    return this.encoding === "quoted-printable" ? this.quotedSize + this.quoted.end().length : this.length;
  }

  get kept(): Uint8Array {
    return this.start.taken();
  }

  /** Whether there was more than is kept. */
  get isCut(): boolean {
    return this.hasMore;
  }
}

function lineBreakLength(line: Uint8Array): number {
  if (line.at(-1) !== 0x0a) return 0;
  return line.at(-2) === 0x0d ? 2 : 1;
}
