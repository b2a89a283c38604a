import { lte, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { type ArchivedTable, fromLine, hasNumericId, type Row, reserveIds } from "../../../db/archive.ts";
import type { PersonalData } from "../../../db/personal-data.ts";
import { purge } from "../../../db/purge.ts";
import { assertType } from "../../../lib/cast.ts";
import { letOthersIn } from "../../../lib/let-others-in.ts";
import { ArchiveError } from "../../../lib/zip/format.ts";
import { audit } from "../../audit/service.ts";
import { discardFiles } from "../../files/service.ts";
import { asOneChange } from "../../live/many.ts";
import { findAccount } from "../../people/account.ts";
import type { Outcome, Runner, Slice } from "../../transfers/slices.ts";
import { assertEmpty } from "./empty-service.ts";
import { onBehalfOf } from "./export.ts";
import { chainDigest, inArchiveOrder, isTable, rowsAPart, type SectionSummary } from "./format.ts";
import { ArchiveReader, type Part } from "./reader.ts";
import { writePart } from "./write-part.ts";

/*
 * First all records are checked, and nothing is written. Then they are written part by part, each part in one batch with
 * the place where it ends. What fails then, or is cancelled, is taken back.
 */

/** `lastId` is the highest id that was read. */
type Seen = Pick<SectionSummary, "records" | "parts" | "digest" | "lastId">;

/** Records that were imported otherwise than the archive has them, by section. */
type Settled = Record<string, number>;

interface Position {
  phase: "check" | "write";
  /** Where in the directory of the archive it goes on. */
  at: number;
  /** By section. */
  seen: Record<string, Seen>;
  settled?: Settled;
  /** The highest ids of the records that are written, by section: what has higher ones came otherwise. */
  reserved?: Record<string, number>;
}

const START: Position = { phase: "check", at: 0, seen: {} };
const SLICE_BYTES = 48 * 1024 * 1024;
const SLICE_MS = 45_000;

const SECTIONS = new Map(inArchiveOrder().map((section) => [section.name, section]));

export const importRunner: Runner = {
  async run(ctx, slice) {
    const person = await findAccount(ctx, slice.transfer.userId ?? 0);
    const { fileKey, fileSize, position } = slice.transfer;
    if (!person || !fileKey) return null;
    const own = onBehalfOf(ctx, person);
    const archive = await ArchiveReader.open(own, fileKey, fileSize ?? 0);
    const work = new Import(own, archive, slice);
    const current = assertType<Position | null>(position) ?? START;
    return current.phase === "check" ? work.check(current) : work.write(current);
  },

  /** Removes what was imported. What has come since, such as an email, has higher ids and stays. */
  async undo(ctx, { transfer }) {
    const { position, fileKey } = transfer;
    const written = assertType<Position | null>(position);
    if (written?.phase === "write") {
      // Uses the stored progress, not the archive, which is untrusted.
      for (const section of [...SECTIONS.values()].reverse()) {
        if (!(await removeImported(ctx, section, written.reserved?.[section.name] ?? 0))) return false;
      }
    }
    if (fileKey) await discardFiles(ctx, [fileKey], "r2");
    return true;
  },
};

async function removeImported(ctx: Context, section: PersonalData, lastId: number): Promise<boolean> {
  const imported = importedTable(section.name);
  if (!imported) return true;
  const { table, replaces, mayExist, clears } = imported;
  // These change what a new service has anyway. The account itself is written last, when nothing can fail any more.
  if (replaces || mayExist) return true;
  const isImported = hasNumericId(table) ? lte(sql`id`, lastId) : sql`1`;
  for (;;) {
    if (ctx.signal?.aborted) return false;
    if ((await purge(ctx.db, table, isImported, ctx.signal)) === 0) break;
  }
  if (clears) await section.erase?.(ctx);
  return true;
}

class Import {
  readonly #ctx: Context;
  readonly #archive: ArchiveReader;
  readonly #slice: Slice;
  readonly #startedAt = Date.now();
  #read = 0;

  constructor(ctx: Context, archive: ArchiveReader, slice: Slice) {
    this.#ctx = ctx;
    this.#archive = archive;
    this.#slice = slice;
  }

  #isFull(): boolean {
    const isLate = Date.now() - this.#startedAt > SLICE_MS;
    return isLate || this.#read > SLICE_BYTES || this.#ctx.signal?.aborted === true;
  }

  /** Reads all records without writing any. */
  async check(from: Position): Promise<null> {
    const position = structuredClone(from);
    const { sections } = this.#archive.manifest;
    const total = sections.reduce((sum, { name, records }) => sum + (importedTable(name) ? records : 0), 0);
    for await (const part of this.#archive.parts(position.at)) {
      const text = await this.#archive.text(part);
      const rows = await readLines(part, text);
      await this.#checkDocuments(part, rows);
      const seen = seenOf(position, part);
      // A record comes after those that it refers to, so the order of the sections is kept, too.
      const before = Object.keys(position.seen).at(-1);
      const order = sections.map(({ name }) => name);
      const isAfter = before === undefined || order.indexOf(part.section) >= order.indexOf(before);
      if (!isAfter || part.part !== seen.parts + 1 || !order.includes(part.section)) {
        throw new ArchiveError(`${part.records.name} is out of order.`);
      }
      position.seen[part.section] = {
        records: seen.records + linesIn(part, text),
        parts: part.part,
        digest: await chainDigest(seen.digest, text),
        lastId: lastIdOf(part, rows, seen.lastId),
      };
      position.at = part.next;
      this.#read += part.records.size;
      if (this.#isFull()) {
        await this.#slice.commit({ position, done: 0, total });
        return null;
      }
    }
    for (const section of sections) compare(section, position.seen[section.name]);
    await this.#beginWriting(position, total);
    return null;
  }

  async #checkDocuments(part: Part, rows: readonly Row[]): Promise<void> {
    const table = importedTable(part.section);
    if (!table?.document) return;
    for (const row of rows) this.#read += (await this.#archive.document(part, table, row))?.size ?? 0;
  }

  /** From here on new records get ids above those of the archive. */
  async #beginWriting({ seen }: Position, total: number): Promise<void> {
    const ctx = this.#ctx;
    const reserved = Object.fromEntries(Object.entries(seen).map(([name, { lastId }]) => [name, lastId]));
    const statements = Object.entries(reserved).flatMap(([name, lastId]) => {
      const table = importedTable(name);
      return table ? reserveIds(ctx, table, lastId) : [];
    });
    const position: Position = { phase: "write", at: 0, seen: {}, reserved };
    await this.#slice.commit({ position, done: 0, total }, [assertEmpty(ctx), ...statements]);
  }

  async write(from: Position): Promise<Outcome | null> {
    const position = structuredClone(from);
    let { done } = this.#slice.transfer;
    for await (const part of this.#archive.parts(position.at)) {
      const rows = await readLines(part, await this.#archive.text(part));
      const seen = seenOf(position, part);
      position.seen[part.section] = { ...seen, records: seen.records + rows.length, parts: part.part };
      position.at = part.next;
      const table = importedTable(part.section);
      if (table) {
        const { statements, settled } = await writePart(this.#ctx, this.#archive, part, table, rows);
        if (settled > 0) {
          position.settled = { ...position.settled, [part.section]: (position.settled?.[part.section] ?? 0) + settled };
        }
        done += rows.length;
        await orTooLarge(part, rows, this.#slice.commit({ position, done }, statements));
      }
      this.#read += part.records.size;
      for (const { size } of part.files.values()) this.#read += size;
      if (this.#isFull()) return null;
    }
    return this.#finish(position);
  }

  async #finish({ seen, settled = {} }: Position): Promise<Outcome> {
    const { sections, account, startedAt } = this.#archive.manifest;
    const last = await Promise.all(sections.map(({ name }) => importedTable(name)?.finish?.(this.#ctx) ?? []));
    const imported = sections.filter(({ name }) => importedTable(name));
    const leftOut = sections.flatMap(({ name, records }) => {
      const archive = SECTIONS.get(name)?.archive;
      const reason = archive && "notImported" in archive ? archive.notImported : undefined;
      return reason !== undefined && records > 0 ? [{ name, records, reason }] : [];
    });
    const changed = Object.entries(settled).map(([name, count]) => ({
      name,
      records: count,
      reason: importedTable(name)?.settle?.reason ?? "",
    }));
    const records = Object.fromEntries(imported.map(({ name }) => [name, seen[name]?.records ?? 0]));
    const files = imported.reduce((sum, section) => sum + section.files, 0);
    const { userId, fileKey } = this.#slice.transfer;
    if (fileKey) this.#ctx.defer(discardFiles(this.#ctx, [fileKey], "r2"));
    return {
      result: { records, files, leftOut, changed, exportedAt: startedAt, account: account.email },
      statements: [...asOneChange(this.#ctx, last.flat()), audit(this.#ctx, "data.imported", { userId })],
    };
  }
}

const NOTHING: Seen = { records: 0, parts: 0, digest: "", lastId: 0 };

function seenOf({ seen }: Position, { section }: Part): Seen {
  return seen[section] ?? NOTHING;
}

function compare({ name, records, parts, digest, lastId }: SectionSummary, found = NOTHING): void {
  const isSame = found.records === records && found.parts === parts && found.digest === digest;
  if (isSame && found.lastId <= lastId) return;
  const what = found.records === records ? "has changed" : `has ${found.records} records instead of ${records}`;
  throw new ArchiveError(`The archive is not complete, or it was edited: ${name} ${what}.`);
}

/** The highest id up to the end of a part. An export writes records by their id, so one that is there twice is seen. */
function lastIdOf(part: Part, rows: readonly Row[], before: number): number {
  const table = importedTable(part.section);
  if (!table || !hasNumericId(table.table)) return 0;
  return rows.reduce((last, row, index) => {
    const id = Number(row.id);
    if (id > last) return id;
    throw lineError(part, index, `has the id ${id}, which is not higher than the one before it`);
  }, before);
}

/** A record that the database has no room for will never be written: that is said, and not tried again. */
async function orTooLarge(part: Part, rows: readonly Row[], written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!isTooBig(error)) throw error;
    const sizes = rows.map((row) => JSON.stringify(row).length);
    throw lineError(part, sizes.indexOf(Math.max(...sizes)), "is too large for the database");
  }
}

function isTooBig(error: unknown): boolean {
  return (
    error instanceof Error && (/SQLITE_TOOBIG|string or blob too big/.test(error.message) || isTooBig(error.cause))
  );
}

function lineError({ records }: Part, index: number, problem: string): ArchiveError {
  return new ArchiveError(`${records.name}, line ${index + 1}, ${problem}.`);
}

function importedTable(name: string): ArchivedTable | null {
  const archive: PersonalData["archive"] | undefined = SECTIONS.get(name)?.archive;
  return archive && isTable(archive) && !archive.notImported ? archive : null;
}

/** Without a list of them: a part of a section that is not imported may have very many. */
function linesIn({ records }: Part, text: string): number {
  if (/^\n|\n\n/.test(text)) throw new ArchiveError(`${records.name} has an empty line.`);
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** An export ends every line, the last one included. */
function linesOf({ records }: Part, text: string, most: number): string[] {
  const lines = text.split("\n", most + 2);
  if (lines.pop() !== "" || lines.length > most) {
    throw new ArchiveError(
      `${records.name} has more records than an export writes into one part, or ends within a line.`,
    );
  }
  return lines;
}

/** The rows of a part; none for a section that is not imported. Says in which line something is wrong. */
async function readLines(part: Part, text: string): Promise<Row[]> {
  if (!SECTIONS.has(part.section)) {
    throw new ArchiveError(`${part.records.name} is of a kind that this version of the service does not know.`);
  }
  const table = importedTable(part.section);
  if (!table) return [];
  const rows: Row[] = [];
  for (const [index, line] of linesOf(part, text, rowsAPart(table)).entries()) {
    const wrong = (problem: string) => lineError(part, index, problem);
    let row: Row;
    try {
      row = fromLine(table, line);
    } catch (error) {
      throw wrong(error instanceof Error ? error.message : "cannot be read");
    }
    const missing = (table.files?.(row) ?? []).find(({ key }) => !part.files.has(key));
    if (missing) throw wrong(`refers to ${JSON.stringify(missing.key.slice(0, 100))}, which is not in the archive`);
    rows.push(row);
    // To follow a rule that rarely matches takes a hundredth of a second.
    if (table.misfit && rows.length % CHECKED_AT_ONCE === 0) await letOthersIn();
  }
  return rows;
}

const CHECKED_AT_ONCE = 10;
