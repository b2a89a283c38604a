import { GATE, SURE } from "../src/features/chat/reader/thresholds.ts";
import { measureEngine, measureGrowth } from "./bench/engine-speed.ts";
import { halvesTable, mailErrors, mailTable, scoreHalf } from "./eval/mail.ts";
import { scoreOwnSet } from "./eval/own-set.ts";
import { evaluatePublicSets } from "./eval/public-sets.ts";
import { figuresTable, writeFigures, writeMailFigures, writePublicFigures } from "./eval/report.ts";
import { heldOut, heldOutLines } from "./train/reader/held-out.ts";

/**
 * Measures the built-in engine.
 *   npm run eval                 scores it on the set in test/data
 *   npm run eval -- --misses     also lists every error
 *   npm run eval -- --write      also updates the figures in docs/engine.md
 *   npm run eval -- --voices     trains the reader of messages without some of its voices, and scores it on them
 *   npm run eval -- --mail       scores it on the whole emails in test/data/mail/visible, by topic and language;
 *                                with --misses also lists every error; with --aside also the totals of the half kept
 *                                aside; with --aside --write also updates those figures in docs/engine.md
 *   npm run eval -- <folder>     scores it on the public sets in that folder, and measures its speed;
 *                                with --write also updates those figures there
 */
const options = process.argv.slice(2);

if (options.includes("--mail")) {
  const visible = await scoreHalf("visible");
  if (options.includes("--misses")) console.log(`${mailErrors(visible)}\n`);
  console.log(mailTable(visible));
  if (options.includes("--aside")) {
    const table = halvesTable(visible, await scoreHalf("aside"));
    console.log(`\n${table}`);
    if (options.includes("--write")) writeMailFigures(table);
  }
} else if (options.some((option) => !option.startsWith("--"))) {
  const figures = evaluatePublicSets();
  if (options.includes("--write")) writePublicFigures(figures);
  console.log("Speed: milliseconds of CPU for the whole analysis, once warm");
  for (const { name, milliseconds } of measureEngine())
    console.log(`  ${name.padEnd(30)}${milliseconds.toFixed(1).padStart(8)}`);
  console.log("Growth: CPU of 50 KB compared with 10 KB of the same text; 5 is linear");
  for (const { name, ratio } of measureGrowth()) console.log(`  ${name.padEnd(30)}${ratio.toFixed(1).padStart(8)}`);
} else if (options.includes("--voices")) {
  for (const line of heldOutLines(heldOut(), { weights: [...GATE], least: SURE })) console.log(line);
} else {
  const measures = scoreOwnSet();
  console.log(figuresTable(measures));
  if (options.includes("--misses")) {
    for (const { label, misses } of measures) for (const miss of misses) console.log(`${label}: ${miss}`);
  }
  if (options.includes("--write")) writeFigures(measures);
}
