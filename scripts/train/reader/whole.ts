import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seen } from "../../../src/features/chat/language/reader/features.ts";
import { slotFeatures } from "../../../src/features/chat/language/reader/features.ts";
import type { Token } from "../../../src/features/chat/language/reader/tokens.ts";
import { classesOf } from "../../../src/features/chat/language/reader/word-classes.ts";
import { actFeatures } from "./features.ts";
import { type Labelled, parseVoice } from "./labelled.ts";
import { type Marked, trainMarks } from "./marks.ts";
import { type Network, train } from "./network.ts";

const CACHE = "/tmp/voices-cache.json";
const cache: Record<string, Labelled[]> = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, "utf8")) : {};
const load = (folder: string, isOld: boolean) =>
  readdirSync(folder).filter((name) => name.endsWith(".txt")).flatMap((name) => {
    const source = readFileSync(join(folder, name), "utf8");
    const key = `${name}:${source.length}`;
    cache[key] ??= parseVoice(name, source, isOld);
    return cache[key] ?? [];
  });
const old = load(join(import.meta.dirname, "../messages"), true);
const fresh = load(process.env.VOICES ?? "/tmp/voices", false);
writeFileSync(CACHE, JSON.stringify(cache));
const all = [...old, ...fresh];
const acts = [...new Set(all.flatMap(({ wishes }) => wishes.map(({ act }) => act)))].sort();
const SLOTS = "t n p g l tag m".split(" ");
const MARKS = 1 + 2 * SLOTS.length;
const follows = (before: number, mark: number) => !(mark > 0 && mark % 2 === 0) || before === mark - 1 || before === mark;
const any = () => true;

class Ids {
  readonly ids = new Map<string, number>();
  of(features: readonly string[], isNew: boolean): number[] {
    const out: number[] = [];
    for (const f of features) {
      let id = this.ids.get(f);
      if (id === undefined && isNew) { id = this.ids.size; this.ids.set(f, id); }
      if (id !== undefined) out.push(id);
    }
    return out;
  }
}

function boundaryFeatures(tokens: readonly Token[], known: ReadonlySet<string>): string[][] {
  const words = tokens.map((t) => seen(t, known));
  const classes = tokens.map(({ word }, at) => classesOf(word)[0] ?? words[at] ?? "");
  const w = (i: number) => words[i] ?? (i < 0 ? "<s>" : "</s>");
  const c = (i: number) => classes[i] ?? (i < 0 ? "<s>" : "</s>");
  return words.map((word, at) => {
    const list = [word, `-1 ${w(at - 1)}`, `+1 ${w(at + 1)}`, `-1 ${w(at - 1)} ${word}`, `+1 ${word} ${w(at + 1)}`, `-2 ${w(at - 2)} ${w(at - 1)}`, `3 ${w(at - 1)} ${word} ${w(at + 1)}`,
      `+2 ${w(at + 1)} ${w(at + 2)}`, `~${c(at)}`, `~-1 ${c(at - 1)}`, `~+1 ${c(at + 1)}`, `~+2 ${c(at + 2)}`, `~0 ${c(at - 1)} ${c(at)}`, `~1 ${c(at)} ${c(at + 1)}`, `~3 ${c(at - 1)} ${c(at)} ${c(at + 1)}`, `~4 ${c(at)} ${c(at + 1)} ${c(at + 2)}`];
    list.push(`at ${Math.min(at, 4)}`, `left ${Math.min(tokens.length - at, 5)}`);
    const later = new Set(classes.slice(at, at + 6));
    for (const name of later) list.push(`>${name}`);
    const timeBefore = words.slice(0, at).some((x) => x === "<time>" || x === "<date>"), timeAfter = words.slice(at).some((x) => x === "<time>" || x === "<date>");
    list.push(`times ${timeBefore} ${timeAfter}`, `times ${timeBefore} ${timeAfter} ${w(at - 1)} ${word}`);
    return list;
  });
}

function marksOf({ tokens, spans }: Labelled): number[] {
  let last: unknown = null;
  return tokens.map(({ start, end }) => {
    const span = spans.find((s) => start < s.end && end > s.start);
    const inside = span !== undefined && span === last;
    last = span;
    return span === undefined ? 0 : SLOTS.indexOf(span.slot) * 2 + (inside ? 2 : 1);
  });
}

const voices = [...new Set(fresh.map(({ voice }) => voice))];
const only = process.argv.slice(2);
const groups: string[][] = [];
const size = Number(process.env.GROUP ?? 1);
const chosen = voices.filter((v) => only.length === 0 || only.includes(v));
for (let i = 0; i < chosen.length; i += size) groups.push(chosen.slice(i, i + size));
const MODELS = Number(process.env.MODELS ?? 1);
const sum = { acts: 0, wishes: 0, bounds: 0, slots: 0, whole: 0, n: 0, single: 0, singleWhole: 0 };
for (const group of groups) {
  const rest = all.filter(({ voice }) => !group.includes(voice));
  const counts = new Map<string, number>();
  for (const { tokens } of rest) for (const word of new Set(tokens.map((t) => t.word))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Set([...counts].filter(([, n]) => n >= 3).map(([w]) => w));
  // acts
  const featureCounts = new Map<string, number>();
  const rows = rest.flatMap((m) => m.wishes.map((wish, at) => ({ label: acts.indexOf(wish.act), features: actFeatures(m.tokens.slice(wish.from, wish.to), known, { context: m.context, before: m.wishes[at - 1]?.act ?? null, isLast: true }) })));
  for (const { features } of rows) for (const f of features) featureCounts.set(f, (featureCounts.get(f) ?? 0) + 1);
  const ids = new Map<string, number>();
  for (const [f, n] of featureCounts) if (n >= 2) ids.set(f, ids.size);
  const idsOf = (features: string[]) => features.flatMap((f) => ids.get(f) ?? []);
  const data = rows.map(({ label, features }) => ({ label, features: idsOf(features), weight: 1 }));
  const networks: Network[] = [];
  for (let k = 0; k < MODELS; k += 1) networks.push(train(data, ids.size, acts.length, { dimensions: Number(process.env.DIM ?? 24), epochs: Number(process.env.EPOCHS ?? 15), step: 0.1, leftOut: 0.5, kept: 0, seed: 7 + k }));
  const actOf = (tokens: Token[], context: string, before: string | null) => {
    const known2 = idsOf(actFeatures(tokens, known, { context, before, isLast: true }));
    const shares = new Float32Array(acts.length);
    for (const network of networks) network.sharesOf(known2).forEach((s, i) => { shares[i] = (shares[i] as number) + s; });
    return acts[shares.indexOf(Math.max(...shares))] ?? "";
  };
  // boundaries
  const bIds = new Ids();
  const bRows: Marked[] = rest.filter(({ context }) => context !== "?").map((m) => ({
    rows: boundaryFeatures(m.tokens, known).map((f) => bIds.of(f, true)),
    marks: m.tokens.map((_, at) => (at > 0 && m.wishes.some(({ from }) => from === at) ? 1 : 0)),
  }));
  const bounds = trainMarks(bRows, bIds.ids.size, 2, any, 8);
  // slots
  const sIds = new Ids();
  const featuresOf = (tokens: Token[], wishes: { act: string; from: number; to: number }[], isNew: boolean) =>
    wishes.flatMap(({ act, from, to }) => slotFeatures(tokens.slice(from, to), known, act).map((f) => sIds.of(f, isNew)));
  const sRows = rest.map((m) => ({ rows: featuresOf(m.tokens, m.wishes, true), marks: marksOf(m) }));
  const slots = trainMarks(sRows, sIds.ids.size, MARKS, follows, 6);
  for (const voice of group) {
    const s = { acts: 0, wishes: 0, bounds: 0, slots: 0, whole: 0, n: 0, single: 0, singleWhole: 0 };
    for (const m of fresh.filter((x) => x.voice === voice)) {
      s.n += 1;
      let before: string | null = null;
      for (const wish of m.wishes) { s.wishes += 1; if (actOf(m.tokens.slice(wish.from, wish.to), m.context, before) === wish.act) s.acts += 1; before = wish.act; }
      const found = bounds.best(boundaryFeatures(m.tokens, known).map((f) => bIds.of(f, false)));
      const starts = [0, ...found.flatMap((mark, at) => (mark === 1 && at > 0 ? [at] : []))];
      const wishes: { act: string; from: number; to: number }[] = [];
      for (const [i, from] of starts.entries()) { const to = starts[i + 1] ?? m.tokens.length; wishes.push({ from, to, act: actOf(m.tokens.slice(from, to), m.context, wishes.at(-1)?.act ?? null) }); }
      const isBound = wishes.map(({ from }) => from).join() === m.wishes.map(({ from }) => from).join();
      const isAct = isBound && wishes.every(({ act }, i) => act === m.wishes[i]?.act);
      const marks = slots.best(featuresOf(m.tokens, wishes, false)).join();
      const isSlot = marks === marksOf(m).join();
      const quiet = m.wishes.every(({ act }) => act === "quiet" || act === "other_world" || act === "talk");
      const whole = isAct && (isSlot || quiet);
      if (isBound) s.bounds += 1;
      if (isSlot) s.slots += 1;
      if (whole) s.whole += 1;
      if (m.wishes.length === 1) { s.single += 1; if (whole) s.singleWhole += 1; }
      if (process.env.MISSES && !whole) console.log(`  ${isBound ? "" : "[bounds] "}${isAct ? "" : "[acts] "}${isSlot ? "" : "[slots] "}${m.wishes.map(({ act }) => act)} / ${wishes.map(({ act }) => act)}: ${m.text}`);
    }
    const pc = (a: number, b: number) => (100 * a / Math.max(1, b)).toFixed(1);
    console.log(`${voice.padEnd(22)} acts ${pc(s.acts, s.wishes)}, boundaries ${pc(s.bounds, s.n)}, slots ${pc(s.slots, s.n)}, whole ${pc(s.whole, s.n)} (single ${pc(s.singleWhole, s.single)}) of ${s.n}`);
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += s[key];
  }
}
const pc = (a: number, b: number) => (100 * a / Math.max(1, b)).toFixed(1);
console.log(`ALL acts ${pc(sum.acts, sum.wishes)}, boundaries ${pc(sum.bounds, sum.n)}, slots ${pc(sum.slots, sum.n)}, whole ${pc(sum.whole, sum.n)} (single ${pc(sum.singleWhole, sum.single)}) of ${sum.n}`);
