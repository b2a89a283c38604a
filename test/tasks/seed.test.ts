import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tasks } from "../../scripts/seed/tasks.ts";
import { emptyService, service } from "../harness.ts";

beforeAll(emptyService);
afterAll(emptyService);

it("the seed replaces its own tasks and leaves a person's alone, whatever their tags", async () => {
  const client = service();
  const seed = () => tasks({ db: env.DB, kv: env.KV, files: env.FILES, vars: {}, random: () => 0.5, now: new Date() });
  const { body: own } = await client.post("/api/tasks", { title: "Send a sample to Ann", tags: ["sample"] });
  await seed();
  await seed();
  const { body } = await client.get("/api/tasks?tag=sample&status=all&limit=100");
  expect(body.data).toHaveLength(32);
  expect((await client.get(`/api/tasks/${own.id}`)).body).toEqual(own);
});
