import type { Reporter } from "vitest/node";

/** What workerd says of connections that break. Tests break many, and say themselves what has to come of it. */
const OF_RUNTIME = /^(?:uncaught exception; |exception = |stack: \/|console warning; )/;

/** Keeps what the runtime writes to itself, and shows it only when something has failed: before the failures. */
export class RuntimeLines implements Reporter {
  #kept: string[] = [];
  #write = process.stderr.write.bind(process.stderr);

  onInit(): void {
    const write = this.#write;
    const keep = (line: string) => {
      this.#kept.push(line);
      return true;
    };
    process.stderr.write = ((chunk: string | Uint8Array, ...rest: []) =>
      typeof chunk === "string" && OF_RUNTIME.test(chunk) ? keep(chunk) : write(chunk, ...rest)) as typeof write;
  }

  onTestRunEnd(_: unknown, __: unknown, reason: "passed" | "failed" | "interrupted"): void {
    if (reason !== "passed") for (const line of this.#kept) this.#write(line);
    this.#kept = [];
  }
}
