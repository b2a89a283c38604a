import { count } from "drizzle-orm";
import { VERSION } from "../../../config.ts";
import type { Account, Context } from "../../../context.ts";
import {
  type ArchivedFile,
  type ArchivedTable,
  hasNumericId,
  type Row,
  readRows,
  toLine,
} from "../../../db/archive.ts";
import type { PersonalData } from "../../../db/personal-data.ts";
import { assertType } from "../../../lib/cast.ts";
import { toBytes } from "../../../lib/encoding.ts";
import { discardFiles } from "../../files/service.ts";
import { findAccount } from "../../people/account.ts";
import type { Outcome, Runner, Slice } from "../../transfers/slices.ts";
import { sectionsOf } from "../export.ts";
import {
  chainDigest,
  FORMAT,
  FORMAT_VERSION,
  fileName,
  inArchiveOrder,
  isTable,
  MANIFEST_NAME,
  type Manifest,
  README_NAME,
  readmeText,
  recordsName,
  rowsAPart,
  type SectionSummary,
} from "./format.ts";
import { ArchiveWriter, startArchive, type WriterState } from "./writer.ts";

/** Where an export stands. */
interface Position {
  writer: WriterState;
  /** The section that is being written, and the row after which it goes on. */
  section: number;
  after: number;
  summaries: SectionSummary[];
  missingFiles: number;
}

/** What one slice adds at most: far below what an invocation may use. */
const SLICE_BYTES = 48 * 1024 * 1024;
const SLICE_FILES = 800;
const SLICE_MS = 45_000;
/** A Worker may have six open connections, and the database needs one. */
const READ_AHEAD = 4;

export const exportRunner: Runner = {
  async run(ctx, slice) {
    const person = await findAccount(ctx, slice.transfer.userId ?? 0);
    // The account is deleted together with its exports.
    if (!person) return null;
    return new Export(onBehalfOf(ctx, person), person, slice).run();
  },
  async undo(ctx, { transfer }) {
    const { fileKey, scratchKeys, position } = transfer;
    const uploadId = assertType<Position | null>(position)?.writer.uploadId;
    if (fileKey && uploadId) {
      // Already gone if it was completed or aborted before.
      await ctx.config.bindings.FILES.resumeMultipartUpload(fileKey, uploadId)
        .abort()
        .catch(() => {});
    }
    await discardFiles(ctx, [...scratchKeys, ...(fileKey ? [fileKey] : [])], "r2");
    return true;
  },
};

/** The context of work that a person has begun, and that goes on without them. */
export function onBehalfOf(ctx: Context, user: Account): Context {
  const session = { id: "", createdAt: ctx.now, expiresAt: ctx.now, provedAt: null };
  return { ...ctx, actor: { kind: "session", user, session } };
}

class Export {
  readonly #ctx: Context;
  readonly #person: Account;
  readonly #slice: Slice;
  readonly #key: string;
  readonly #sections: PersonalData[];
  readonly #startedAt = Date.now();
  #files = 0;
  #done: number;

  constructor(ctx: Context, person: Account, slice: Slice) {
    this.#ctx = ctx;
    this.#person = person;
    this.#slice = slice;
    this.#key = slice.transfer.fileKey ?? "";
    this.#sections = inArchiveOrder(sectionsOf(person));
    this.#done = slice.transfer.done;
  }

  async run(): Promise<Outcome | null> {
    const { createdAt, slice } = this.#slice.transfer;
    const position = assertType<Position | null>(this.#slice.transfer.position) ?? (await this.#begin());
    if (position.section === this.#sections.length) return this.#finish(position);
    const writer = await ArchiveWriter.open(this.#ctx, this.#key, createdAt, position.writer);
    if (position.writer.entries === 0) await writer.add(README_NAME, bytesOf(readmeText(VERSION)));
    while (position.section < this.#sections.length && !this.#isFull(writer)) await this.#writePart(writer, position);
    const before = position.writer.tail?.key;
    await this.#commit({ ...position, writer: await writer.pause(slice) });
    // Its bytes are in the next tail, or in a part.
    if (before) this.#ctx.defer(discardFiles(this.#ctx, [before], "r2"));
    return null;
  }

  async #begin(): Promise<Position> {
    const writer = await startArchive(this.#ctx, this.#key);
    const position = { writer, section: 0, after: 0, summaries: [], missingFiles: 0 };
    await this.#slice.commit({ position, done: 0, total: await this.#countRecords() });
    return position;
  }

  async #countRecords(): Promise<number> {
    let total = 0;
    for (const { archive } of this.#sections) {
      if (!isTable(archive)) continue;
      const [row] = await this.#ctx.db.select({ rows: count() }).from(archive.table).where(archive.where?.(this.#ctx));
      total += row?.rows ?? 0;
    }
    return total;
  }

  #commit(position: Position): Promise<void> {
    return this.#slice.commit({ position, done: this.#done });
  }

  #isFull(writer: ArchiveWriter): boolean {
    const isLate = Date.now() - this.#startedAt > SLICE_MS;
    return isLate || writer.written > SLICE_BYTES || this.#files > SLICE_FILES || this.#ctx.signal?.aborted === true;
  }

  /** Writes the next part of the section, or goes on to the next section. */
  async #writePart(writer: ArchiveWriter, position: Position): Promise<void> {
    const section = this.#sections[position.section];
    if (!section) return;
    const summary = position.summaries[position.section] ?? newSummary(section);
    position.summaries[position.section] = summary;
    const { archive } = section;
    const table = isTable(archive) ? archive : null;
    const page = table
      ? await readRows(this.#ctx, table, position.after, rowsAPart(table))
      : { rows: await allPages(this.#ctx, section), next: null };
    if (page.rows.length > 0) {
      const rows = table?.files ? await this.#writeFiles(writer, position, summary, table, page.rows) : page.rows;
      const text = rows.map((row) => `${toLine(row)}\n`).join("");
      summary.parts += 1;
      await writer.add(recordsName(section.name, summary.parts), bytesOf(text));
      summary.records += rows.length;
      summary.digest = await chainDigest(summary.digest, text);
      if (table && hasNumericId(table.table))
        summary.lastId = Math.max(summary.lastId, ...rows.map(({ id }) => Number(id)));
      if (table) this.#done += rows.length;
    }
    if (page.next !== null) position.after = page.next;
    else {
      position.section += 1;
      position.after = 0;
    }
  }

  /** Copies the files of the rows. Returns the rows with the names that the files have in the archive. */
  async #writeFiles(
    writer: ArchiveWriter,
    position: Position,
    summary: SectionSummary,
    table: ArchivedTable,
    rows: readonly Row[],
  ): Promise<Row[]> {
    const names = new Map<string, string | null>();
    const files = rows.flatMap((row) => table.files?.(row) ?? []);
    // A few are read ahead: most of the time goes by waiting for the store.
    const fetching = files.slice(0, READ_AHEAD).map((file) => this.#fetch(writer, file));
    for (const [index, { key, name }] of files.entries()) {
      const path = fileName(summary.name, summary.parts + 1, name);
      const fetched = await fetching[index];
      const next = files[index + READ_AHEAD];
      if (next) fetching.push(this.#fetch(writer, next));
      const isThere = fetched ? await writer.addFetched(path, fetched) : false;
      names.set(key, isThere ? path : null);
      if (isThere) summary.files += 1;
      else position.missingFiles += 1;
    }
    this.#files += files.length;
    return rows.map((row) => table.withKeys?.(row, (key) => names.get(key) ?? null) ?? row);
  }

  async #fetch(writer: ArchiveWriter, { store, key }: ArchivedFile) {
    if (store === "r2") return writer.fetch(key);
    const bytes = await this.#ctx.config.bindings.KV.get(key, "arrayBuffer");
    return bytes && { key, size: bytes.byteLength, bytes: new Uint8Array(bytes) };
  }

  /** Everything it writes follows from the position, so that it can be repeated. */
  async #finish({ writer: state, summaries, missingFiles }: Position): Promise<Outcome> {
    const { createdAt, scratchKeys } = this.#slice.transfer;
    const { id, email, name, role } = this.#person;
    const manifest: Manifest = {
      format: FORMAT,
      version: FORMAT_VERSION,
      service: VERSION,
      startedAt: createdAt.toISOString(),
      finishedAt: new Date().toISOString(),
      account: { id, email, name, role },
      sections: summaries,
      missingFiles,
    };
    const records = Object.fromEntries(summaries.map((summary) => [summary.name, summary.records]));
    const files = summaries.reduce((sum, summary) => sum + summary.files, 0);
    const fileSize = (await this.#completedSize()) ?? (await this.#complete(state, manifest));
    await discardFiles(this.#ctx, scratchKeys, "r2");
    return { result: { records, files, missingFiles }, fileSize };
  }

  /** The size of the archive if an earlier slice was killed right after it had completed it. */
  async #completedSize(): Promise<number | null> {
    return (await this.#ctx.config.bindings.FILES.head(this.#key))?.size ?? null;
  }

  async #complete(state: WriterState, manifest: Manifest): Promise<number> {
    const writer = await ArchiveWriter.open(this.#ctx, this.#key, this.#slice.transfer.createdAt, state);
    await writer.add(MANIFEST_NAME, bytesOf(`${JSON.stringify(manifest, null, 2)}\n`));
    return writer.finish();
  }
}

function newSummary({ name, archive }: PersonalData): SectionSummary {
  const notImported = "notImported" in archive ? (archive.notImported ?? null) : null;
  return { name, records: 0, files: 0, parts: 0, lastId: 0, digest: "", notImported };
}

/** What is not a table is small. */
async function allPages(ctx: Context, { pages }: PersonalData): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pages?.(ctx) ?? []) rows.push(...assertType<Row[]>(page));
  return rows;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return assertType<Uint8Array<ArrayBuffer>>(toBytes(text));
}
