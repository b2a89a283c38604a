import { expect, it } from "vitest";
import { beginClean } from "../clean-slate.ts";
import { service } from "../harness.ts";
import { exportArchive, importArchive, newOwner } from "./archives.ts";

it("a task edited for one occurrence alone survives a round trip", async () => {
  await beginClean();
  const client = service();
  const first = await newOwner(client);
  const { body } = await client.post(
    "/api/tasks",
    { title: "weekly", rrule: "FREQ=WEEKLY;BYDAY=FR" },
    { token: first },
  );
  const changed = await client.patch(`/api/tasks/${body.id}?scope=this`, { title: "only today" }, { token: first });
  expect(changed.status).toBe(200);
  const archive = await exportArchive(first);
  await beginClean();
  const token = await newOwner(client);
  const job = await importArchive(client, token, archive);
  const { body: list } = await client.get("/api/tasks", { token });
  expect(job).toMatchObject({ state: "succeeded" });
  expect(list.data).toMatchObject([{ title: "only today" }]);
  await client.patch(`/api/tasks/${list.data[0].id}`, { status: "done" }, { token });
  const { body: next } = await client.get("/api/tasks", { token });
  expect(next.data).toMatchObject([{ title: "weekly" }]);
});
