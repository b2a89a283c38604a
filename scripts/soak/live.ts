import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "./service.ts";

const PAUSE_MS = 200;

interface Seen {
  id: number;
  type: string;
  recordId: number | string;
}

/** A client that follows the changes and connects again with the last id whenever it was cut off. */
export class LiveClient {
  readonly name: string;
  readonly seen: Seen[] = [];
  readonly findings: string[] = [];
  /** Where it began to follow. */
  first: number | undefined;
  connections = 0;
  readonly #service: Service;
  readonly #headers: Record<string, string>;
  #last: string | undefined;
  #isOver = false;
  #cut = new AbortController();

  constructor(name: string, service: Service, headers: Record<string, string> = {}) {
    this.name = name;
    this.#service = service;
    this.#headers = headers;
  }

  async follow(): Promise<void> {
    while (!this.#isOver) {
      await this.#service.whenReady();
      await this.#connect().catch(() => {});
      if (!this.#isOver) await sleep(PAUSE_MS);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#cut.abort();
  }

  async #connect(): Promise<void> {
    const position = this.#last === undefined ? undefined : { "last-event-id": this.#last };
    const headers = { ...this.#headers, accept: "text/event-stream", ...position };
    const response = await fetch(new URL("/api/live", this.#service.origin), { headers, signal: this.#cut.signal });
    if (response.status !== 200 || !response.body) throw new Error(`GET /api/live answered ${response.status}`);
    this.connections += 1;
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const [event, data, id] = [field("event"), field("data"), field("id")];
    if (!event || data === undefined) return;
    if (id !== undefined) this.#last = id;
    if (event === "ready") this.first ??= Number(id);
    else if (event === "change") {
      const change: Seen = JSON.parse(data);
      if (change.id <= (this.seen.at(-1)?.id ?? 0)) this.findings.push(`${this.name}: change ${change.id} came twice`);
      this.seen.push(change);
    } else if (event !== "end") this.findings.push(`${this.name}: ${event} ${data}`);
  }
}
