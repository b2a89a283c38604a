import type { Context } from "../../../context.ts";
import type { ArchivedTable, Row } from "../../../db/archive.ts";
import { fromBytes } from "../../../lib/encoding.ts";
import { letOthersIn } from "../../../lib/let-others-in.ts";
import { ArchiveError, CENTRAL_BYTES, type ZipEntry } from "../../../lib/zip/format.ts";
import { type ArchiveSource, type Directory, readEnd, readEntry, readRecords } from "../../../lib/zip/read.ts";
import { readObject } from "../../files/objects.ts";
import { FORMAT_VERSION, fileName, MANIFEST_NAME, Manifest, placeOf, README_NAME } from "./format.ts";

/** A part of an archive: an entry with records, and before it the files that these refer to. */
export interface Part {
  section: string;
  part: number;
  records: ZipEntry;
  /** By their name in the archive. */
  files: Map<string, ZipEntry>;
  /** Where in the directory the next part begins. */
  next: number;
}

const WINDOW_BYTES = 256 * 1024;
const MAX_RECORD_BYTES = 65_535 * 3 + CENTRAL_BYTES;
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** An export writes parts of at most 4 MB of text, and as JSON a text can get longer. */
const MAX_PART_BYTES = 32 * 1024 * 1024;
/** The largest email is 25 MB. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** A body and HTML of 2.4 MB, as JSON. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_FILES_A_PART = 10_000;

const REPACKED =
  "Upload the archive exactly as it was downloaded: one that was unpacked and packed again cannot be imported.";

/** An archive in R2. */
export class ArchiveReader {
  readonly source: ArchiveSource;
  readonly directory: Directory;
  readonly manifest: Manifest;

  private constructor(source: ArchiveSource, directory: Directory, manifest: Manifest) {
    this.source = source;
    this.directory = directory;
    this.manifest = manifest;
  }

  /** Throws an `ArchiveError` if it is none of ours. */
  static async open(ctx: Context, key: string, size: number): Promise<ArchiveReader> {
    const source = sourceOf(ctx, key, size);
    const directory = await readEnd(source);
    return new ArchiveReader(source, directory, await readManifest(source, directory));
  }

  /** The parts from a place of the directory on. */
  async *parts(from: number): AsyncGenerator<Part> {
    let files = new Map<string, ZipEntry>();
    const once = new Set([README_NAME, MANIFEST_NAME]);
    let end = 0;
    for await (const { entry, next } of this.#entries(from)) {
      if (entry.offset < end) throw new ArchiveError(`${entry.name} overlaps another entry.`);
      end = entry.offset + entry.packed;
      if (once.delete(entry.name)) continue;
      const place = placeOf(entry.name);
      if (!place) throw new ArchiveError(`${entry.name.slice(0, 100)} is not part of an archive. ${REPACKED}`);
      if (entry.size > (place.file ? MAX_FILE_BYTES : MAX_PART_BYTES)) {
        throw new ArchiveError(`${entry.name} is too large.`);
      }
      const folder = fileName(place.section, place.part, "");
      const [first] = files.keys();
      if (first !== undefined && !first.startsWith(folder))
        throw new ArchiveError(`${entry.name} is out of order. ${REPACKED}`);
      if (place.file) {
        if (files.has(entry.name)) throw new ArchiveError(`${entry.name} is there twice.`);
        files.set(entry.name, entry);
        if (files.size > MAX_FILES_A_PART) throw new ArchiveError("A part of the archive has too many files.");
      } else {
        if (entry.size === 0) throw new ArchiveError(`${entry.name} is empty.`);
        await letOthersIn();
        yield { section: place.section, part: place.part, records: entry, files, next };
        files = new Map();
      }
    }
    if (files.size > 0) throw new ArchiveError(`The archive has files that no record refers to. ${REPACKED}`);
  }

  async *#entries(from: number): AsyncGenerator<{ entry: ZipEntry; next: number }> {
    const { offset, size } = this.directory;
    for (let at = from; at < size; ) {
      const length = Math.min(size - at, WINDOW_BYTES + MAX_RECORD_BYTES);
      const { entries, ends, used } = readRecords(await this.source.read(offset + at, length));
      await letOthersIn();
      if (used === 0) throw new ArchiveError("The directory of the archive is damaged. Upload it again.");
      for (const [index, entry] of entries.entries()) yield { entry, next: at + (ends[index] ?? used) };
      at += used;
    }
  }

  /** The lines of a part. */
  async text({ records }: Part): Promise<string> {
    return textOf(await readEntry(this.source, records, MAX_PART_BYTES), records.name);
  }

  /** The document of a row, and its size; null for a row without one. */
  async document(
    { files }: Part,
    { document }: ArchivedTable,
    row: Row,
  ): Promise<{ value: unknown; size: number } | null> {
    const entry = files.get(document?.keyOf(row) ?? "");
    if (!document || !entry) return null;
    const { name, size } = entry;
    if (size > MAX_DOCUMENT_BYTES) throw new ArchiveError(`${name} is too large.`);
    const { success, data } = document.shape.safeParse(
      parseJson(await readEntry(this.source, entry, MAX_DOCUMENT_BYTES), name),
    );
    if (!success) throw new ArchiveError(`${name} has a value that the service never writes.`);
    return { value: data, size };
  }
}

function textOf(bytes: Uint8Array, name: string): string {
  try {
    return fromBytes(bytes);
  } catch {
    throw new ArchiveError(`${name} is not UTF-8.`);
  }
}

/** It is the last entry, so its record is the last of the directory. */
async function readManifest(source: ArchiveSource, { offset, size }: Directory): Promise<Manifest> {
  const none = new ArchiveError(`The file is not an archive of this service: it has no ${MANIFEST_NAME}. ${REPACKED}`);
  const shortest = CENTRAL_BYTES + MANIFEST_NAME.length;
  // With or without the field for a place beyond 4 GB.
  for (const length of [shortest, shortest + 12]) {
    if (length > size) throw none;
    const entry = lastEntry(await source.read(offset + size - length, length));
    if (entry?.name === MANIFEST_NAME) return parseManifest(await readEntry(source, entry, MAX_MANIFEST_BYTES));
  }
  throw none;
}

function lastEntry(bytes: Uint8Array<ArrayBuffer>): ZipEntry | null {
  try {
    return readRecords(bytes).entries[0] ?? null;
  } catch {
    return null;
  }
}

function parseJson(bytes: Uint8Array, name: string): unknown {
  const text = textOf(bytes, name);
  try {
    return JSON.parse(text);
  } catch {
    throw new ArchiveError(`${name} is not JSON.`);
  }
}

function parseManifest(bytes: Uint8Array): Manifest {
  const given = parseJson(bytes, MANIFEST_NAME);
  const { success, data } = Manifest.safeParse(given);
  const version = typeof given === "object" && given !== null && "version" in given ? Number(given.version) : 0;
  if (version > FORMAT_VERSION) {
    throw new ArchiveError("The archive was made by a newer version of the service. Update this one first.");
  }
  if (!success) throw new ArchiveError(`${MANIFEST_NAME} is not that of an archive of this service.`);
  return data;
}

function sourceOf(ctx: Context, key: string, size: number): ArchiveSource {
  const open = async (offset: number, length: number) => {
    const object = await readObject(ctx, key, { offset, length });
    if (!object) throw new ArchiveError("The uploaded archive is gone. Upload it again.");
    return object;
  };
  return {
    size,
    read: async (offset, length) => new Uint8Array(await (await open(offset, length)).arrayBuffer()),
    stream: async (offset, length) => (await open(offset, length)).body,
  };
}
