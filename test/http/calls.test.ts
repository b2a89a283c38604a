import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configOf } from "../../src/config.ts";
import type { Identity } from "../../src/context.ts";
import { readCredential } from "../../src/features/auth/authenticate.ts";
import { knownTo } from "../../src/http/admission/presume.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { openSession, PASSWORD, setClock, signedInPerson } from "../auth/people.ts";
import { type Answer, expectProblem, service, systemCtx } from "../harness.ts";
import { fill, GROUPS } from "../lists/groups.ts";
import { measurePrice, type Price } from "../measured.ts";
import { takeQueued } from "../queued.ts";
import { CALLS, type Call, type Caller } from "./calls.ts";
import { exampleOf, expectNothingInternal, named, type Operation, operations } from "./operations.ts";
import { forgottenColumns, leaked, PLANTED, plant } from "./planted.ts";
import { ALSO_PRICED, expectPrice, LIMITS, UNPRICED } from "./prices.ts";
import { DATA_SCOPES, scopedService, seen, send, settings, writtenBeside } from "./scoped.ts";

/*
 * Calls every data endpoint as it should be called, with the request that calls.ts prepares for it, while every text of
 * every record has a word of its kind: who may not call it is refused and learns nothing, who may gets what is declared,
 * reads no word of what another scope reads, and costs no more than prices.ts allows.
 */

/** What a valid request is answered with by a service that has no such provider, credential or person. */
const NO_SUCCESS: Record<string, number> = {
  syncBookings: 409,
  listEventTypes: 409,
  testStreamCredential: 404,
  // Only a person applies a proposal, and only who may email answers an invitation.
  applyProposal: 403,
  // Only a person changes a contact.
  updateContact: 403,
  deleteContact: 403,
  restoreContact: 403,
  respondToInvitation: 403,
  // With a word in the place of its calendar.
  answerEmailInvitation: 409,
  undoChatAction: 404,
};

const data = operations.filter(({ guard, id }) => guard === "data" || ALSO_PRICED.includes(id));
const isPrepared = ({ id, path }: Operation) => id in CALLS || !path.includes("{");
/** Lists come first: what they read must not depend on what others have made before. */
const inOrder = [...data].sort((a, b) => Number(a.id in CALLS) - Number(b.id in CALLS));

const MORE_THAN_A_PAGE = 150;

let stage: Awaited<ReturnType<typeof scopedService>>;
let member: { id: number; token: string };
/** A session that has ended, and what an isolate knew of it before. */
let ended: { token: string; id: string; identity: Identity };
let secrets: string[] = [];
const fetched = vi.fn(async () => new Response(null, { status: 400 }));
/** What a request can do besides writing rows. */
const effects = [fetched, vi.spyOn(env.FILES, "put"), vi.spyOn(env.KV, "put"), vi.spyOn(env.KV, "delete")];
const steady = measurePrice(env.DB);
const client = service({ ...settings, DB: steady.db });
const identities = () => knownTo(configOf(client.env));

beforeAll(async () => {
  vi.stubGlobal("fetch", fetched);
  // What a call costs depends on the time: on whether the account behind a credential was read within the last minute, on
  // what is left of the day, and for statistics on where a month begins in rows of two days.
  setClock(new Date("2026-11-17T20:00:00Z"));
  await env.DB.exec("DELETE FROM users");
  stage = await scopedService();
  member = await signedInPerson();
  for (const group of [GROUPS.mails, GROUPS.tasks, GROUPS.calendar, GROUPS.sync, GROUPS.stream]) {
    await fill(group, 0, MORE_THAN_A_PAGE, member.id, Date.now());
  }
  secrets = await storedSecrets();
  for (const { token } of [member, stage.owner]) {
    await client.get("/api/tasks?limit=1", { token });
    await client.post("/api/settings/security/confirm", { currentPassword: PASSWORD }, { token });
  }
  ended = await endedSession();
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** What is stored to check or to keep secrets. */
async function storedSecrets(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all<{
    name: string;
    sql: string;
  }>();
  const columns = results.flatMap(({ name: table, sql }) =>
    [...sql.matchAll(/`(\w+_hash|\w*secret|sealed)` text/g)].map(([, column]) => ({ table, column })),
  );
  expect(columns.length).toBeGreaterThan(10);
  const found = await env.DB.batch<{ value: string | null }>(
    columns.map(({ table, column }) => env.DB.prepare(`SELECT ${column} AS value FROM ${table} LIMIT 50`)),
  );
  return found.flatMap(({ results }) => results.flatMap(({ value }) => (value ? [String(value)] : [])));
}

async function prepare(operation: Operation, caller: Caller): Promise<Call> {
  const { id, path, json } = operation;
  return (await CALLS[id]?.(caller)) ?? { path, body: json && exampleOf(operation) };
}

/** What nobody may see who has only these scopes. */
function expectSilence(answer: Answer, scopes: readonly Scope[], who: string): void {
  expectNothingInternal(answer);
  const text = seen(answer);
  expect([who, leaked(text, scopes), secrets.filter((secret) => text.includes(secret))]).toEqual([who, [], []]);
}

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;

const idOf = async (bearer: string) => (await readCredential(systemCtx(settings), bearer)).id;

async function endedSession() {
  const { token } = await openSession(stage.owner.id);
  await client.get("/api/tasks?limit=1", { token });
  const id = await idOf(token);
  const identity = identities().get(id)?.identity;
  if (!identity) throw new Error("the isolate does not know the session");
  expect((await client.post("/api/auth/logout", undefined, { token })).status).toBe(204);
  return { token, id, identity };
}

/** The request is not only refused: the isolate thinks it knows who sends it, and yet writes nothing and calls nobody. */
async function expectNothingForEnded({ method, id }: Operation, call: Call): Promise<void> {
  identities().set(ended.id, { identity: ended.identity, readAt: Date.now() });
  for (const effect of effects) effect.mockClear();
  steady.taken();
  const answer = await send(client, method, call, ended.token);
  expectProblem(answer, 401, "session_revoked");
  expectSilence(answer, [], `${id} for an ended session`);
  expect([steady.taken().rowsWritten, ...effects.map(({ mock }) => mock.calls.length)]).toEqual([0, 0, 0, 0, 0]);
}

/** Sends the first request with this credential in an isolate. */
async function sendAsUnknown(method: string, call: Call, bearer: string): Promise<Answer> {
  identities().delete(await idOf(bearer));
  steady.taken();
  return send(client, method, call, bearer);
}

/** Calls the operation with a key of each of its scopes alone, and returns the price of the first in a new isolate. */
async function callWithKeys(operation: Operation): Promise<Price | undefined> {
  const { id, method, declared } = operation;
  const own = (declared["x-scopes"] ?? ["admin"]) as readonly Scope[];
  const derivesFrom = (declared["x-derives-from"] ?? []) as readonly Scope[];
  let price: Price | undefined;
  for (const scope of own) {
    const key = await stage.keyFor(scope);
    const call = await prepare(operation, await stage.callerOf(key.id));
    await plant();
    if (scope === own[0]) {
      await expectNothingForEnded(operation, call);
      const others = await stage.keyFor(...DATA_SCOPES.filter((other) => !own.includes(other)));
      const refused = await send(client, method, call, others.key);
      expectProblem(refused, 403, "insufficient_scope");
      expectSilence(refused, [], "a key of all other scopes");
    }
    const before = await writtenBeside(scope);
    let answer = await sendAsUnknown(method, call, key.key);
    let cost = steady.taken();
    expectSilence(answer, [scope], `a key of ${scope}`);
    expect([scope, await writtenBeside(scope)]).toEqual([scope, before]);
    const missing = derivesFrom.filter((needed) => needed !== scope);
    if (missing.length > 0) {
      expect([scope, answer.body?.code]).toEqual([scope, "insufficient_scope"]);
      const enough = await stage.keyFor(scope, ...missing);
      answer = await sendAsUnknown(method, call, enough.key);
      cost = steady.taken();
      expectSilence(answer, [scope, ...missing], `a key of ${scope} and ${missing.join()}`);
    }
    if (id in NO_SUCCESS) expect([scope, answer.status]).toEqual([scope, NO_SUCCESS[id]]);
    else {
      expect([scope, isSuccess(answer), answer.text.slice(0, 300)]).toEqual([scope, true, expect.anything()]);
      price ??= cost;
    }
    takeQueued();
  }
  return price;
}

describe("a key of one scope never sees a word of what another scope reads", () => {
  it.each(named(inOrder))("%s", async (_, operation) => {
    const { id, method, json } = operation;
    expect(isPrepared(operation), `Say in CALLS of test/http/calls.ts how to call ${id} with success.`).toBe(true);
    const first = await callWithKeys(operation);
    const person = operation.guard === "owner" ? stage.owner : member;
    const call = await prepare(operation, { userId: person.id, keyId: null, token: person.token });
    steady.taken();
    // What takes no body takes an empty one.
    const isBare = method !== "GET" && !json && call.body === undefined && call.file === undefined;
    const later = await send(client, method, isBare ? { ...call, body: {} } : call, person.token);
    const price = steady.taken();
    expect(later.headers.get("cache-control")).toBe("no-store");
    takeQueued();
    if (!isSuccess(later)) return void expect([id, later.status]).toEqual([id, NO_SUCCESS[id]]);
    const isPriced = !Object.values(UNPRICED).some((ids) => ids.includes(id));
    if (isPriced) expectPrice(id, price, first, method === "GET" && LIMITS[id]?.written === 0);
  });

  it("and every operation has its price, every text column its word", async () => {
    const ids = data.map(({ id }) => id);
    const message = "Each data endpoint has a line in LIMITS of test/http/prices.ts, or a reason in UNPRICED.";
    expect([...Object.keys(LIMITS), ...Object.values(UNPRICED).flat()].sort(), message).toEqual(ids.sort());
    expect(Object.keys(CALLS).filter((id) => !ids.includes(id))).toEqual([]);
    expect((await Promise.all(Object.keys(PLANTED).map(forgottenColumns))).flat()).toEqual([]);
  });
});
