/** Remembers for a while that something does not exist, so that the database is not asked each time. */
export class KnownAbsence {
  private readonly rememberedMs: number;
  private since: number | null = null;
  private made = 0;

  constructor(rememberedMs: number) {
    this.rememberedMs = rememberedMs;
  }

  get isKnown(): boolean {
    if (this.since === null) return false;
    const passed = Date.now() - this.since;
    return passed >= 0 && passed < this.rememberedMs;
  }

  /** How often one was made here. Read it before asking the database. */
  get changes(): number {
    return this.made;
  }

  /** Remembers that there is none, unless one was made here while the database was asked. */
  remember(changesBefore: number): void {
    if (changesBefore === this.made) this.since = Date.now();
  }

  /** One was made here, or may have been. */
  forget(): void {
    this.made += 1;
    this.since = null;
  }
}
