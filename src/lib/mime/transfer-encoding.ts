import type { TransferEncoding } from "../attachments.ts";
import { withoutComments } from "./comments.ts";

/** Decodes the bytes of a part as they come. Rubbish between them is left out or kept as it is; nothing is refused. */
interface TransferDecoder {
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  end(): Uint8Array<ArrayBuffer>;
}

/** The value of a Content-Transfer-Encoding header. Unknown encodings are read as they are. */
export function transferEncodingOf(header: string): TransferEncoding {
  const name = /[\w-]+/.exec(withoutComments(header))?.[0]?.toLowerCase() ?? "";
  return name === "base64" || name === "quoted-printable" ? name : "binary";
}

export function decoderOf(encoding: TransferEncoding): TransferDecoder {
  if (encoding === "base64") return new Base64Decoder();
  if (encoding === "quoted-printable") return new QuotedPrintableDecoder();
  return { push: (bytes) => bytes.slice(), end: () => new Uint8Array() };
}

/** Decodes a stream as it is read. */
export function decodedStream(encoding: TransferEncoding): TransformStream<Uint8Array, Uint8Array> {
  const decoder = decoderOf(encoding);
  return new TransformStream({
    transform: (bytes, controller) => controller.enqueue(decoder.push(bytes)),
    flush: (controller) => controller.enqueue(decoder.end()),
  });
}

export function decodeBytes(bytes: Uint8Array, encoding: TransferEncoding): Uint8Array<ArrayBuffer> {
  const decoder = decoderOf(encoding);
  const start = decoder.push(bytes);
  const rest = decoder.end();
  const whole = new Uint8Array(start.length + rest.length);
  whole.set(start);
  whole.set(rest, start.length);
  return whole;
}

const PADDING = 0x3d;
const NO_DIGIT = 64;
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, character] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()) {
  DIGITS[character.charCodeAt(0)] = value;
}

/** Padding ends a group wherever it stands: some programs write several encodings one after the other. */
class Base64Decoder implements TransferDecoder {
  private bits = 0;
  private digits = 0;

  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(Math.ceil((bytes.length + 4) / 4) * 3);
    let size = 0;
    let { bits, digits } = this;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const digit = DIGITS[byte] ?? NO_DIGIT;
      if (digit !== NO_DIGIT) {
        bits = (bits << 6) | digit;
        digits++;
        if (digits === 4) {
          out[size++] = bits >> 16;
          out[size++] = bits >> 8;
          out[size++] = bits;
          bits = 0;
          digits = 0;
        }
      } else if (byte === PADDING) {
        if (digits >= 2) out[size++] = bits >> (digits === 2 ? 4 : 10);
        if (digits === 3) out[size++] = bits >> 2;
        bits = 0;
        digits = 0;
      }
    }
    this.bits = bits;
    this.digits = digits;
    return out.subarray(0, size);
  }

  end(): Uint8Array<ArrayBuffer> {
    return this.push(Uint8Array.of(PADDING));
  }
}

/** Counts what a base64 text decodes to, without decoding it. */
export class Base64Meter {
  private digits = 0;
  private bytes = 0;

  push(bytes: Uint8Array): void {
    let { digits, bytes: size } = this;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if ((DIGITS[byte] ?? NO_DIGIT) !== NO_DIGIT) {
        digits++;
        if (digits === 4) {
          size += 3;
          digits = 0;
        }
      } else if (byte === PADDING) {
        size += Math.max(digits - 1, 0);
        digits = 0;
      }
    }
    this.digits = digits;
    this.bytes = size;
  }

  get size(): number {
    return this.bytes + Math.max(this.digits - 1, 0);
  }
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

function hexValue(byte: number): number {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? -1 : value;
}

/** More spaces in a row are kept, wherever they stand. */
const MOST_PENDING = 1000;

/** Line breaks stay as they are. Spaces at the end of a line were added on the way; a wrong escape is kept. */
class QuotedPrintableDecoder implements TransferDecoder {
  /** Bytes that need the next one to be decoded: an escape, or spaces. */
  private pending: number[] = [];

  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const out: number[] = [];
    for (let at = 0; at < bytes.length; at++) this.take(bytes[at] ?? 0, out);
    return Uint8Array.from(out);
  }

  end(): Uint8Array<ArrayBuffer> {
    const [first] = this.pending;
    const rest = first === SPACE || first === TAB || this.pending.length === 1 ? [] : this.pending;
    this.pending = [];
    return Uint8Array.from(rest);
  }

  private take(byte: number, out: number[]): void {
    const [first, second] = this.pending;
    if (first === PADDING) this.takeEscaped(byte, second, out);
    else if (byte === SPACE || byte === TAB) {
      if (this.pending.length === MOST_PENDING) this.release(out);
      this.pending.push(byte);
    } else {
      // Spaces before a line break are dropped.
      if (byte !== CR && byte !== LF) this.release(out);
      this.pending = byte === PADDING ? [byte] : [];
      if (byte !== PADDING) out.push(byte);
    }
  }

  private takeEscaped(byte: number, second: number | undefined, out: number[]): void {
    // A soft line break: `=`, perhaps spaces, a line break.
    if (byte === LF) this.pending = [];
    else if (byte === CR || byte === SPACE || byte === TAB) {
      if (second !== undefined && hexValue(second) >= 0) this.giveUp(byte, out);
      else this.pending = [PADDING, CR];
    } else if (second === undefined) this.pending = [PADDING, byte];
    else if (hexValue(second) >= 0 && hexValue(byte) >= 0) {
      out.push(hexValue(second) * 16 + hexValue(byte));
      this.pending = [];
    } else if (second === CR) {
      this.pending = [];
      this.take(byte, out);
    } else this.giveUp(byte, out);
  }

  private giveUp(byte: number, out: number[]): void {
    this.release(out);
    this.take(byte, out);
  }

  private release(out: number[]): void {
    for (const byte of this.pending) out.push(byte);
    this.pending = [];
  }
}
