import type { Page } from "playwright-core";

/*
 * What a page costs, as the processor time of its main thread, which does not depend on what else the machine does. It is
 * converted with the speed of this machine at this moment, so limits hold on slow and busy machines, too.
 */

/**
 * A mid-range phone, which Chrome's developer tools mean by "4x slowdown", by the BenchmarkIndex that they and Lighthouse
 * measure machines with.
 */
const SLOW_INDEX = 1000;

/** A clock that only runs while the page's main thread works, in milliseconds. */
export async function threadClock(page: Page): Promise<() => Promise<number>> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "ThreadTime")?.value ?? Number.NaN);
  };
}

/** How many times slower the slow processor is than this machine is now. */
export async function slownessOf(page: Page): Promise<number> {
  const now = await threadClock(page);
  const runs = 200;
  const rate = async (work: string) => {
    const before = await now();
    await page.evaluate(`(() => { ${work} })()`);
    return runs / 10 / (((await now()) - before) / 1000);
  };
  const strings = `for (let i = 0; i < ${runs}; i++) { let s = ""; for (let j = 0; j < 10000; j++) s += "a"; if (s.length === 1) throw s; }`;
  const copies = `const all = [[], []]; for (let i = 0; i < 100000; i++) all[0][i] = all[1][i] = i;
    for (let i = 0; i < ${runs}; i++) { const [from, to] = i % 2 ? all : all.toReversed(); for (let j = 0; j < from.length; j++) to[j] = from[j]; }`;
  // The first run compiles it.
  await rate(strings);
  await rate(copies);
  return ((await rate(strings)) + (await rate(copies))) / 2 / SLOW_INDEX;
}
