import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { openSession, signedInPerson } from "../auth/people.ts";
import { type Answer, forgetSecrets, service } from "../harness.ts";
import { stayOffline } from "./offline.ts";
import { callsOf, type FuzzedCall, type Operation } from "./requests.ts";

/*
 * Calls every operation of the document with values made from its own schemas, most of them right and some
 * of them wrong. The harness holds every answer to its declaration; here none may be a failure of ours.
 */

const { seed } = inject("fuzz");
const { body: document } = await service().get("/api-docs");
/** What deletes comes last, so that there is something to read and change. */
const ORDER = ["post", "put", "patch", "get", "delete"];
const operations = Object.entries<Record<string, Operation>>(document.paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })))
  .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
  // A seed of its own for each, so that not every operation meets the same texts.
  .map((one, index) => [`${one.method.toUpperCase()} ${one.path}`, { ...one, seed: seed + index }] as const);

/** Failures that are the outside's or the operator's, not ours: each is declared by the operations that can give it. */
const NOT_OURS = new Set([501, 502, 503, 504]);

let person: { id: number } | undefined;

/** The owner, made anew when a call has deleted the account. */
async function token(): Promise<string> {
  const row = person && (await env.DB.prepare("SELECT id FROM users WHERE id = ?").bind(person.id).first());
  if (!person || !row) {
    person = await signedInPerson("owner");
  }
  return (await openSession(person.id)).token;
}

async function send({ method, path, options, signedIn }: FuzzedCall): Promise<Answer> {
  const answer = await service().call(method, path, { ...options, token: signedIn ? await token() : null });
  forgetSecrets();
  return answer;
}

export function fuzzEveryOperation(runs: number): void {
  stayOffline();

  it.each(operations)(
    `%s answers as declared, whatever it is sent (seed ${seed})`,
    async (_, { method, path, operation, seed: ownSeed }) => {
      const calls = callsOf(method, path, operation, document.components.schemas);
      const property = fc.asyncProperty(calls, async (call) => {
        const answer = await send(call);
        const isOurFault = answer.status >= 500 && !NOT_OURS.has(answer.status);
        expect(isOurFault, `${call.method} ${call.path} → ${answer.status}`).toBe(false);
      });
      const details = await fc.check(property, { seed: ownSeed, numRuns: runs });
      // Half a surrogate pair in the report would break the line between the runtime and the test runner.
      if (details.failed)
        throw new Error((await fc.asyncDefaultReportMessage(details))?.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
    },
  );

  it("leaves the database whole: no row points at nothing", async () => {
    const { results } = await env.DB.prepare("PRAGMA foreign_key_check").all();
    expect(results).toEqual([]);
  });
}
