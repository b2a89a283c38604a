import type { Supply } from "./case.ts";
import type { Call, Client } from "./client.ts";
import type { Plan } from "./plan.ts";
import type { Stage } from "./stage.ts";

/** Requests a second. Only the ratio means anything on another machine. */
export interface Speed {
  ours: number;
  bare: number;
  ratio: number;
  /** The ratios of single rounds, lowest and highest: how far to trust the ratio. */
  spread: readonly [number, number];
}

/** Rounds of both Workers in turn, so that whatever else the machine does falls on both alike. */
export async function compare(stage: Stage, supply: Required<Supply>, plan: Plan): Promise<Speed> {
  const speeds: Record<"ours" | "bare", number[]> = { ours: [], bare: [] };
  const play = (side: "ours" | "bare", ms: number) => load(stage[side], supply[side], supply, ms);

  await play("ours", plan.warmUpMs);
  await play("bare", plan.warmUpMs);
  for (let round = 0; round < plan.rounds; round++) {
    const order = round % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const);
    for (const side of order) speeds[side].push(await play(side, plan.roundMs));
  }
  const ratios = speeds.ours.map((ours, round) => ours / (speeds.bare[round] ?? Number.NaN));
  const [ours, bare] = [median(speeds.ours), median(speeds.bare)];
  return { ours, bare, ratio: ours / bare, spread: [Math.min(...ratios), Math.max(...ratios)] };
}

/**
 * A fixed number of callers, each with its next request as soon as the last is answered. Node needs a
 * fraction of one core for this, so what is measured is the runtime, which runs on one thread.
 */
async function load(client: Client, next: () => Call, { status, concurrency }: Supply, ms: number): Promise<number> {
  const started = performance.now();
  let answered = 0;
  const caller = async () => {
    while (performance.now() - started < ms) {
      await client.expect(next(), status);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return (answered * 1000) / (performance.now() - started);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = low] = sorted.slice(sorted.length % 2 === 0 ? middle - 1 : middle, middle + 1);
  return (low + high) / 2;
}
