/** Longer than one run may take: after that, whoever ran it has been cut off. */
const MAX_RUN_MS = 10_000;
const MAX_RUNS = 5;

/**
 * Makes work that many ask for at the same time run once for all of them: who asks while it runs returns at once, and it
 * is then run again. Resolves to whether nobody has asked since its last run began.
 */
export function oneAtATime(): (work: () => Promise<unknown>) => Promise<boolean> {
  let runningSince: number | null = null;
  let isAskedFor = false;
  return async (work) => {
    isAskedFor = true;
    if (runningSince !== null && Date.now() - runningSince < MAX_RUN_MS) return true;
    for (let runs = 0; isAskedFor && runs < MAX_RUNS; runs++) {
      isAskedFor = false;
      runningSince = Date.now();
      try {
        await work();
      } finally {
        runningSince = null;
      }
    }
    return !isAskedFor;
  };
}
