import { describe, expect, it, vi } from "vitest";
import { joinBytes, toBytes } from "../../src/lib/encoding.ts";
import { crc32 } from "../../src/lib/zip/crc32.ts";
import type { ZipEntry } from "../../src/lib/zip/format.ts";
import { type ArchiveSource, openEntry, readEnd, readEntry, readRecords } from "../../src/lib/zip/read.ts";
import { centralRecord, endRecords, localHeader, packEntry } from "../../src/lib/zip/write.ts";
import { sourceOf } from "./archives.ts";

const NOW = new Date("2026-11-16T09:30:00Z");
const bytes = (text: string) => new Uint8Array(toBytes(text));

async function zip(files: Record<string, Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const { entry, packed } = await packEntry(name, content);
    directory.push(centralRecord({ ...entry, offset }, NOW));
    parts.push(localHeader(entry, NOW), packed);
    offset = parts.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  return joinBytes([...parts, ...directory, endRecords({ entries: directory.length, offset, size })]);
}

async function firstEntry(archive: Uint8Array<ArrayBuffer>): Promise<ZipEntry> {
  const { offset, size } = await readEnd(sourceOf(archive));
  const [entry] = readRecords(archive.slice(offset, offset + size)).entries;
  if (!entry) throw new Error("no entry");
  return entry;
}

describe("a ZIP archive", () => {
  it("has the checksum of the standard, also when it is taken in pieces", () => {
    expect(crc32(bytes("123456789"))).toBe(0xcbf43926);
    for (let cut = 0; cut <= 9; cut++) {
      expect(crc32(bytes("123456789").subarray(cut), crc32(bytes("123456789").subarray(0, cut)))).toBe(0xcbf43926);
    }
  });

  it("gives back what was put in: long, random, empty, and with a name in any script", async () => {
    const random = crypto.getRandomValues(new Uint8Array(60_000));
    const files = { "a/long.txt": bytes("abc ".repeat(50_000)), "zufällig 随机": random, empty: new Uint8Array() };
    const archive = await zip(files);
    expect(archive.length).toBeLessThan(70_000);
    const { offset, size, entries } = await readEnd(sourceOf(archive));
    const read = readRecords(archive.slice(offset, offset + size)).entries;
    expect(entries).toBe(3);
    for (const [index, [name, content]] of Object.entries(files).entries()) {
      const entry = read[index];
      expect(entry?.name).toBe(name);
      expect(entry && (await readEntry(sourceOf(archive), entry, 1e6))).toEqual(content);
    }
  });

  it("can be larger than 4 GB and have more than 65,535 entries", async () => {
    const far = 9_000_000_000;
    const entry = { name: "x.eml", method: 0, crc: 7, packed: 3, size: 3, offset: far };
    const record = centralRecord(entry, NOW);
    expect(readRecords(record).entries).toEqual([entry]);
    const directory = { entries: 200_000, offset: far + 100, size: 200_000 * record.length };
    const end = endRecords(directory);
    const size = directory.offset + directory.size + end.length;
    const source: ArchiveSource = {
      size,
      read: async (offset, length) => end.slice(offset - (size - end.length), offset - (size - end.length) + length),
      stream: () => Promise.reject(new Error("not needed")),
    };
    // The tail that is read first reaches back into the directory.
    const padded: ArchiveSource = {
      ...source,
      read: async (offset, length) => {
        const start = size - end.length;
        return offset >= start
          ? source.read(offset, length)
          : joinBytes([new Uint8Array(start - offset), end]).slice(0, length);
      },
    };
    expect(await readEnd(padded)).toEqual(directory);
  });

  it("is refused when it is cut off, none, or has a directory that cannot be", async () => {
    const archive = await zip({ a: bytes("hello") });
    for (const length of [0, 10, 21, archive.length - 1]) {
      await expect(readEnd(sourceOf(archive.slice(0, length)))).rejects.toThrow(/ZIP archive|cut off/);
    }
    await expect(readEnd(sourceOf(bytes("x".repeat(500))))).rejects.toThrow("not a ZIP archive");
    const view = new DataView(archive.buffer);
    view.setUint32(archive.length - 6, 0x7fffffff, true);
    await expect(readEnd(sourceOf(archive))).rejects.toThrow("cut off or damaged");
  });

  it("gives no byte of an entry away unchecked: a wrong checksum, length or method fails", async () => {
    const archive = await zip({ a: bytes("hello ".repeat(100)) });
    const entry = await firstEntry(archive);
    const failing: [Partial<ZipEntry>, string][] = [
      [{ crc: entry.crc ^ 1 }, "damaged"],
      [{ size: entry.size + 1 }, "damaged"],
      [{ size: entry.size - 1 }, "damaged"],
      [{ packed: entry.packed - 2 }, "damaged"],
      [{ packed: 1e9 }, "damaged"],
      [{ offset: 3 }, "damaged"],
      [{ method: 12 }, "unknown method"],
    ];
    for (const [change, message] of failing) {
      await expect(readEntry(sourceOf(archive), { ...entry, ...change }, 1e6)).rejects.toThrow(message);
    }
  });

  it("never inflates more than an entry may have: a bomb stops early", async () => {
    const archive = await zip({ bomb: new Uint8Array(20_000_000) });
    const entry = await firstEntry(archive);
    expect(entry.packed).toBeLessThan(30_000);
    await expect(readEntry(sourceOf(archive), entry, 1_000_000)).rejects.toThrow("larger than 1000000 bytes");
    let seen = 0;
    const lying = { ...entry, size: 1000 };
    const read = async () => {
      for await (const chunk of await openEntry(sourceOf(archive), lying)) seen += chunk.length;
    };
    await expect(read()).rejects.toThrow("damaged");
    expect(seen).toBeLessThanOrEqual(1000);
  });

  it("gives the runtime no more of a bomb than what inflates to its length, and one piece", async () => {
    const archive = await zip({ bomb: new Uint8Array(60_000_000) });
    const entry = await firstEntry(archive);
    let given = 0;
    // All of it at once, as a store may send it.
    const whole = {
      ...sourceOf(archive),
      stream: async (offset: number, length: number) =>
        new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(archive.slice(offset, offset + length));
            controller.close();
          },
        }),
    };
    const Inflater = DecompressionStream;
    vi.stubGlobal("DecompressionStream", function counting(format: "deflate-raw") {
      const { readable, writable } = new Inflater(format);
      const writer = writable.getWriter();
      const write = (chunk: Uint8Array) => {
        given += chunk.length;
        return writer.write(chunk);
      };
      const getWriter = () => ({ write, close: () => writer.close(), abort: () => writer.abort() });
      return { readable, writable: { getWriter } };
    });
    const lies = [
      [1000, 1],
      [10_000_000, 4],
    ] as const;
    for (const [size, pieces] of lies) {
      given = 0;
      await expect(
        readEntry(whole, { ...entry, size, packed: pieces === 1 ? 2000 : entry.packed }, 1e9),
      ).rejects.toThrow("damaged");
      expect(given).toBeLessThanOrEqual(pieces * 4096);
      expect(given).toBeGreaterThan(0);
    }
    given = 0;
    expect((await readEntry(whole, entry, 1e9)).length).toBe(60_000_000);
    expect(given).toBe(entry.packed);
    vi.unstubAllGlobals();
  });

  it("is not read where an entry is far longer packed than it says it is", async () => {
    const archive = await zip({ long: crypto.getRandomValues(new Uint8Array(50_000)) });
    const entry = await firstEntry(archive);
    let reads = 0;
    const source = {
      ...sourceOf(archive),
      stream: () => {
        reads += 1;
        return Promise.reject(new Error("read"));
      },
    };
    await expect(readEntry(source, { ...entry, size: 1000 }, 1e6)).rejects.toThrow("damaged");
    expect(reads).toBe(0);
  });

  it("passes on why its bytes cannot be read, which is no damage", async () => {
    const archive = await zip({ a: bytes("hello ".repeat(100)) });
    const source = {
      ...sourceOf(archive),
      stream: async () =>
        new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("the store is gone")) }),
    };
    await expect(readEntry(source, await firstEntry(archive), 1e6)).rejects.toThrow("the store is gone");
  });
});
