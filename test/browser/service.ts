import { inject } from "vitest";
import { type RunningService, start } from "../tooling/running-service.ts";

export type { RunningService } from "../tooling/running-service.ts";

/** A service with no data and secrets of its own. Arguments go to wrangler. */
export function startService(...extra: string[]): Promise<RunningService> {
  return start(inject("data").empty, { secrets: "own", extra });
}

/** A service with the data of `npm run seed`. */
export function startSeededService(): Promise<RunningService> {
  return start(inject("data").seeded, { secrets: "machine" });
}
