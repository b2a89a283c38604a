import { inject, it } from "vitest";

/*
 * Files named *.sampled.test.ts run in both tiers: `npm test` asks for a sample of their cases, `npm run test:all` for
 * all of them.
 */

const isWhole = inject("tier") === "rare";

/** Of cases that differ in one thing only, such as the platform: all; or the first, the last, and each `every`th. */
export function sampled<Case>(cases: readonly Case[], every = cases.length): Case[] {
  return cases.filter((_, index) => isWhole || index % every === 0 || index === cases.length - 1);
}

/** How often something random is tried. */
export function times(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 5);
}

/** A test of sizes, of interruptions or of many at once, for `npm run test:all` alone. */
export const rarely: (title: string, test: () => Promise<void>) => void = isWhole ? it : () => {};
