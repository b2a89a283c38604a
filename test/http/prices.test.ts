import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createApp } from "../../src/app.ts";
import type { Env } from "../../src/config.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, openSession, type Person, signedInPerson } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import { type Client, expectProblem, service } from "../harness.ts";
import { measurePrice, type Price } from "../measured.ts";
import { ALSO_PRICED, CALLS, LIMITS, type Limit, UNPRICED } from "./prices.ts";

type Endpoint = ReturnType<typeof declarationsOf>[number];

const isPriced = ({ operationId }: Endpoint) => !Object.values(UNPRICED).some((names) => names.includes(operationId));
const endpoints = declarationsOf(await createApp()).filter(
  (each) => each["x-guard"] === "data" || ALSO_PRICED.includes(each.operationId),
);
const priced = endpoints.filter(isPriced).map((each) => [each.operationId, each] as const);
const { body: document } = await service().get("/api-docs");

const closed = (vars: Partial<Env>) => service({ ACCESS_MODE: "private", ...vars });

/** A request that succeeds, once. */
async function prepare({ operationId, method, path }: Endpoint, token: string) {
  const example = () => document.paths[path][method].requestBody?.content["application/json"]?.example;
  const { path: address, body, file } = (await CALLS[operationId]?.(token)) ?? { path, body: example() };
  const sent = file === undefined ? { body } : { raw: file, headers: { "content-type": "application/octet-stream" } };
  return (client: Client) => client.call(method.toUpperCase(), address, { ...sent, token });
}

async function newKey({ token }: Person): Promise<string> {
  // One at a time: a person may have a hundred.
  await env.DB.prepare("DELETE FROM api_keys").run();
  const { key } = await createApiKey(await contextFor(token), { name: "prices", scopes: ["admin"], expiresAt: null });
  // Otherwise its first use is noted, afterwards.
  await env.DB.prepare("UPDATE api_keys SET last_used_at = ?").bind(Date.now()).run();
  return key;
}

/** The price of the first request with a credential in an isolate, and of a later one. */
async function pricesOf(endpoint: Endpoint, token: string): Promise<Price[]> {
  // Another database is another configuration, of which nothing is known yet, as in a new isolate.
  const { db, taken } = measurePrice(env.DB);
  const client = closed({ DB: db });
  const prices: Price[] = [];
  for (const _ of ["first", "later"]) {
    const send = await prepare(endpoint, token);
    const { status, text } = await send(client);
    expect([status, text]).toEqual([expect.toSatisfy((code: number) => code >= 200 && code < 300), expect.anything()]);
    prices.push(taken());
  }
  return prices;
}

const owner = await signedInPerson("owner");

describe("a data endpoint costs no more than its limit", () => {
  it.each(priced)("%s", async (name, endpoint) => {
    const [first, later] = await pricesOf(endpoint, (await openSession(owner.id)).token);
    const [firstOfKey, laterOfKey] = await pricesOf(endpoint, await newKey(owner));
    const most = (...figures: (number | undefined)[]) => Math.max(...figures.map((figure) => figure ?? 0));
    const cost: Limit = {
      trips: most(later?.roundTrips, laterOfKey?.roundTrips),
      first: most(first?.roundTrips, firstOfKey?.roundTrips),
      written: most(later?.rowsWritten, laterOfKey?.rowsWritten, first?.rowsWritten, firstOfKey?.rowsWritten),
    };
    const line = `${name}: { trips: ${cost.trips}, first: ${cost.first}, written: ${cost.written} },`;
    const limit = LIMITS[name] ?? { trips: 0, first: 0, written: 0 };
    const exceeded = Object.entries(cost).filter(([figure, value]) => value > limit[figure as keyof Limit]);
    expect(exceeded, `test/http/prices.ts allows less than\n  ${line}\n`).toEqual([]);
  });

  it("and every endpoint has one, or a reason to have none", () => {
    const names = endpoints.map(({ operationId }) => operationId);
    expect([...Object.keys(LIMITS), ...Object.values(UNPRICED).flat()].sort()).toEqual(names.sort());
    expect(Object.keys(CALLS).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("for a session that has ended", () => {
  it.each(priced)("%s writes nothing and calls nobody", async (_, endpoint) => {
    const { token } = await openSession(owner.id);
    const { db, taken } = measurePrice(env.DB);
    const writes = { put: 0, delete: 0 };
    const KV = new Proxy(env.KV, {
      get(target, name) {
        if (name === "put" || name === "delete") writes[name] += 1;
        const member = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const client = closed({ DB: db, KV });
    const send = await prepare(endpoint, token);
    // Now this isolate presumes to know who it is.
    await client.get("/api/tasks?limit=1", { token });
    await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(owner.id).run();
    taken();
    const fetched = vi.spyOn(globalThis, "fetch");
    try {
      expectProblem(await send(client), 401, "session_revoked");
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
    expect({ ...writes, rowsWritten: taken().rowsWritten }).toEqual({ put: 0, delete: 0, rowsWritten: 0 });
  });
});
