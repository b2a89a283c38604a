import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Call } from "../bench/client.ts";
import type { Service } from "./service.ts";

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the soak looks into many answers, whose shapes the tests hold to the document
  body: any;
  replayed: boolean;
}

const ABORTED = 0.04;
const LONGEST_STAY_MS = 25;
const PATIENCE_MS = 150_000;
const PAUSE_MS = 150;
/** So long a caller waits for work in the background before it goes on. */
const GOES_ON_MS = 1000;

/** What all callers saw, for the report. */
export class Tally {
  readonly statuses = new Map<string, number>();
  readonly findings: string[] = [];
  requests = 0;
  aborts = 0;
  lost = 0;

  note(call: Call, { status, text }: Answer): void {
    this.requests += 1;
    const name = `${status}`;
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    if (status === 500) this.find(`${call.method ?? "GET"} ${call.path} answered 500: ${text.slice(0, 200)}`);
  }

  find(finding: string): void {
    this.findings.push(finding);
  }
}

/** One client of the service, who sometimes leaves in the middle, and does not give up when the line is cut. */
export class Caller {
  readonly random: () => number;
  readonly #service: Service;
  readonly #tally: Tally;
  readonly #inBackground = new Set<Promise<unknown>>();

  constructor(service: Service, tally: Tally, random: () => number) {
    this.#service = service;
    this.#tally = tally;
    this.random = random;
  }

  /** One try. Null when the line was cut, by us or by the server's end: what became of it is not known. */
  async attempt(call: Call): Promise<Reply | null> {
    const isAborted = this.random() < ABORTED;
    const signal = isAborted ? AbortSignal.timeout(Math.ceil(this.random() * LONGEST_STAY_MS)) : undefined;
    try {
      const answer = await this.#service.send(signal ? { ...call, signal } : call);
      this.#tally.note(call, answer);
      const isJson = /json/.test(String(answer.headers["content-type"]));
      return {
        status: answer.status,
        body: isJson && answer.text ? JSON.parse(answer.text) : null,
        replayed: answer.headers["idempotency-replayed"] === "true",
      };
    } catch {
      if (signal?.aborted) this.#tally.aborts += 1;
      else this.#tally.lost += 1;
      return null;
    }
  }

  /** The same call again and again until there is an answer; only for calls that are safe to repeat. */
  async surely(call: Call): Promise<Reply> {
    const started = Date.now();
    while (Date.now() - started < PATIENCE_MS) {
      const reply = await this.attempt(call);
      const isUnderWay = reply?.status === 409 && reply.body?.code === "idempotency_in_flight";
      if (reply && !isUnderWay) return reply;
      await sleep(PAUSE_MS);
    }
    throw new Error(`${call.method ?? "GET"} ${call.path} got no answer in ${PATIENCE_MS / 1000} seconds`);
  }

  /**
   * A creation, repeated under one key until there is an answer. Where the server died between the change and
   * the note of its answer, the record is looked up.
   */
  async create(
    call: Call & { body: { title: string; [name: string]: unknown } },
    key: string,
    lookUp: string,
  ): Promise<Reply> {
    const reply = await this.surely({ ...call, method: "POST", headers: { "idempotency-key": key } });
    if (reply.body?.code !== "idempotency_unfinished") return reply;
    const found = await this.surely({ path: lookUp });
    const record = found.body.data.find(({ title }: { title: string }) => title === call.body.title);
    return { status: record ? 201 : 404, body: record ?? {}, replayed: true };
  }

  /** Waits for the work, but not for long: whoever waits for a killed server does something else meanwhile. */
  async inBackground(work: () => Promise<unknown>): Promise<void> {
    const running = work()
      .catch((error) => this.find(String(error)))
      .finally(() => this.#inBackground.delete(running));
    this.#inBackground.add(running);
    await Promise.race([running, sleep(GOES_ON_MS)]);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#inBackground);
  }

  find(finding: string): void {
    this.#tally.find(finding);
  }

  expect(reply: Reply, statuses: readonly number[], what: string): boolean {
    if (statuses.includes(reply.status)) return true;
    this.find(`${what} answered ${reply.status} ${reply.body?.code ?? ""}: ${reply.body?.detail ?? ""}`);
    return false;
  }
}
