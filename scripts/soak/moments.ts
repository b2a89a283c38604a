/** Where the server is killed: each is work that another side has begun and that has no result yet. */
export const PHASES = [
  "a request",
  "a webhook delivery",
  "an analysis",
  "a model's caption",
  "a booking sync",
  "a caption's post",
  "an inbound email",
  "a reply",
  "a cron",
] as const;
export type Phase = (typeof PHASES)[number];

/** Tells whoever waits for it that a phase is under way. */
export class Moments {
  readonly #waiting = new Map<Phase, () => void>();

  reach(phase: Phase): void {
    this.#waiting.get(phase)?.();
  }

  /** Whether the phase began within this time. */
  next(phase: Phase, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isReached: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(phase);
        resolve(isReached);
      };
      const timer = setTimeout(end, ms, false);
      this.#waiting.set(phase, () => end(true));
    });
  }
}
