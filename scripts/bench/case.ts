import type { Call } from "./client.ts";
import { MAX_CONCURRENCY, type Stage } from "./stage.ts";

/** `turn` never repeats within a case, for requests that only work once: new addresses, rotated tokens. */
export type Request = Call | ((turn: number) => Call);

/** The same work asked of both Workers; of ours alone where a bare one would have to be the whole feature. */
export interface Requests {
  ours: Request;
  bare?: Request;
}

export interface Case {
  name: string;
  /** Either the requests, or a set-up that makes what they need first: rows, an account and its token. */
  requests: Requests | ((stage: Stage) => Promise<Requests>);
  /** What both Workers must answer; anything else ends the run, since errors are fast and prove nothing. */
  status?: number;
  /** Requests in flight at once. Where the work is all computing, one says the same and takes less long. */
  concurrency?: number;
  growth?: Growth;
}

/** Shows whether a request gets dearer as its tables fill. */
export interface Growth {
  /** Ascending. */
  sizes: readonly number[];
  /** Adds the rows numbered after `from` up to and including `to`. */
  fill(stage: Stage, from: number, to: number): Promise<void>;
}

/** The requests as the runs take them, one after the other. */
export interface Supply {
  ours(): Call;
  bare?: () => Call;
  status: number;
  concurrency: number;
}

export async function supplyOf(
  { requests, status = 200, concurrency = MAX_CONCURRENCY }: Case,
  stage: Stage,
): Promise<Supply> {
  const { ours, bare } = typeof requests === "function" ? await requests(stage) : requests;
  // Both write to one database, so they share the count.
  let turn = 0;
  const next = (request: Request) => (typeof request === "function" ? request(turn++) : request);
  return { ours: () => next(ours), bare: bare && (() => next(bare)), status, concurrency };
}
