import { joinBytes, toBytes } from "../encoding.ts";
import { crc32 } from "./crc32.ts";
import {
  CENTRAL_BYTES,
  DEFLATED,
  END_BYTES,
  END64_BYTES,
  LOCAL_BYTES,
  LOCATOR64_BYTES,
  MAX_16,
  MAX_32,
  SIGNATURES,
  STORED,
  UTF8_FLAG,
  ZIP64_FIELD,
  type ZipEntry,
} from "./format.ts";

/** Written by a program of version 4.5 on Unix: an ordinary file that its owner may change. */
const MADE_BY = (3 << 8) | 45;
const FILE_MODE = 0o100644 * 0x10000;

/** The header before the bytes of an entry. */
export function localHeader(entry: Omit<ZipEntry, "offset">, modified: Date): Uint8Array<ArrayBuffer> {
  const name = toBytes(entry.name);
  const bytes = new Uint8Array(LOCAL_BYTES + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, SIGNATURES.local, true);
  writeCommon(view, 4, entry, name.length, modified);
  bytes.set(name, LOCAL_BYTES);
  return bytes;
}

/** The record of an entry in the directory at the end of the archive. */
export function centralRecord(entry: ZipEntry, modified: Date): Uint8Array<ArrayBuffer> {
  const name = toBytes(entry.name);
  const isFar = entry.offset >= MAX_32;
  const bytes = new Uint8Array(CENTRAL_BYTES + name.length + (isFar ? 12 : 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, SIGNATURES.central, true);
  view.setUint16(4, MADE_BY, true);
  writeCommon(view, 6, entry, name.length, modified, isFar);
  view.setUint16(30, isFar ? 12 : 0, true);
  view.setUint32(38, FILE_MODE, true);
  view.setUint32(42, Math.min(entry.offset, MAX_32), true);
  bytes.set(name, CENTRAL_BYTES);
  if (isFar) {
    view.setUint16(CENTRAL_BYTES + name.length, ZIP64_FIELD, true);
    view.setUint16(CENTRAL_BYTES + name.length + 2, 8, true);
    view.setBigUint64(CENTRAL_BYTES + name.length + 4, BigInt(entry.offset), true);
  }
  return bytes;
}

/** The fields that a local header and a record of the directory have in common. */
function writeCommon(
  view: DataView,
  at: number,
  { method, crc, packed, size }: Omit<ZipEntry, "offset">,
  nameLength: number,
  modified: Date,
  isFar = false,
): void {
  view.setUint16(at, isFar ? 45 : 20, true);
  view.setUint16(at + 2, UTF8_FLAG, true);
  view.setUint16(at + 4, method, true);
  view.setUint32(at + 6, dosTime(modified), true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, packed, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, nameLength, true);
}

/** Date and time as MS-DOS had them: from 1980, in steps of two seconds. */
function dosTime(at: Date): number {
  const year = Math.min(Math.max(at.getUTCFullYear() - 1980, 0), 127);
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}

/** The end record of the archive, with the place of its directory. */
export function endRecords(directory: { entries: number; offset: number; size: number }): Uint8Array<ArrayBuffer> {
  const { entries, offset, size } = directory;
  const isLarge = entries >= MAX_16 || offset >= MAX_32 || size >= MAX_32;
  const bytes = new Uint8Array(END_BYTES + (isLarge ? END64_BYTES + LOCATOR64_BYTES : 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  if (isLarge) {
    view.setUint32(0, SIGNATURES.end64, true);
    view.setBigUint64(4, BigInt(END64_BYTES - 12), true);
    view.setUint16(12, MADE_BY, true);
    view.setUint16(14, 45, true);
    view.setBigUint64(24, BigInt(entries), true);
    view.setBigUint64(32, BigInt(entries), true);
    view.setBigUint64(40, BigInt(size), true);
    view.setBigUint64(48, BigInt(offset), true);
    view.setUint32(END64_BYTES, SIGNATURES.locator64, true);
    view.setBigUint64(END64_BYTES + 8, BigInt(offset + size), true);
    view.setUint32(END64_BYTES + 16, 1, true);
    at = END64_BYTES + LOCATOR64_BYTES;
  }
  view.setUint32(at, SIGNATURES.end, true);
  view.setUint16(at + 8, Math.min(entries, MAX_16), true);
  view.setUint16(at + 10, Math.min(entries, MAX_16), true);
  view.setUint32(at + 12, Math.min(size, MAX_32), true);
  view.setUint32(at + 16, Math.min(offset, MAX_32), true);
  return bytes;
}

/** An entry that is held in memory: deflated, unless that makes it longer. */
export async function packEntry(
  name: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<{ entry: Omit<ZipEntry, "offset">; packed: Uint8Array<ArrayBuffer> }> {
  const deflated = await deflate(content);
  const isShorter = deflated.length < content.length;
  const packed = isShorter ? deflated : content;
  const method = isShorter ? DEFLATED : STORED;
  return { entry: { name, method, crc: crc32(content), packed: packed.length, size: content.length }, packed };
}

async function deflate(content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return joinBytes(chunks);
}
