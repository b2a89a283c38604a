import type { Context } from "../../../context.ts";
import { joinBytes } from "../../../lib/encoding.ts";
import { crc32 } from "../../../lib/zip/crc32.ts";
import { STORED, type ZipEntry } from "../../../lib/zip/format.ts";
import { centralRecord, endRecords, localHeader, packEntry } from "../../../lib/zip/write.ts";
import { readObject, writeObject } from "../../files/objects.ts";

/*
 * Writes a ZIP archive to R2 in several invocations. R2 takes it in parts of equal size; what does not fill a part, and the
 * directory that ends the archive, wait in objects of their own between two slices.
 */

/** R2 allows 5 MiB to 5 GiB, and 10,000 parts: up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Larger objects are copied as a stream, and read twice: their checksum stands before them. */
const MAX_PACKED_BYTES = 4 * 1024 * 1024;

interface Piece {
  key: string;
  size: number;
}

/** What is stored between two slices. */
export interface WriterState {
  uploadId: string;
  /** The ETags of the parts that R2 has, in their order. */
  parts: string[];
  /** Bytes of the archive so far. */
  offset: number;
  entries: number;
  tail: Piece | null;
  directory: Piece[];
}

interface Fetched {
  key: string;
  size: number;
  /** Null for a large object, which is copied as a stream. */
  bytes: Uint8Array<ArrayBuffer> | null;
}

export async function startArchive(ctx: Context, key: string): Promise<WriterState> {
  const { uploadId } = await ctx.config.bindings.FILES.createMultipartUpload(key, {
    httpMetadata: { contentType: "application/zip" },
  });
  return { uploadId, parts: [], offset: 0, entries: 0, tail: null, directory: [] };
}

export class ArchiveWriter {
  readonly #ctx: Context;
  readonly #key: string;
  readonly #modified: Date;
  readonly #state: WriterState;
  /** What is not yet uploaded. */
  #pending: Uint8Array[] = [];
  #pendingSize = 0;
  #directory: Uint8Array[] = [];
  /** Bytes that this slice has added. */
  written = 0;

  private constructor(ctx: Context, key: string, modified: Date, state: WriterState) {
    this.#ctx = ctx;
    this.#key = key;
    this.#modified = modified;
    this.#state = { ...state, parts: [...state.parts], directory: [...state.directory] };
  }

  static async open(ctx: Context, key: string, modified: Date, state: WriterState): Promise<ArchiveWriter> {
    const writer = new ArchiveWriter(ctx, key, modified, state);
    if (state.tail) {
      writer.#pending = [await readPiece(ctx, state.tail)];
      writer.#pendingSize = state.tail.size;
    }
    return writer;
  }

  async add(name: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
    const { entry, packed } = await packEntry(name, content);
    await this.#begin(entry);
    await this.#append(packed);
  }

  /** Reads an object, unless it is large: then it is only looked for. Null if it does not exist. */
  async fetch(key: string): Promise<Fetched | null> {
    const object = await readObject(this.#ctx, key);
    if (!object) return null;
    const { size } = object;
    if (size <= MAX_PACKED_BYTES) return { key, size, bytes: new Uint8Array(await object.arrayBuffer()) };
    await object.body.cancel();
    return { key, size, bytes: null };
  }

  /** Adds an object. Returns false if it was deleted meanwhile. */
  async addFetched(name: string, { key, size, bytes }: Fetched): Promise<boolean> {
    if (bytes) {
      await this.add(name, bytes);
      return true;
    }
    let crc = 0;
    for await (const chunk of (await readObject(this.#ctx, key))?.body ?? []) crc = crc32(chunk, crc);
    const object = await readObject(this.#ctx, key);
    if (!object) return false;
    await this.#begin({ name, method: STORED, crc, packed: size, size });
    for await (const chunk of object.body) await this.#append(chunk);
    return true;
  }

  async #begin(entry: Omit<ZipEntry, "offset">): Promise<void> {
    this.#directory.push(centralRecord({ ...entry, offset: this.#state.offset }, this.#modified));
    this.#state.entries += 1;
    await this.#append(localHeader(entry, this.#modified));
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#pending.push(bytes);
    this.#pendingSize += bytes.length;
    this.#state.offset += bytes.length;
    this.written += bytes.length;
    if (this.#pendingSize < PART_BYTES) return;
    const joined = joinBytes(this.#pending);
    let at = 0;
    for (; joined.length - at >= PART_BYTES; at += PART_BYTES) await this.#upload(joined.subarray(at, at + PART_BYTES));
    this.#pending = [joined.slice(at)];
    this.#pendingSize = joined.length - at;
  }

  async #upload(bytes: Uint8Array): Promise<void> {
    const upload = this.#ctx.config.bindings.FILES.resumeMultipartUpload(this.#key, this.#state.uploadId);
    const { etag } = await upload.uploadPart(this.#state.parts.length + 1, bytes);
    this.#state.parts.push(etag);
  }

  /** Puts away what the next slice needs, under the names that were announced for this one. */
  async pause(slice: number): Promise<WriterState> {
    const [tail, directory] = ["tail", "index"].map((name) => `${this.#key}.${slice}.${name}`);
    if (this.#directory.length > 0 && directory) {
      this.#state.directory.push(await writePiece(this.#ctx, directory, joinBytes(this.#directory)));
      this.#directory = [];
    }
    const pending = joinBytes(this.#pending);
    this.#state.tail = pending.length > 0 && tail ? await writePiece(this.#ctx, tail, pending) : null;
    return this.#state;
  }

  /** Ends the archive. Returns its size. */
  async finish(): Promise<number> {
    const { offset, entries } = this.#state;
    for (const piece of this.#state.directory) await this.#append(await readPiece(this.#ctx, piece));
    await this.#append(joinBytes(this.#directory));
    await this.#append(endRecords({ entries, offset, size: this.#state.offset - offset }));
    if (this.#pendingSize > 0) await this.#upload(joinBytes(this.#pending));
    const upload = this.#ctx.config.bindings.FILES.resumeMultipartUpload(this.#key, this.#state.uploadId);
    await upload.complete(this.#state.parts.map((etag, index) => ({ partNumber: index + 1, etag })));
    return this.#state.offset;
  }
}

async function readPiece(ctx: Context, { key, size }: Piece): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await (await readObject(ctx, key))?.arrayBuffer();
  if (bytes?.byteLength !== size) throw new Error("a piece of the archive is gone");
  return new Uint8Array(bytes);
}

async function writePiece(ctx: Context, key: string, bytes: Uint8Array<ArrayBuffer>): Promise<Piece> {
  await writeObject(ctx, key, bytes);
  return { key, size: bytes.length };
}
