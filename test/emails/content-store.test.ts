import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { tidyEmailStorage } from "../../src/features/emails/orphans.ts";
import { deleteFiles } from "../../src/features/files/service.ts";
import { countRows } from "../auth/people.ts";
import { failingFiles } from "../files/stores.ts";
import { emptyService, expectErrorLog, expectProblem, service } from "../harness.ts";
import { watchDatabase } from "../measured.ts";
import { asSystem } from "../webhooks/receiver.ts";

const api = service();
const mail = { from: "ann@example.com", to: "hello@example.com", subject: "Long" };
const LONG = `Dear Ada, ${"the quarterly figures are attached. ".repeat(400)} The pangolin waits at the very end.`;
const HTML = `<p>${LONG}</p>`;

const keys = async () => (await env.FILES.list({ prefix: "emails/" })).objects.map(({ key }) => key);
const noted = () => countRows("files_to_delete", "store = 'r2'");
/** As if the objects had been written some days ago. */
async function ageObjects(days: number) {
  const renamed = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  for (const key of await keys()) {
    const object = await env.FILES.get(key);
    const older = key.replace(/\d{4}-\d\d-\d\d/, renamed);
    if (!object || older === key) continue;
    await env.FILES.put(older, await object.arrayBuffer());
    await env.FILES.delete(key);
    await env.DB.prepare("UPDATE emails SET content_key = ?1 WHERE content_key = ?2").bind(older, key).run();
  }
}
const tomorrow = () => asSystem((ctx) => tidyEmailStorage({ ...ctx, now: new Date(Date.now() + 86_400_000) }));

beforeEach(async () => {
  await emptyService();
  await env.DB.exec("DELETE FROM files_to_delete");
  await env.DB.exec("DELETE FROM file_checks");
  await env.FILES.delete(await keys());
});

describe("the content of an email", () => {
  it("stays in the row when it is short: the file store is not asked", async () => {
    const client = service(failingFiles("put", "get", "head", "delete", "list"));
    const { status, body } = await client.post("/api/emails", { ...mail, body: "Short", html: "<p>Short</p>" });
    expect(status).toBe(201);
    expect((await client.get(`/api/emails/${body.id}`)).body).toMatchObject({ body: "Short", html: "<p>Short</p>" });
    expect(await keys()).toEqual([]);
  });

  it("is an object when it is long, and every reader gets it", async () => {
    const { status, body } = await api.post("/api/emails", { ...mail, body: LONG, html: HTML });
    expect(status).toBe(201);
    expect(body).toMatchObject({ body: LONG, html: HTML, rawSize: null });
    expect(await keys()).toEqual([expect.stringMatching(/^emails\/\d{4}-\d\d-\d\d\/[\w-]{36}\.content$/)]);
    expect(await countRows("emails", "body IS NULL AND html IS NULL AND content_key IS NOT NULL")).toBe(1);
    expect((await api.get(`/api/emails/${body.id}`)).body).toMatchObject({ body: LONG, html: HTML });
    const changed = await api.patch(`/api/emails/${body.id}`, { isRead: true });
    expect(changed.body).toMatchObject({ isRead: true, body: LONG, html: HTML });
    expect((await api.get(`/api/emails/${body.id}/ai-analysis`)).status).toBe(200);
  });

  it("is found by words anywhere in a long text, and by phrases at its start", async () => {
    const { body } = await api.post("/api/emails", { ...mail, body: LONG });
    const found = async (q: string) => (await api.get(`/api/emails?q=${encodeURIComponent(q)}`)).body.data.length;
    expect(await found("pangolin")).toBe(1);
    expect(await found('"quarterly figures"')).toBe(1);
    expect(await found("nowhere")).toBe(0);
    await api.delete(`/api/emails/${body.id}`);
    expect(await found("pangolin")).toBe(0);
  });

  it("that cannot be read is 503, while lists and everything in the database work", async () => {
    const { body } = await api.post("/api/emails", { ...mail, body: LONG });
    const client = service(failingFiles("get"));
    expectErrorLog("file_not_read");
    expectProblem(await client.get(`/api/emails/${body.id}`), 503, "unavailable");
    expect((await client.get("/api/emails")).body.data).toHaveLength(1);
    expect((await client.get("/api/emails?q=pangolin")).body.data).toHaveLength(1);
    expectErrorLog("file_not_read");
    const answer = await client.patch(`/api/emails/${body.id}`, { isStarred: true });
    expectProblem(answer, 503, "unavailable");
    expect(answer.body.detail).toContain("The change is saved");
    expect((await api.get(`/api/emails/${body.id}`)).body.isStarred).toBe(true);
  });

  it("that has vanished from the store is told, and what is left is shown", async () => {
    const { body } = await api.post("/api/emails", { ...mail, body: LONG });
    await env.FILES.delete(await keys());
    expectErrorLog("email_content_missing");
    const read = await api.get(`/api/emails/${body.id}`);
    expect(read.status).toBe(200);
    expect(read.body.body).toMatch(/^Dear Ada.*missing from the file store/s);
  });
});

describe("nothing is orphaned", () => {
  it("when the file store refuses: nothing is stored", async () => {
    expectErrorLog("file_not_stored");
    expectProblem(await service(failingFiles("put")).post("/api/emails", { ...mail, body: LONG }), 503, "unavailable");
    expect(await countRows("emails", "1")).toBe(0);
    expect(await keys()).toEqual([]);
  });

  it("by an email that is stored already: its own object goes at once", async () => {
    const messageId = "<twice@example.com>";
    await api.post("/api/emails", { ...mail, messageId, body: LONG });
    const before = await keys();
    const again = await api.post("/api/emails", { ...mail, messageId, body: `${LONG} Again` });
    expect(again.status).toBe(200);
    expect(again.body.body).toBe(LONG);
    expect(await keys()).toEqual(before);
  });

  it("by a request that the database refuses", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const answer = await closed.post("/api/emails", { ...mail, body: LONG }, { token: "poa_not-a-key" });
    expect(answer.status).toBe(401);
    expect(await keys()).toEqual([]);
  });

  it("by a Worker that dies between the two stores: the nightly job removes what it left, and nothing else", async () => {
    const DB = watchDatabase(env.DB, {
      statement: (statement, method: string, args) => Reflect.get(statement, method).apply(statement, args),
      batch: () => Promise.reject(new Error("the Worker died")),
    });
    const kept = await api.post("/api/emails", { ...mail, body: LONG });
    expectErrorLog("request_failed");
    expect((await service({ DB }).post("/api/emails", { ...mail, body: LONG })).status).toBe(500);
    expect(await keys()).toHaveLength(2);
    // Too fresh: its row may still be on its way.
    await asSystem(tidyEmailStorage);
    expect(await keys()).toHaveLength(2);
    expect(await tomorrow()).toMatchObject({ orphans: 1 });
    expect(await keys()).toHaveLength(1);
    expect((await api.get(`/api/emails/${kept.body.id}`)).body.body).toBe(LONG);
    expect(await tomorrow()).toMatchObject({ orphans: 0 });
  });

  it("by a lost confirmation of the database: an email that was stored keeps its object", async () => {
    const DB = watchDatabase(env.DB, {
      statement: (statement, method: string, args) => Reflect.get(statement, method).apply(statement, args),
      async batch(statements, send) {
        await send(statements);
        throw new Error("the connection was lost");
      },
    });
    expectErrorLog("request_failed");
    const messageId = "<lost@example.com>";
    expect((await service({ DB }).post("/api/emails", { ...mail, messageId, body: LONG })).status).toBe(500);
    expect(await tomorrow()).toMatchObject({ orphans: 0 });
    const again = await api.post("/api/emails", { ...mail, messageId, body: LONG });
    expect(again.status).toBe(200);
    expect(again.body.body).toBe(LONG);
    expect(await keys()).toHaveLength(1);
  });

  it("by a job that the store stops: the next night goes on where this one stopped", async () => {
    await env.FILES.put("emails/2026-01-01/a", "x");
    await env.FILES.put("emails/2026-01-02/b.content", "x");
    expectErrorLog("file_not_deleted");
    const down = failingFiles("delete");
    const run = (vars = {}) =>
      asSystem((ctx) => tidyEmailStorage({ ...ctx, now: new Date(Date.now() + 86_400_000) }), vars);
    await expect(run(down)).rejects.toMatchObject({ code: "unavailable" });
    expect(await keys()).toHaveLength(2);
    expect(await run()).toMatchObject({ orphans: 2 });
    expect(await keys()).toEqual([]);
  });

  it("in one night, however many there are", async () => {
    const names = new Set(Array.from({ length: 7500 }, (_, n) => `emails/2026-02-01/${String(n).padStart(5, "0")}`));
    const calls = { list: 0, delete: 0 };
    const FILES = {
      list({ startAfter, limit }: { startAfter: string; limit: number }) {
        calls.list++;
        const after = [...names].filter((key) => key > startAfter);
        const objects = after.slice(0, limit).map((key) => ({ key, uploaded: new Date(0) }));
        return Promise.resolve({ objects, truncated: after.length > limit });
      },
      delete(keys: string[]) {
        calls.delete++;
        for (const key of keys) names.delete(key);
        return Promise.resolve();
      },
    } as unknown as R2Bucket;
    expect(await asSystem(tidyEmailStorage, { FILES })).toMatchObject({ orphans: 7500 });
    expect(names.size).toBe(0);
    expect(calls).toEqual({ list: 8, delete: 8 });
  });
});

describe("an email deleted for good", () => {
  it("takes its objects with it, after three days in which the database can be restored", async () => {
    const { body } = await api.post("/api/emails", { ...mail, body: LONG });
    await ageObjects(2);
    await api.delete(`/api/emails/${body.id}`);
    expect(await noted()).toBe(1);
    const due = await env.DB.prepare("SELECT due_at FROM files_to_delete").first<number>("due_at");
    expect((due ?? 0) - Date.now()).toBeGreaterThan(2.9 * 86_400_000);
    await asSystem(deleteFiles);
    // Nor does the search for orphans shorten the grace.
    await tomorrow();
    expect(await keys()).toHaveLength(1);
    await env.DB.exec("UPDATE files_to_delete SET due_at = 1");
    await asSystem(deleteFiles);
    expect(await keys()).toEqual([]);
    expect(await noted()).toBe(0);
  });

  it("without objects leaves nothing to delete", async () => {
    const { body } = await api.post("/api/emails", { ...mail, body: "Short" });
    await api.delete(`/api/emails/${body.id}`);
    expect(await noted()).toBe(0);
  });
});
