import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measure } from "./own-set.ts";

const OWN = "<!-- figures: written by `npm run eval -- --write` -->";
const MAIL = "<!-- email figures: written by `npm run eval -- --mail --aside --write` -->";
const PUBLIC = "<!-- public figures: written by `npm run eval -- <folder> --write` -->";
const END = "<!-- end of figures -->";

/** The page that shows the figures, each table between two comments. */
export const PAGE = join(import.meta.dirname, "../../docs/engine.md");

/** A figure on a public set beside that of another system, where one is known. */
export interface Figure {
  name: string;
  cases: number;
  score: number;
  precision?: number;
  recall?: number;
  /** Figures of other systems on the same cases. */
  baseline: string;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

export function figuresTable(measures: readonly Measure[]): string {
  const rows = measures.map(({ label, cases, score, precision, recall }) => {
    const detail =
      precision === undefined || recall === undefined
        ? ""
        : `precision ${percent(precision)}, recall ${percent(recall)}`;
    return `| ${label} | ${cases} | ${percent(score)} | ${detail} |`;
  });
  return ["| measure | cases | right, or F1 | |", "|---|---:|---:|---|", ...rows].join("\n");
}

export function publicTable(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ name, cases, score, precision, recall, baseline }) =>
      `| ${name} | ${cases} | ${percent(score)} | ${precision === undefined || recall === undefined ? "" : `${percent(precision)}, ${percent(recall)}`} | ${baseline} |`,
  );
  const head = ["| set | cases | this engine | precision, recall | others |", "|---|---:|---:|---:|---|"];
  return [...head, ...rows].join("\n");
}

function replaceBlock(begin: string, table: string): string {
  const text = readFileSync(PAGE, "utf8");
  const start = text.indexOf(begin);
  const end = text.indexOf(END, start);
  if (start < 0 || end < 0) throw new Error(`${PAGE} has no block for the figures.`);
  return `${text.slice(0, start)}${begin}\n\n${table}\n\n${text.slice(end)}`;
}

/** The page with these figures of our own set in its marked block. */
export function withFigures(measures: readonly Measure[]): string {
  return replaceBlock(OWN, figuresTable(measures));
}

export function writeFigures(measures: readonly Measure[]): void {
  writeFileSync(PAGE, withFigures(measures));
}

export function writePublicFigures(figures: readonly Figure[]): void {
  writeFileSync(PAGE, replaceBlock(PUBLIC, publicTable(figures)));
}

export function writeMailFigures(table: string): void {
  writeFileSync(PAGE, replaceBlock(MAIL, table));
}
