import type { Supply } from "./case.ts";
import type { Call, Client } from "./client.ts";
import type { Plan } from "./plan.ts";
import { cpuTimeOfAll, runtimePids } from "./runtime-cpu.ts";
import type { Stage } from "./stage.ts";

/** Requests a second. Only the ratio means anything on another machine. */
export interface Speed {
  ours: number;
  bare: number;
  /**
   * The median of the ratios of single rounds: requests for each ms of the runtime's CPU time, which other programs on
   * the machine change little, or a second where the system does not tell that.
   */
  ratio: number;
  /** Between which values half of the rounds lie: how far to trust the ratio. */
  spread: readonly [number, number];
}

/** Rounds of both Workers in turn, so that whatever else the machine does falls on both alike. */
export async function compare(
  stage: Pick<Stage, "ours" | "bare">,
  supply: Required<Supply>,
  plan: Plan,
): Promise<Speed> {
  const speeds: Record<"ours" | "bare", Pace[]> = { ours: [], bare: [] };
  const pids = await runtimePids();
  const play = (side: "ours" | "bare", ms: number, least = 0) =>
    load(stage[side], supply[side], supply, { ms, least, pids });

  await play("ours", plan.warmUpMs);
  await play("bare", plan.warmUpMs);
  for (let round = 0; round < plan.rounds; round++) {
    const order = round % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const);
    for (const side of order) speeds[side].push(await play(side, plan.roundMs, plan.leastAnswers));
  }
  const ratios = speeds.ours.map((ours, round) => {
    const bare = speeds.bare[round] ?? ours;
    return ours.aCpuMs !== null && bare.aCpuMs !== null ? ours.aCpuMs / bare.aCpuMs : ours.aSecond / bare.aSecond;
  });
  return {
    ours: median(speeds.ours.map(({ aSecond }) => aSecond)),
    bare: median(speeds.bare.map(({ aSecond }) => aSecond)),
    ratio: median(ratios),
    spread: quartiles(ratios),
  };
}

/** How many requests were answered, by the clock and by CPU time. */
interface Pace {
  aSecond: number;
  aCpuMs: number | null;
}

/**
 * A fixed number of callers, each with its next request as soon as the last is answered. Node needs a
 * fraction of one core for this, so what is measured is the runtime, which runs on one thread.
 */
async function load(
  client: Client,
  next: () => Call,
  { status, concurrency }: Supply,
  { ms, least, pids }: { ms: number; least: number; pids: readonly string[] },
): Promise<Pace> {
  const cpuBefore = await cpuTimeOfAll(pids);
  const started = performance.now();
  let answered = 0;
  const caller = async () => {
    while (performance.now() - started < ms || answered < least) {
      await client.expect(next(), status);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  const took = performance.now() - started;
  const cpuAfter = await cpuTimeOfAll(pids);
  const cpu = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  return { aSecond: (answered * 1000) / took, aCpuMs: cpu === null ? null : answered / cpu };
}

/** Between which values half of them lie. */
export function quartiles(values: readonly number[]): readonly [number, number] {
  return [quantile(values, 0.25), quantile(values, 0.75)];
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
