import type { Growth, Supply } from "./case.ts";
import type { Call, Client } from "./client.ts";
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

export async function measureCost(measured: Client, next: () => Call, status: number): Promise<Cost> {
  const total: Cost = { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  // The first request of an isolate also learns who the credential belongs to and what there is to deliver.
  await measured.expect(next(), status);
  for (let request = 0; request < REQUESTS; request++) {
    const { headers } = await measured.expect(next(), status);
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
      costs[index]?.push({ size, ...(await measureCost(stage.measured, supply.ours, supply.status)) });
    }
  }
  return costs;
}
