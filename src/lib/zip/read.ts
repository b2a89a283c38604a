import { byteStream } from "../byte-stream.ts";
import { fromBytes, joinBytes } from "../encoding.ts";
import { crc32 } from "./crc32.ts";
import {
  ArchiveError,
  CENTRAL_BYTES,
  DEFLATED,
  ENCRYPTED_FLAG,
  END_BYTES,
  END64_BYTES,
  LOCAL_BYTES,
  LOCATOR64_BYTES,
  MAX_16,
  MAX_32,
  MAX_COMMENT_BYTES,
  SIGNATURES,
  STORED,
  ZIP64_FIELD,
  type ZipEntry,
} from "./format.ts";

/** Where the bytes of an archive are. It is never read as a whole. */
export interface ArchiveSource {
  size: number;
  /** Exactly these bytes. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  stream(offset: number, length: number): Promise<ReadableStream<Uint8Array>>;
}

export interface Directory {
  entries: number;
  offset: number;
  size: number;
}

const CUT_OFF = "The archive is cut off or damaged: its directory is not where it should be. Upload it again.";

/** Finds the directory, which is at the end of the archive. */
export async function readEnd(source: ArchiveSource): Promise<Directory> {
  const length = Math.min(source.size, END_BYTES + LOCATOR64_BYTES + END64_BYTES + MAX_COMMENT_BYTES);
  if (length < END_BYTES) throw new ArchiveError("The file is too short to be a ZIP archive.");
  const tail = await source.read(source.size - length, length);
  const view = viewOf(tail);
  const at = findEnd(view);
  if (at === null) throw new ArchiveError("The file is not a ZIP archive, or it is cut off. Upload it again.");
  const directory = {
    entries: view.getUint16(at + 10, true),
    size: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
  };
  const isLarge = directory.entries === MAX_16 || directory.size === MAX_32 || directory.offset === MAX_32;
  const found = isLarge ? ((await readEnd64(source, view, at)) ?? directory) : directory;
  const end = source.size - length + at;
  if (found.offset + found.size > end || found.entries * CENTRAL_BYTES > found.size) throw new ArchiveError(CUT_OFF);
  return found;
}

/** A comment may stand after the record. It must reach exactly to the end of the file. */
function findEnd(view: DataView): number | null {
  for (let at = view.byteLength - END_BYTES; at >= 0; at--) {
    const isEnd = view.getUint32(at, true) === SIGNATURES.end;
    if (isEnd && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return null;
}

async function readEnd64(source: ArchiveSource, tail: DataView, end: number): Promise<Directory | null> {
  const locator = end - LOCATOR64_BYTES;
  if (locator < 0 || tail.getUint32(locator, true) !== SIGNATURES.locator64) return null;
  const at = numberOf(tail.getBigUint64(locator + 8, true));
  if (at + END64_BYTES > source.size) throw new ArchiveError(CUT_OFF);
  const view = viewOf(await source.read(at, END64_BYTES));
  if (view.getUint32(0, true) !== SIGNATURES.end64) throw new ArchiveError(CUT_OFF);
  return {
    entries: numberOf(view.getBigUint64(32, true)),
    size: numberOf(view.getBigUint64(40, true)),
    offset: numberOf(view.getBigUint64(48, true)),
  };
}

function numberOf(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ArchiveError(CUT_OFF);
  return Number(value);
}

interface Records {
  entries: ZipEntry[];
  /** Where each of them ends. */
  ends: number[];
  /** How many of the bytes they took. The rest is the beginning of a record that goes on. */
  used: number;
}

/** The records of the directory that are complete in these bytes. */
export function readRecords(bytes: Uint8Array<ArrayBuffer>): Records {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  const ends: number[] = [];
  let at = 0;
  while (at + CENTRAL_BYTES <= bytes.length) {
    if (view.getUint32(at, true) !== SIGNATURES.central) throw new ArchiveError(CUT_OFF);
    const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const end = extraEnd + view.getUint16(at + 32, true);
    if (end > bytes.length) break;
    const name = nameOf(bytes.subarray(at + CENTRAL_BYTES, nameEnd));
    if (view.getUint16(at + 8, true) & ENCRYPTED_FLAG) throw new ArchiveError(`${name} is encrypted.`);
    const sizes = {
      size: view.getUint32(at + 24, true),
      packed: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    };
    entries.push({
      name,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      ...withExtra(sizes, bytes.subarray(nameEnd, extraEnd)),
    });
    ends.push(end);
    at = end;
  }
  return { entries, ends, used: at };
}

/** A ZIP64 field has those of the three values that did not fit, in this order. */
function withExtra(sizes: Pick<ZipEntry, "size" | "packed" | "offset">, extra: Uint8Array) {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = view.getUint16(at + 2, true);
    const end = at + 4 + length;
    if (view.getUint16(at, true) === ZIP64_FIELD && end <= extra.length) {
      let value = at + 4;
      const next = (given: number) => {
        if (given !== MAX_32 || value + 8 > end) return given;
        value += 8;
        return numberOf(view.getBigUint64(value - 8, true));
      };
      return { size: next(sizes.size), packed: next(sizes.packed), offset: next(sizes.offset) };
    }
    at = end;
  }
  return sizes;
}

function nameOf(bytes: Uint8Array): string {
  try {
    return fromBytes(bytes);
  } catch {
    throw new ArchiveError("A name in the archive is not UTF-8.");
  }
}

/**
 * The content of an entry, inflated and checked as it is read: the stream fails if its length or its checksum is not what
 * the directory says, and it never gives more than that length.
 */
export async function openEntry(source: ArchiveSource, entry: ZipEntry): Promise<ReadableStream<Uint8Array>> {
  const { name, method, packed, offset } = entry;
  const damaged = () => new ArchiveError(`${name} is damaged. Upload the archive again.`);
  if (method !== STORED && method !== DEFLATED) throw new ArchiveError(`${name} is packed by an unknown method.`);
  if (offset + LOCAL_BYTES > source.size) throw damaged();
  const header = viewOf(await source.read(offset, LOCAL_BYTES));
  if (header.getUint32(0, true) !== SIGNATURES.local) throw damaged();
  const start = offset + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  // Deflate adds a few bytes a block at most. An entry with many more would be read for nothing.
  const isPlausible = method === STORED ? packed === entry.size : packed <= entry.size * 1.01 + 1024;
  if (start + packed > source.size || !isPlausible) throw damaged();
  if (packed === 0) return new Blob([]).stream().pipeThrough(checked(entry, damaged));
  const bytes = await source.stream(start, packed);
  const content = method === DEFLATED ? byteStream(inflated(bytes, entry.size, damaged)) : bytes;
  return content.pipeThrough(checked(entry, damaged));
}

/** Deflate makes at most 1,032 bytes of one, so what comes of a piece always fits into one read of 4 MB. */
const PIECE_BYTES = 4096;
const MOST_FROM_PIECE = 1032 * PIECE_BYTES;

/**
 * Inflates, and says so in our words if that fails. The runtime inflates all that it is given at once, whether or not anybody
 * reads it. So it is given a small piece at a time, and the next one only when what came of it was read and used.
 */
async function* inflated(bytes: ReadableStream<Uint8Array>, size: number, damaged: () => Error) {
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  const reader = readable.getReader({ mode: "byob" });
  const read = async (room: Uint8Array<ArrayBuffer>) => {
    try {
      return await reader.read(room);
    } catch {
      throw damaged();
    }
  };
  let next = read(new Uint8Array(Math.min(size, MOST_FROM_PIECE) + 1));
  try {
    for await (const piece of piecesOf(bytes)) {
      // A write that fails fails the read as well. If it ends first, nothing came of it, or that is read with the next piece.
      const found = await Promise.race([
        next,
        writer.write(piece).then(
          () => null,
          () => next,
        ),
      ]);
      if (!found?.value) continue;
      yield found.value.slice();
      next = read(new Uint8Array(found.value.buffer));
    }
    writer.close().catch(() => {});
    for (let last = await next; last.value?.length; last = await next) {
      yield last.value.slice();
      next = read(new Uint8Array(last.value.buffer));
    }
  } finally {
    next.catch(() => {});
    await Promise.allSettled([writer.abort(), reader.cancel()]);
  }
}

async function* piecesOf(bytes: ReadableStream<Uint8Array>) {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
  }
}

function checked({ size, crc }: ZipEntry, damaged: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  let sum = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.length;
      if (seen > size) throw damaged();
      sum = crc32(chunk, sum);
      controller.enqueue(chunk);
    },
    flush() {
      if (seen !== size || sum !== crc) throw damaged();
    },
  });
}

/** The whole content of an entry that may have at most `maxBytes`. */
export async function readEntry(source: ArchiveSource, entry: ZipEntry, maxBytes: number) {
  if (entry.size > maxBytes) throw new ArchiveError(`${entry.name} is larger than ${maxBytes} bytes.`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await openEntry(source, entry)) chunks.push(chunk);
  return joinBytes(chunks);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
