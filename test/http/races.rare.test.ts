import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { changeApiKey, createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, openSession, signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";

/* `admission.test.ts` interrupts a write right after its check. Here both happen at once. */

const client = service({ ACCESS_MODE: "private" });
const newTitle = () => `Task ${crypto.randomUUID()}`;

async function tasksCalled(title: string): Promise<number> {
  return (await env.DB.prepare("SELECT count(*) AS n FROM tasks WHERE title = ?").bind(title).first<number>("n")) ?? 0;
}

/** Lets a varying number of other tasks of the event loop run first. */
async function pause(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await scheduler.wait(0);
}

describe("a hundred races", () => {
  it("between a write and the end of its session have one winner each", async () => {
    const person = await signedInPerson();
    const title = newTitle();
    const race = async (round: number) => {
      const { token } = await openSession(person.id);
      const [written] = await Promise.all([
        pause(round % 3).then(() => client.post("/api/tasks", { title }, { token })),
        pause(round % 5).then(() => client.post("/api/auth/logout", {}, { token })),
      ]);
      expect([201, 401]).toContain(written.status);
      expectProblem(await client.post("/api/tasks", { title }, { token }), 401, "session_revoked");
      return written.status;
    };
    const statuses: number[] = [];
    for (let round = 0; round < 100; round += 10) {
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, each) => race(round + each)))));
    }
    expect(await tasksCalled(title)).toBe(statuses.filter((status) => status === 201).length);
  });

  it("between a write and the loss of its scope have one winner each", async () => {
    const person = await signedInPerson();
    const ctx = await contextFor(person.token);
    const title = newTitle();
    const race = async (round: number) => {
      const { id, key } = await createApiKey(ctx, {
        name: "automation",
        scopes: ["tasks:read", "tasks:write"],
        expiresAt: null,
      });
      const [written] = await Promise.all([
        pause(round % 3).then(() => client.post("/api/tasks", { title }, { token: key })),
        pause(round % 5).then(() => changeApiKey(ctx, id, { scopes: ["tasks:read"] }, undefined)),
      ]);
      expect([201, 403]).toContain(written.status);
      expectProblem(await client.post("/api/tasks", { title }, { token: key }), 403, "insufficient_scope");
      await env.DB.prepare("DELETE FROM api_keys WHERE id = ?").bind(id).run();
      return written.status;
    };
    const statuses: number[] = [];
    for (let round = 0; round < 100; round += 10) {
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, (_, each) => race(round + each)))));
    }
    expect(await tasksCalled(title)).toBe(statuses.filter((status) => status === 201).length);
  });
});
