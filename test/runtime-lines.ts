import type { Reporter } from "vitest/node";

/** What workerd says of connections that break. Tests break many, and say themselves what has to come of it. */
const OF_RUNTIME = /^(?:uncaught exception; |[\w:()]+ = \S+:\d+: |stack: \/|console warning; )/;

/** Keeps what the runtime writes to itself, and shows it only when something has failed: before the failures. */
export class RuntimeLines implements Reporter {
  #kept: string[] = [];
  #write = process.stderr.write.bind(process.stderr);

  onInit(): void {
    for (const stream of [process.stdout, process.stderr]) this.#listen(stream);
  }

  #listen(stream: NodeJS.WriteStream): void {
    const write = stream.write.bind(stream);
    let isCut = false;
    // It comes in chunks, which may end in the middle of a line.
    const others = (text: string) =>
      text
        .split(/(?<=\n)/)
        .filter((line) => {
          const isKept = isCut || OF_RUNTIME.test(line);
          if (isKept) this.#kept.push(line);
          isCut = isKept && !line.endsWith("\n");
          return !isKept;
        })
        .join("");
    stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      const text = others(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
      return text === "" || write(text, ...rest);
    }) as typeof write;
  }

  onTestRunEnd(_: unknown, __: unknown, reason: "passed" | "failed" | "interrupted"): void {
    if (reason !== "passed") for (const line of this.#kept) this.#write(line);
    this.#kept = [];
  }
}
