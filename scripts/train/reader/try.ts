import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actFeatures } from "./features.ts";
import { type Labelled, parseVoice } from "./labelled.ts";
import { train } from "./network.ts";

const CACHE = "/tmp/voices-cache.json";
const oldFolder = join(import.meta.dirname, "../messages");
const newFolder = process.env.VOICES ?? "/tmp/voices";
const cache: Record<string, Labelled[]> = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, "utf8")) : {};
const load = (folder: string, isOld: boolean) =>
  readdirSync(folder).filter((name) => name.endsWith(".txt")).flatMap((name) => {
    const source = readFileSync(join(folder, name), "utf8");
    const key = `${name}:${source.length}`;
    cache[key] ??= parseVoice(name, source, isOld);
    return cache[key] ?? [];
  });
const all = [...load(oldFolder, true), ...load(newFolder, false)];
writeFileSync(CACHE, JSON.stringify(cache));
const voices = [...new Set(all.map(({ voice }) => voice))];
const acts = [...new Set(all.flatMap(({ wishes }) => wishes.map(({ act }) => act)))].sort();
console.log(`${all.length} messages, ${voices.length} voices, ${acts.length} acts`);

const options = {
  dimensions: Number(process.env.DIM ?? 24), epochs: Number(process.env.EPOCHS ?? 15), step: Number(process.env.STEP ?? 0.1),
  leftOut: Number(process.env.OUT ?? 0.5), kept: 0, seed: 7,
};
const only = process.argv.slice(2);
let right = 0, total = 0, wq = 0, quietTotal = 0, secondRight = 0;
const READS = new Set("ask_day ask_free ask_tasks ask_mail ask_about help read summarise talk quiet other_world yes no pick answer plan".split(" "));
for (const held of voices.filter((voice) => only.length === 0 || only.includes(voice))) {
  const start = performance.now();
  const rest = all.filter(({ voice }) => voice !== held);
  const counts = new Map<string, number>();
  for (const { tokens } of rest) for (const word of new Set(tokens.map((t) => t.word))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Set([...counts].filter(([, n]) => n >= 3).map(([w]) => w));
  const rowsOf = (list: Labelled[]) => list.flatMap((m) => m.wishes.map((wish, at) => ({
    label: acts.indexOf(wish.act), text: m.text,
    features: actFeatures(m.tokens.slice(wish.from, wish.to), known, { context: m.context, before: m.wishes[at - 1]?.act ?? null, isLast: at === m.wishes.length - 1 }),
  })));
  const trainRows = rowsOf(rest);
  const ids = new Map<string, number>();
  const featureCounts = new Map<string, number>();
  for (const { features } of trainRows) for (const f of features) featureCounts.set(f, (featureCounts.get(f) ?? 0) + 1);
  for (const [f, n] of featureCounts) if (n >= 2) ids.set(f, ids.size);
  const idsOf = (features: string[]) => features.flatMap((f) => ids.get(f) ?? []);
  const network = train(trainRows.map(({ label, features }) => ({ label, features: idsOf(features), weight: 1 })), ids.size, acts.length, options);
  let ok = 0, n = 0, wrongQuiet = 0, nq = 0;
  for (const row of rowsOf(all.filter(({ voice }) => voice === held))) {
    const shares = network.sharesOf(idsOf(row.features));
    const best = shares.indexOf(Math.max(...shares));
    n += 1;
    if (best === row.label) ok += 1;
    else { const copy = [...shares]; copy[best] = 0; if (copy.indexOf(Math.max(...copy)) === row.label) secondRight += 1; }
    if (acts[row.label] === "quiet") { nq += 1; if (!READS.has(acts[best] ?? "") && (shares[best] ?? 0) > 0.5) wrongQuiet += 1; }
    if (process.env.MISSES && best !== row.label) console.log(`   ${acts[row.label]} → ${acts[best]} ${(shares[best] ?? 0).toFixed(2)}: ${row.text}`);
  }
  right += ok; total += n; wq += wrongQuiet; quietTotal += nq;
  console.log(`${held.padEnd(24)} acts ${(100 * ok / n).toFixed(1)} of ${n}; quiet taken for a change ${wrongQuiet} of ${nq}; ${ids.size} features, ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
console.log(`ALL acts ${(100 * right / total).toFixed(1)}, among two ${(100 * (right + secondRight) / total).toFixed(1)} of ${total}; quiet → change ${wq} of ${quietTotal}`);
