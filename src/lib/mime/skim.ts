import { ByteBuffer } from "./byte-buffer.ts";
import { headerText, type PartHeaders, readPartHeaders } from "./headers.ts";
import { LineReader } from "./lines.ts";
import { PartMeter } from "./part-meter.ts";
import {
  type FilePart,
  isShownAsText,
  type Multipart,
  mayBeCalendar,
  type SkimmedMessage,
  type TextPart,
} from "./skimmed.ts";
import { transferEncodingOf } from "./transfer-encoding.ts";

/*
 * Reads a message as it streams by and keeps only what is needed of it: headers and texts. Of everything else it notes
 * where it is: the message itself goes to the file store, and an attachment is later read from there. It follows the
 * structure of the message line by line, and accepts whatever real messages contain: missing or repeated boundaries,
 * missing blank lines, bare line feeds.
 */

const MAX_DEPTH = 100;
/** Each of them takes time, however small it is. What follows is not read; the message is stored whole all the same. */
const MAX_PARTS = 5000;
/** Of one text, and of all texts of a message. */
const TEXT_BYTES = 1_000_000;
const ALL_TEXT_BYTES = 3_000_000;
/** Of one part, and of all parts of a message. What is beyond is not read; the message is stored whole all the same. */
const HEADER_BYTES = 500_000;
const ALL_HEADER_BYTES = 2_000_000;
const CALENDAR_BYTES = 1_000_000;
const LOOSE_BYTES = 300_000;
const START_BYTES = 100_000;
/** A longer line is no boundary. */
const LONGEST_BOUNDARY = 2000;

interface OpenMultipart {
  boundary: string;
  subtype: string;
  isRelated: boolean;
  isDigest: boolean;
  children: (Multipart | TextPart)[];
  hasParts: boolean;
  preamble: ByteBuffer;
}

interface OpenLeaf {
  headers: PartHeaders;
  meter: PartMeter;
  isText: boolean;
}

const HEADER_LINE = /^[!-9;-~]+[ \t]*:/;

export class MessageSkim {
  private readonly lines = new LineReader(
    (line, offset, isWhole) => this.takeLine(line, offset, isWhole),
    () => this.header === null,
  );
  private readonly open: OpenMultipart[] = [];
  /** How deep the innermost multipart with a boundary is. */
  private readonly depths = new Map<string, number>();
  private readonly texts: (Multipart | TextPart)[] = [];
  private readonly files: FilePart[] = [];
  private readonly loose = new ByteBuffer();
  private readonly startBytes = new ByteBuffer();
  private looseSize = 0;
  private textSize = 0;
  private isBroken = false;
  private isCut = false;
  private parts = 0;
  /** The header lines of the part that begins, and null in a body. */
  private header: ByteBuffer | null = new ByteBuffer();
  private allHeaderSize = 0;
  /** A line of the header that looks like none; the next one tells whether the body has begun without a blank line. */
  private odd: { line: Uint8Array; offset: number }[] = [];
  private rootHeader: Uint8Array | null = null;
  private root: PartHeaders = readPartHeaders("");
  private leaf: OpenLeaf | null = null;

  push(chunk: Uint8Array): void {
    this.startBytes.add(chunk.subarray(0, START_BYTES - this.startBytes.size));
    this.lines.push(chunk);
  }

  end(): SkimmedMessage {
    const size = this.lines.end();
    if (this.header) {
      // The message ends within a header.
      const odd = this.odd;
      this.odd = [];
      this.beginBody(odd[0]?.offset ?? size);
      for (const { line, offset } of odd) this.takeBody(line, offset);
    }
    this.leaf?.meter.finish(size);
    this.closeLeaf();
    if (this.open.length > 0) this.isBroken = true;
    while (this.open.length > 0) this.closeInnermost();
    return {
      header: this.rootHeader ?? new Uint8Array(),
      root: this.root,
      texts: this.texts,
      files: this.files,
      loose: this.loose.taken(),
      start: this.startBytes.taken(),
      isBroken: this.isBroken,
      isCut: this.isCut,
    };
  }

  /** A line with its line break. `isWhole` is false for a piece of a line that is too long to be a boundary. */
  private takeLine(line: Uint8Array, offset: number, isWhole: boolean): void {
    if (this.parts > MAX_PARTS) return;
    if (isWhole && line[0] === 0x2d && line[1] === 0x2d && this.open.length > 0 && this.isBoundary(line)) return;
    if (this.header) this.takeHeader(line, offset);
    else this.takeBody(line, offset);
  }

  private isBoundary(line: Uint8Array): boolean {
    if (line.length > LONGEST_BOUNDARY) return false;
    const text = latin1(line).trimEnd().slice(2);
    const at = Math.max(
      this.depths.get(text) ?? -1,
      text.endsWith("--") ? (this.depths.get(text.slice(0, -2)) ?? -1) : -1,
    );
    const multipart = this.open[at];
    if (!multipart) return false;
    const isEnd = multipart.boundary !== text;
    if (this.header) this.endHeaderAtBoundary();
    this.closeLeaf();
    if (this.open.length > at + 1) this.isBroken = true;
    while (this.open.length > at + 1) this.closeInnermost();
    if (isEnd) this.closeInnermost();
    else if (++this.parts > MAX_PARTS) this.isCut = true;
    else {
      multipart.hasParts = true;
      multipart.preamble = new ByteBuffer();
      this.header = new ByteBuffer();
      this.odd = [];
    }
    return true;
  }

  /** A part of headers only, or one whose body began without a blank line. */
  private endHeaderAtBoundary(): void {
    const odd = this.odd;
    this.odd = [];
    const start = odd[0];
    if (!start) {
      this.header = null;
      return;
    }
    this.beginBody(start.offset);
    for (const { line, offset } of odd) this.takeBody(line, offset);
  }

  private takeHeader(line: Uint8Array, offset: number): void {
    const header = this.header ?? new ByteBuffer();
    const isBlank = contentLength(line) === 0;
    const looksRight = !isBlank && HEADER_LINE.test(latin1(line.subarray(0, 200)));
    if (this.odd.length > 0 && !looksRight) {
      // The body has begun with the odd line.
      const odd = [...this.odd, { line: line.slice(), offset }];
      this.odd = [];
      this.beginBody(odd[0]?.offset ?? offset);
      for (const each of odd) this.takeBody(each.line, each.offset);
      return;
    }
    for (const odd of this.odd) this.keepHeader(header, odd.line);
    this.odd = [];
    if (isBlank) this.beginBody(offset + line.length);
    else if (looksRight || (header.size > 0 && (line[0] === 0x20 || line[0] === 0x09))) this.keepHeader(header, line);
    // The line that mailboxes begin a message with.
    else if (header.size === 0 && /^>?From /.test(latin1(line.subarray(0, 6)))) return;
    else this.odd.push({ line: line.slice(), offset });
  }

  private keepHeader(header: ByteBuffer, line: Uint8Array): void {
    this.allHeaderSize += line.length;
    if (header.size + line.length <= HEADER_BYTES && this.allHeaderSize <= ALL_HEADER_BYTES) header.add(line);
    else this.isCut = true;
  }

  private beginBody(offset: number): void {
    const block = this.header?.taken() ?? new Uint8Array();
    this.header = null;
    const headers = readPartHeaders(headerText(block));
    // The parts of a digest are messages by default.
    if (headers.type.value === "" && this.open.at(-1)?.isDigest) headers.type.value = "message/rfc822";
    if (this.rootHeader === null) {
      this.rootHeader = block;
      this.root = headers;
    }
    const parent = this.open.at(-1);
    const isMultipart = headers.type.value.startsWith("multipart/");
    if (isMultipart && this.open.length < MAX_DEPTH) {
      const subtype = headers.type.value.slice("multipart/".length);
      // Without one, nothing is a part: all of it is text that belongs nowhere.
      const boundary = headers.type.params.get("boundary")?.trimEnd() || crypto.randomUUID();
      this.depths.set(boundary, this.open.length);
      this.open.push({
        boundary,
        subtype,
        isRelated: subtype === "related" || parent?.isRelated === true,
        isDigest: subtype === "digest",
        children: [],
        hasParts: false,
        preamble: new ByteBuffer(),
      });
      return;
    }
    if (isMultipart) this.isBroken = true;
    const isText = !isMultipart && isShownAsText(headers);
    const kept = isText
      ? Math.max(0, Math.min(TEXT_BYTES, ALL_TEXT_BYTES - this.textSize))
      : mayBeCalendar(headers)
        ? CALENDAR_BYTES
        : 0;
    const encoding = isMultipart ? "binary" : transferEncodingOf(headers.transferEncoding);
    this.leaf = { headers, isText, meter: new PartMeter(offset, encoding, kept) };
  }

  private takeBody(line: Uint8Array, offset: number): void {
    if (this.leaf) {
      this.leaf.meter.take(line, offset);
      return;
    }
    const multipart = this.open.at(-1);
    // After its last part, or after the end of the outermost one, nothing belongs to the message.
    if (!multipart || multipart.hasParts || this.looseSize > LOOSE_BYTES) return;
    this.looseSize += line.length;
    multipart.preamble.add(line);
  }

  private closeLeaf(): void {
    const leaf = this.leaf;
    this.leaf = null;
    if (!leaf) return;
    const { headers, isText, meter } = leaf;
    const parent = this.open.at(-1);
    if (isText) {
      this.textSize += meter.kept.length;
      const text: TextPart = { kind: "text", headers, encoding: meter.encoding, bytes: meter.kept, isCut: meter.isCut };
      (parent?.children ?? this.texts).push(text);
      if (!meter.isCut) return;
    }
    this.files.push({
      headers,
      offset: meter.offset,
      length: meter.length,
      encoding: meter.encoding,
      size: meter.size,
      isRelated: parent?.isRelated === true,
      start: isText || meter.kept.length === 0 ? null : meter.kept,
      ...(isText && { isLongText: true }),
    });
  }

  private closeInnermost(): void {
    const multipart = this.open.pop();
    if (!multipart) return;
    const { boundary, subtype, children } = multipart;
    // Some programs give several the same one.
    const outer = this.open.findLastIndex((each) => each.boundary === boundary);
    if (outer >= 0) this.depths.set(boundary, outer);
    else this.depths.delete(boundary);
    if (!multipart.hasParts) this.loose.add(multipart.preamble.taken());
    if (children.length > 0) {
      const siblings = this.open.at(-1)?.children ?? this.texts;
      siblings.push({ kind: "multipart", subtype, children });
    }
  }
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** Without the line break. */
function contentLength(line: Uint8Array): number {
  let { length } = line;
  if (line[length - 1] === 0x0a) length--;
  if (line[length - 1] === 0x0d) length--;
  return length;
}
