import type { Growth, Supply } from "./case.ts";
import type { Plan } from "./plan.ts";
import type { Stage } from "./stage.ts";

/** What one request costs in D1, on average. Rows are what the platform bills. */
export interface Cost {
  roundTrips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface CostAtSize extends Cost {
  size: number;
}

const REQUESTS = 5;

export async function measureCost(stage: Stage, supply: Supply): Promise<Cost> {
  const total: Cost = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  for (let request = 0; request < REQUESTS; request++) {
    const { headers } = await stage.measured.expect(supply.ours(), supply.status);
    const cost: Cost = JSON.parse(String(headers["x-bench-cost"]));
    for (const name of Object.keys(total) as (keyof Cost)[]) total[name] += cost[name] / REQUESTS;
  }
  return total;
}

/** The costs of each of the requests at each size, in the order of the requests. */
export async function measureGrowth(
  stage: Stage,
  supplies: readonly Supply[],
  growth: Growth,
  plan: Plan,
): Promise<CostAtSize[][]> {
  const costs: CostAtSize[][] = supplies.map(() => []);
  let filled = 0;
  for (const size of growth.sizes) {
    if (size > plan.largestFill) break;
    await growth.fill(stage, filled, size);
    filled = size;
    for (const [index, supply] of supplies.entries()) {
      costs[index]?.push({ size, ...(await measureCost(stage, supply)) });
    }
  }
  return costs;
}
