import { ACCOUNT, register } from "./account-cases.ts";
import type { Bundles } from "./build.ts";
import type { Request, Supply } from "./case.ts";
import { compare, type Speed } from "./compare.ts";
import { type Cost, measureCost } from "./cost.ts";
import { DATA_CASES, type DataCase, fillData } from "./data-cases.ts";
import { type ListGroup, measureGroup } from "./list-growth.ts";
import type { Plan } from "./plan.ts";
import type { GrowthResult } from "./report.ts";
import { MAX_CONCURRENCY, type Stage, withStage } from "./stage.ts";

/** How a request says who it is. Open: not at all, of a Worker in open mode. */
export const CREDENTIALS = ["open", "session", "apiKey"] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

export interface DataResult {
  name: string;
  target: number;
  speed: Record<CredentialKind, Speed>;
  /** With a session. */
  cost: Cost;
  bareCost: Cost;
}

export interface DataResults {
  records: number;
  cases: DataResult[];
  /** What the lists of these tables read while they were filled. */
  lists: GrowthResult[];
}

interface Wishes {
  isWanted(name: string): boolean;
  groups: readonly ListGroup[];
  progress(text: string): void;
}

/** The data endpoints with each kind of credential, over one database that is filled once. */
export function measureData(
  bundles: Bundles,
  plan: Plan,
  { isWanted, groups, progress }: Wishes,
): Promise<DataResults | null> {
  const wanted = DATA_CASES.filter(({ name }) => isWanted(name));
  if (wanted.length === 0) return Promise.resolve(null);
  return withStage(bundles, async (stage) => {
    const { token } = await register(stage);
    const { key } = await stage.ours.json<{ key: string }>(newKey(token), 201);
    const lists: GrowthResult[] = [];
    const filled: Record<string, number> = {};
    for (const group of groups) {
      progress(`Lists of ${group.name} as they fill…`);
      const results = await measureGroup(stage, token, group, plan);
      filled[group.name] = results[0]?.growth.at(-1)?.size ?? 0;
      lists.push(...results);
    }
    progress(`Filling ${plan.records} records of each kind…`);
    await fillData(stage, plan.records, filled);
    const cases: DataResult[] = [];
    for (const one of wanted) {
      progress(`${one.name}…`);
      cases.push(await measureCase(stage, one, key, plan));
    }
    return { records: plan.records, cases, lists };
  });
}

function newKey(token: string) {
  const body = { name: "bench", scopes: ["admin"], currentPassword: ACCOUNT.password };
  const headers = { authorization: `Bearer ${token}` };
  return { method: "POST", path: "/api/settings/security/api-keys", headers, body };
}

async function measureCase(stage: Stage, one: DataCase, key: string, plan: Plan): Promise<DataResult> {
  // A token is valid for a quarter of an hour, which is less than a run takes.
  const { token } = await stage.ours.json<{ token: string }>({
    method: "POST",
    path: "/api/auth/login",
    body: { email: ACCOUNT.email, password: ACCOUNT.password },
  });
  // Records that one run has deleted are not there for the next.
  const turns = { taken: 0 };
  const withCredential = (bearer?: string) => supply(one, turns, bearer);
  const secured = { ours: stage.secured, bare: stage.bare };
  const session = withCredential(token);
  // Before anything else: a record that an API key has changed costs more.
  const cost = await measureCost(stage.measuredSecured, session.ours, session.status);
  const bareCost = await measureCost(stage.measuredBare, session.bare, session.status);
  // The targets are for a session. The others need only show that they do not fall behind it.
  const briefly = { ...plan, rounds: plan.otherRounds, warmUpMs: plan.warmUpMs / 2 };
  const speed: DataResult["speed"] = {
    open: await compare(stage, withCredential(), briefly),
    session: await compare(secured, session, plan),
    apiKey: await compare(secured, withCredential(key), briefly),
  };
  return { name: one.name, target: one.target, speed, cost, bareCost };
}

function supply({ ours, bare, status = 200 }: DataCase, turns: { taken: number }, bearer?: string): Required<Supply> {
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const next = (request: Request) => {
    turns.taken += 1;
    return { ...(typeof request === "function" ? request(turns.taken) : request), headers };
  };
  return { ours: () => next(ours), bare: () => next(bare), status, concurrency: MAX_CONCURRENCY };
}
