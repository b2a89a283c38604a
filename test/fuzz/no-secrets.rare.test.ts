import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { openSession, signedInPerson } from "../auth/people.ts";
import { forgetSecrets, service } from "../harness.ts";
import { stayOffline } from "./offline.ts";
import { callsOf, type Operation } from "./requests.ts";

/* A service whose operator forgot its secrets says so where they are needed, and works where they are not. */

const LACKING: Record<string, Partial<Env>> = {
  "without one that is any good": { JWT_SECRET: undefined, PASSWORD_PEPPER: "x".repeat(40), ENCRYPTION_KEY: "short" },
  "with the secret of sessions only": { PASSWORD_PEPPER: undefined, ENCRYPTION_KEY: undefined },
};
const CALLS = 3;
const TIMEOUT_MS = 300_000;

stayOffline();

const { body: document } = await service().get("/api-docs");
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
);

let ownerId: number;
beforeAll(async () => {
  ownerId = (await signedInPerson("owner")).id;
});

describe.each(Object.entries(LACKING))("%s", (_, vars) => {
  it(
    "no operation fails in a way that it does not declare",
    async () => {
      const client = service(vars);
      let misconfigured = 0;
      for (const [index, { method, path, operation }] of operations.entries()) {
        // Anew, since the operation before may have ended it.
        const { token } = await openSession(ownerId);
        const calls = fc.sample(callsOf(method, path, operation, document.components.schemas), {
          // Of its own for each: else all would meet the same mistakes.
          seed: inject("fuzz").seed + index,
          numRuns: CALLS,
        });
        for (const call of calls) {
          const answer = await client.call(call.method, call.path, { ...call.options, token });
          forgetSecrets();
          expect(answer.status, `${call.method} ${call.path}`).not.toBe(500);
          if (answer.body?.code === "misconfigured") misconfigured += 1;
        }
      }
      expect(misconfigured).toBeGreaterThan(10);
    },
    TIMEOUT_MS,
  );

  it("health names what is lacking and nothing of its value", async () => {
    const { status, body } = await service(vars).get("/api/health");
    expect(status).toBe(200);
    expect(body.status).toBe("degraded");
    const lacking = Object.keys(vars).map((name) => expect.stringMatching(new RegExp(`^${name} is `)));
    expect(body.problems).toEqual(lacking);
  });
});
