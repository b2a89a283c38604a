import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "../auth/people.ts";
import { service } from "../harness.ts";
import { countStatements, measureRows } from "../measured.ts";
import { newWebhook, removeWebhooks } from "./receiver.ts";

const counted = countStatements(env.DB);
const client = service({ DB: counted.db });

beforeEach(removeWebhooks);
afterEach(async () => {
  vi.useRealTimers();
  await removeWebhooks();
});

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  counted.taken();
  await work();
  return counted.taken().statements;
}

const write = () => client.post("/api/tasks", { title: "x" });
const read = () => client.get("/api/tasks?limit=1");

describe("without webhooks", () => {
  it("a write asks for them once a minute, after its answer, and a read never", async () => {
    expect(await statementsOf(read)).toBe(1);
    expect(await statementsOf(write)).toBe(2);
    expect(await statementsOf(write)).toBe(1);
    setClock(Date.now() + 61_000);
    expect(await statementsOf(read)).toBe(1);
    expect(await statementsOf(write)).toBe(2);
    expect(await statementsOf(write)).toBe(1);
  });

  it("a write that was refused does not ask", async () => {
    expect(await statementsOf(() => client.post("/api/tasks", {}))).toBe(0);
  });

  it("asking reads next to nothing", async () => {
    const measured = measureRows(env.DB);
    const api = service({ DB: measured.db });
    await api.post("/api/tasks", { title: "x" });
    const [, asked] = measured.taken();
    expect(asked).toBeLessThanOrEqual(3);
  });

  it("one that is added ends the minute at once", async () => {
    await write();
    const webhook = await newWebhook(["task.created"]);
    await write();
    expect(await webhook.received()).toHaveLength(1);
  });
});

describe("with a webhook that wants nothing of this", () => {
  it("a write that raises no event asks once, and nothing more", async () => {
    const { body } = await write();
    await newWebhook(["email.received"]);
    expect(await statementsOf(() => client.patch(`/api/tasks/${body.id}`, { title: "y" }))).toBe(3);
  });
});
