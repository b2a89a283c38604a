import { describe, expect, it } from "vitest";
import { qrCode } from "../../src/console/lib/qr.ts";

/** The modules inside the quiet zone, as lines of `#` and `.`. */
function modules(text: string): string[] {
  const { size, path } = qrCode(text);
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => "."));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at++) (rows[Number(y)] ?? [])[at] = "#";
  }
  const [before, after] = [rows.slice(0, 4), rows.slice(-4)];
  expect([...before, ...after].flat().every((module) => module === ".")).toBe(true);
  return rows.slice(4, -4).map((row) => row.slice(4, -4).join(""));
}

describe("QR codes", () => {
  it("have the finder patterns, the timing pattern and the dark module of the standard", () => {
    const lines = modules("01234567");
    expect(lines.length).toBe(21);
    const finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];
    expect(lines.slice(0, 7).map((line) => line.slice(0, 7))).toEqual(finder);
    expect(lines.slice(0, 7).map((line) => line.slice(-7))).toEqual(finder);
    expect(lines.slice(-7).map((line) => line.slice(0, 7))).toEqual(finder);
    expect(lines[6]?.slice(8, 13)).toBe("#.#.#");
    expect(lines.slice(8, 13).map((line) => line[6])).toEqual(["#", ".", "#", ".", "#"]);
    expect(lines[13]?.[8]).toBe("#");
  });

  it("carry their text: read back module by module", () => {
    for (const text of ["01234567", "HELLO WORLD", "https://example.com/feed.ics?token=ä€🙂"]) {
      expect(readBack(modules(text))).toBe(text);
    }
  });
});

/* A reader of undamaged codes of versions 1 to 4, written from ISO 18004 and not from the encoder. */

const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
/** Data codewords by version at error correction M; version 4 interleaves two blocks. */
const DATA_CODEWORDS = [0, 16, 28, 44, 64];

function readBack(lines: readonly string[]): string {
  const size = lines.length;
  const version = (size - 17) / 4;
  const dark = (x: number, y: number) => lines[y]?.[x] === "#";
  // Format bits: beside the finder pattern at the top left, masked with 101010000010010.
  const places = [0, 1, 2, 3, 4, 5, 7, 8].map((x) => [x, 8] as const);
  const format = places.slice(0, 5).reduce((bits, [x, y]) => (bits << 1) | Number(dark(x, y)), 0) ^ 0b10101;
  expect(format >> 3).toBe(0); // Error correction M.
  const mask = MASKS[format & 7];
  const isData = (x: number, y: number) => {
    if (x === 6 || y === 6) return false;
    if (x < 9 && y < 9) return false;
    if (x >= size - 8 && y < 9) return false;
    if (x < 9 && y >= size - 8) return false;
    const center = size - 7;
    return version === 1 || Math.abs(x - center) > 2 || Math.abs(y - center) > 2;
  };
  const bits: number[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isData(x, y)) bits.push(Number(dark(x, y) !== mask?.(x, y)));
      }
    }
    isUp = !isUp;
  }
  const count = DATA_CODEWORDS[version] ?? 0;
  const bytes = Array.from({ length: count }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(""), 2));
  const ordered = version < 4 ? bytes : [...bytes.filter((_, at) => at % 2 === 0), ...bytes.filter((_, at) => at % 2)];
  return decode(ordered.map((byte) => byte.toString(2).padStart(8, "0")).join(""));
}

function decode(bits: string): string {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return Number.parseInt(bits.slice(at - length, at), 2);
  };
  const mode = take(4);
  if (mode === 1) {
    let [left, text] = [take(10), ""];
    for (; left > 0; left -= 3)
      text += String(take([0, 4, 7, 10][Math.min(3, left)] ?? 10)).padStart(Math.min(3, left), "0");
    return text;
  }
  if (mode === 2) {
    let [left, text] = [take(9), ""];
    for (; left > 1; left -= 2) {
      const pair = take(11);
      text += (ALPHANUMERIC[Math.floor(pair / 45)] ?? "") + (ALPHANUMERIC[pair % 45] ?? "");
    }
    return left === 1 ? text + ALPHANUMERIC[take(6)] : text;
  }
  expect(mode).toBe(4);
  return new TextDecoder().decode(Uint8Array.from({ length: take(8) }, () => take(8)));
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
