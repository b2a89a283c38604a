/** Tells whoever waits for it that a phase is under way. */
export class Moments {
  readonly #waiting = new Map<string, () => void>();

  reach(phase: string): void {
    this.#waiting.get(phase)?.();
  }

  /** Whether the phase began within this time. */
  next(phase: string, ms: number): Promise<boolean> {
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
