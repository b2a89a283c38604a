/** The time, and what is to happen later. Tests have one of their own, on which an hour takes no time. */
export interface Clock {
  now(): number;
  /** Calls `done` after so many milliseconds. Returns what prevents it. */
  after(ms: number, done: () => void): () => void;
}

export const CLOCK: Clock = {
  now: () => Date.now(),
  after(ms, done) {
    const timer = setTimeout(done, ms);
    return () => clearTimeout(timer);
  },
};
