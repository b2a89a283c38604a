import { afterEach, describe, expect, it, vi } from "vitest";
import { oneAtATime } from "../../src/lib/one-at-a-time.ts";
import { setClock } from "../auth/people.ts";

afterEach(() => void vi.useRealTimers());

/** Work that runs until it is let go. */
function held() {
  const ends: (() => void)[] = [];
  let runs = 0;
  return {
    work: () => {
      runs += 1;
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    async end() {
      ends.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 1));
    },
    runs: () => runs,
  };
}

describe("work that runs one at a time", () => {
  it("runs once more for all who asked while it ran", async () => {
    const { work, end, runs } = held();
    const run = oneAtATime();
    const first = run(work);
    expect(await Promise.all([run(work), run(work), run(work)])).toEqual([true, true, true]);
    expect(runs()).toBe(1);
    await end();
    expect(runs()).toBe(2);
    await end();
    expect(await first).toBe(true);
    expect(runs()).toBe(2);
  });

  it("runs five times in a row at most, and says that it is still asked for", async () => {
    let runs = 0;
    const run = oneAtATime();
    const busy = async () => {
      runs += 1;
      await run(busy);
    };
    expect(await run(busy)).toBe(false);
    expect(runs).toBe(5);
  });

  it("runs again after it failed, and after whoever ran it was cut off", async () => {
    const run = oneAtATime();
    await expect(run(() => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");
    setClock(Date.now());
    run(() => new Promise(() => {}));
    let runs = 0;
    const work = async () => {
      runs += 1;
    };
    await run(work);
    expect(runs).toBe(0);
    setClock(Date.now() + 10_001);
    await run(work);
    expect(runs).toBe(1);
  });
});
