import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createFakeModels, type SeenRequest } from "../fakes/llm/server.ts";
import { type RunningWorker, startWorker } from "./worker.ts";

/*
 * A client that hangs up in the middle of a stream: only a real connection can. The runtime drops such a
 * request, and what it cost must be written down all the same.
 */

const models = createFakeModels();
const KEY = "leaving-tenant";
let worker: RunningWorker;
let modelsUrl: string;

async function post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = { "content-type": "application/json", ...init.headers };
  return fetch(new URL(path, worker.url), { ...init, method: "POST", headers, body: JSON.stringify(body) });
}

async function control(verb: string, command: unknown = {}): Promise<SeenRequest[]> {
  const response = await fetch(`${modelsUrl}/control/${KEY}/${verb}`, {
    method: "POST",
    body: JSON.stringify(command),
  });
  return response.json();
}

beforeAll(async () => {
  await new Promise<void>((resolve) => models.listen(0, "127.0.0.1", resolve));
  modelsUrl = `http://127.0.0.1:${(models.address() as AddressInfo).port}`;
  worker = await startWorker({
    JWT_SECRET: "test-only-jwt-secret-0123456789-abcdef",
    PASSWORD_PEPPER: "test-only-pepper-0123456789-abcdefghij",
    ENCRYPTION_KEY: "test-only-encryption-key-0123456789-abc",
    ALLOW_PRIVATE_HOSTS: "true",
  });
  await worker.migrate();
  const account = { email: "owner@example.com", password: "correct horse battery", name: "Owner" };
  const { token } = (await (await post("/api/auth/register", account)).json()) as { token: string };
  const key = { provider: "openai", key: KEY, baseUrl: `${modelsUrl}/openai/v1` };
  const saved = await post("/api/api-keys", key, { headers: { authorization: `Bearer ${token}` } });
  expect(saved.status).toBe(201);
}, 60_000);

afterAll(async () => {
  models.closeAllConnections();
  models.close();
  await worker?.stop();
});

describe("a client that leaves a stream", () => {
  it("makes the service hang up on the model, and the call is written down", async () => {
    await control("script", [{ text: "Once upon a time", breaks: "silence" }]);
    const leaving = new AbortController();
    const response = await post(
      "/api/ai/generate",
      { prompt: "A story" },
      { headers: { accept: "text/event-stream" }, signal: leaving.signal },
    );
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toContain("Once");
    leaving.abort();
    await vi.waitFor(async () => expect((await control("requests"))[0]?.hungUp).toBe(true), { timeout: 20_000 });
    await vi.waitFor(
      async () => {
        const stats = await (await fetch(new URL("/api/stats", worker.url))).json();
        expect(stats).toMatchObject({ ai: { calls: 1 } });
      },
      { timeout: 20_000 },
    );
  });
});
