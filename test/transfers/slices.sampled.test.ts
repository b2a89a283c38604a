import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { deleteFiles } from "../../src/features/files/service.ts";
import { sweepAllTransfers } from "../../src/features/transfer-runners/service.ts";
import { PASSWORD, setClock, signedInPerson } from "../auth/people.ts";
import { beginClean } from "../clean-slate.ts";
import { failingFiles } from "../files/stores.ts";
import { expectErrorLog, expectProblem, service, systemCtx } from "../harness.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { rarely } from "../sampled.ts";
import {
  download,
  EXPORTS,
  entriesOf,
  exportArchive,
  IMPORT,
  importArchive,
  newOwner,
  recordsOf,
  seed,
  seedQuietly,
  signIn,
  upload,
} from "./archives.ts";

beforeEach(beginClean);

const client = service();
const MINUTE_MS = 60_000;

async function startExport(token: string): Promise<string> {
  const { body } = await client.post(EXPORTS, undefined, { token });
  return body.id;
}

const readExport = async (token: string, id: string) => (await client.get(`${EXPORTS}/${id}`, { token })).body;
const message = (id: string, slice: number) => ({ kind: "transfer.slice", id, slice });

describe("an export", () => {
  it("is queued, then done, and can be downloaded whole or in part, by its owner only", async () => {
    const [ann, bob] = [await signedInPerson(), await signedInPerson()];
    const { status, body: job } = await client.post(EXPORTS, undefined, { token: ann.token });
    expect(status).toBe(202);
    expect(job).toMatchObject({ state: "queued", downloadUrl: null, size: null, result: null, finishedAt: null });
    const path = `${EXPORTS}/${job.id}`;
    expectProblem(await client.get(`${path}/download`, { token: ann.token }), 409, "conflict");
    await deliverQueue();
    const done = await readExport(ann.token, job.id);
    expect(done).toMatchObject({ state: "succeeded", downloadUrl: `http://poa.test${path}/download` });
    expect(done.progress.done).toBe(done.progress.total);
    const whole = await client.get(`${path}/download`, { token: ann.token });
    expect(whole.headers.get("content-length")).toBe(String(done.size));
    expect(whole.headers.get("content-disposition")).toMatch(/^attachment; filename="poa-export-[\d-]+\.zip"$/);
    for (const [range, expected] of [
      ["bytes=0-3", "bytes 0-3"],
      ["bytes=-22", `bytes ${done.size - 22}-${done.size - 1}`],
      [`bytes=${done.size - 1}-`, `bytes ${done.size - 1}-${done.size - 1}`],
    ] as const) {
      const part = await client.get(`${path}/download`, { token: ann.token, headers: { range } });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `${expected}/${done.size}`]);
    }
    const beyond = { token: ann.token, headers: { range: `bytes=${done.size}-` } };
    expect((await client.get(`${path}/download`, beyond)).status).toBe(200);
    for (const suffix of ["", "/download"]) {
      expectProblem(await client.get(path + suffix, { token: bob.token }), 404, "not_found");
    }
    expectProblem(await client.delete(path, { token: bob.token }), 404, "not_found");
    expect((await client.get(EXPORTS, { token: bob.token })).body.data).toEqual([]);
    expect((await client.get(EXPORTS, { token: ann.token })).body.data).toMatchObject([{ id: job.id }]);
  });

  it("of a member has only what is theirs", async () => {
    await seed();
    const member = await signedInPerson();
    const records = await recordsOf(await exportArchive(member.token));
    expect(records.account).toMatchObject([{ id: member.id }]);
    expect(Object.keys(records)).not.toContain("emails");
    expect(Object.keys(records)).not.toContain("tasks");
    expect(JSON.stringify(records)).not.toContain("ada@example.com");
  });

  rarely("is done once, however often its messages come", async () => {
    await seed();
    const token = await signIn(client);
    const id = await startExport(token);
    takeQueued();
    await deliverBatch("jobs", [message(id, 1), message(id, 1), message(id, 3), message(id, 1)]);
    const slices = queued().map(({ body }) => body);
    expect(slices).toEqual([message(id, 2)]);
    await deliverQueue();
    await deliverBatch("jobs", [message(id, 1), message(id, 2), message(id, 3)]);
    expect(await readExport(token, id)).toMatchObject({ state: "succeeded" });
    const names = (await entriesOf(await download(id))).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  rarely("goes on after a slice that was killed: the cron sends it again", async () => {
    await seed();
    const token = await signIn(client);
    const expected = await recordsOf(await exportArchive(token));
    const id = await startExport(token);
    takeQueued();
    // Claimed, and then nothing is heard of it any more: the database is gone for the rest of the slice.
    await env.DB.prepare("UPDATE transfers SET slice = 1, state = 'running', attempts = 1 WHERE id = ?").bind(id).run();
    await sweepAllTransfers(systemCtx());
    expect(queued()).toEqual([]);
    setClock(new Date(Date.now() + 7 * MINUTE_MS));
    try {
      await sweepAllTransfers(systemCtx());
      await deliverQueue();
      expect(await readExport(await signIn(client), id)).toMatchObject({ state: "succeeded" });
      const { emails, tasks, events } = await recordsOf(await download(id));
      expect({ emails, tasks, events }).toEqual({
        emails: expected.emails,
        tasks: expected.tasks,
        events: expected.events,
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("tries again while the store is down, gives up at last, and says so", async () => {
    const { token } = await signedInPerson();
    const id = await startExport(token);
    const FILES = failingFiles("put", "createMultipartUpload");
    for (let slice = 1; slice <= 6; slice++) {
      takeQueued();
      await deliverBatch("jobs", [message(id, slice)], { vars: FILES });
      expect(await readExport(token, id)).toMatchObject({ state: "running", error: null });
      expect(queued()).toMatchObject([{ lane: "retries", body: message(id, slice + 1) }]);
    }
    expectErrorLog("transfer_failed");
    await deliverBatch("jobs", [message(id, 7)], { vars: FILES });
    await deliverQueue();
    const failed = await readExport(token, id);
    expect(failed).toMatchObject({ state: "failed", error: expect.stringContaining("Try again later") });
    expect(failed.finishedAt).not.toBeNull();
  });

  it("that is deleted leaves nothing in the store, running or done", async () => {
    await seed();
    const token = await signIn(client);
    const done = await startExport(token);
    await deliverQueue();
    const running = await startExport(token);
    const [first] = takeQueued();
    await deliverBatch("jobs", [first?.body]);
    takeQueued();
    expect((await env.FILES.list({ prefix: "exports/" })).objects.length).toBeGreaterThan(1);
    for (const id of [done, running]) expect((await client.delete(`${EXPORTS}/${id}`, { token })).status).toBe(204);
    expect(await readExport(token, running)).toMatchObject({ state: "cancelled" });
    await deliverQueue();
    expect((await client.delete(`${EXPORTS}/${running}`, { token })).status).toBe(204);
    await deleteFiles(systemCtx());
    expect((await env.FILES.list({ prefix: "exports/" })).objects).toEqual([]);
    expect((await client.get(EXPORTS, { token })).body.data).toEqual([]);
  });

  it("expires after a week, with its archive", async () => {
    const { token } = await signedInPerson();
    await exportArchive(token);
    await env.DB.prepare("UPDATE transfers SET expires_at = 0").run();
    await sweepAllTransfers(systemCtx());
    await deleteFiles(systemCtx());
    expect((await client.get(EXPORTS, { token })).body.data).toEqual([]);
    expect((await env.FILES.list({ prefix: "exports/" })).objects).toEqual([]);
  });

  rarely("is one at a time, of at most five, and goes with the account", async () => {
    const { token, email } = await signedInPerson();
    await startExport(token);
    expectProblem(await client.post(EXPORTS, undefined, { token }), 409, "conflict");
    await deliverQueue();
    for (let n = 2; n <= 5; n++) await exportArchive(token);
    expectProblem(await client.post(EXPORTS, undefined, { token }), 409, "conflict");
    expect((await env.FILES.list({ prefix: "exports/" })).objects.length).toBeGreaterThanOrEqual(5);
    const proof = { confirm: email, currentPassword: PASSWORD };
    expect((await client.delete("/api/settings/account", { token, body: proof })).status).toBe(204);
    await deleteFiles(systemCtx());
    expect((await env.FILES.list({ prefix: "exports/" })).objects).toEqual([]);
  });
});

let exported: Uint8Array<ArrayBuffer> | undefined;
/** Exported by the first test that needs it. The service is empty again afterwards. */
async function quietArchive(): Promise<Uint8Array<ArrayBuffer>> {
  if (exported) return exported;
  await seedQuietly();
  exported = await exportArchive(await signIn(client));
  await beginClean();
  return exported;
}

describe("an import", () => {
  it("is only for the owner of an empty service, and says what is in the way", async () => {
    const archive = await quietArchive();
    const token = await newOwner(client);
    const member = await signedInPerson();
    expectProblem(await upload(client, member.token, archive), 403, "forbidden");
    await client.post("/api/tasks", { title: "in the way" });
    const refused = await upload(client, token, archive);
    expectProblem(refused, 409, "conflict");
    expect(refused.body.inTheWay).toEqual(["tasks", "other accounts"]);
    expect((await env.FILES.list({ prefix: "uploads/" })).objects).toEqual([]);
  });

  rarely("goes on where a killed slice had committed, and writes nothing twice", async () => {
    const archive = await quietArchive();
    const token = await newOwner(client);
    const { body: job } = await upload(client, token, archive);
    takeQueued();
    await deliverBatch("jobs", [message(job.id, 1), message(job.id, 1)]);
    takeQueued();
    // Each batch that is cut off has written its rows and its place together, or neither.
    for (let slice = 2; slice < 12; slice++) {
      let batches = 0;
      const DB = new Proxy(env.DB, {
        get(target, name) {
          const member = Reflect.get(target, name);
          if (name === "batch") {
            return (statements: D1PreparedStatement[]) => {
              batches += 1;
              return batches > 3 ? Promise.reject(new Error("killed")) : target.batch(statements);
            };
          }
          return typeof member === "function" ? member.bind(target) : member;
        },
      });
      await deliverBatch("jobs", [message(job.id, slice)], { vars: { DB } });
      takeQueued();
    }
    const done = (await client.get(`${IMPORT}/${job.id}`, { token })).body;
    expect(done).toMatchObject({ state: "succeeded" });
    const sent = await recordsOf(archive);
    const returned = await recordsOf(await exportArchive(token));
    for (const name of ["emails", "tasks", "events", "captions", "streamEvents"]) {
      expect(returned[name], name).toEqual(sent[name]);
    }
  });

  rarely("that is cancelled takes back what it wrote, and can be repeated", async () => {
    const archive = await quietArchive();
    const token = await newOwner(client);
    const { body: job } = await upload(client, token, archive);
    const [first] = takeQueued();
    await deliverBatch("jobs", [first?.body]);
    const begun = await env.DB.prepare("SELECT position FROM transfers WHERE id = ?").bind(job.id).first("position");
    // The service takes new records meanwhile: they get ids of their own.
    const task = await client.post("/api/tasks", { title: "of the meantime" });
    const [second] = takeQueued();
    await deliverBatch("jobs", [second?.body]);
    expect((await client.get("/api/emails")).body.data.length).toBeGreaterThan(0);
    await env.DB.prepare("UPDATE transfers SET state = 'running', due_at = 1, position = ? WHERE id = ?")
      .bind(begun, job.id)
      .run();
    await client.delete(`${IMPORT}/${job.id}`, { token });
    await deliverQueue();
    expect((await client.get("/api/emails")).body.data).toEqual([]);
    expect((await client.get("/api/calendar/events")).body.data).toEqual([]);
    expect((await client.get("/api/tasks")).body.data).toMatchObject([{ id: task.body.id }]);
    expect((await client.get("/api/stream/milestones")).body.data.length).toBe(6);
    await client.delete(`/api/tasks/${task.body.id}`);
    expect(await importArchive(client, token, archive)).toMatchObject({ state: "succeeded" });
  });

  it("keeps five uploads: another one deletes the oldest, which nobody could find to delete", async () => {
    const token = await newOwner(client);
    const UPLOADS = "/api/settings/data/uploads";
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) {
      const begun = await client.post(UPLOADS, undefined, { token });
      expect(begun.status).toBe(201);
      ids.push(begun.body.id);
    }
    const found = await Promise.all(ids.map(async (id) => (await client.get(`${UPLOADS}/${id}`, { token })).status));
    expect(found.sort()).toEqual([200, 200, 200, 200, 200, 404]);
    expect((await client.get(`${UPLOADS}/${ids.at(-1)}`, { token })).status).toBe(200);
  });

  rarely("takes an archive in parts, in any order and with one sent again", async () => {
    const archive = await quietArchive();
    const token = await newOwner(client);
    const UPLOADS = "/api/settings/data/uploads";
    const { body: begun } = await client.post(UPLOADS, undefined, { token });
    const send = (part: number, raw: Uint8Array<ArrayBuffer>) =>
      client.put(`${UPLOADS}/${begun.id}/parts/${part}`, undefined, {
        token,
        raw,
        headers: { "content-type": "application/octet-stream" },
      });
    expectProblem(await client.post(IMPORT, { uploadId: begun.id }, { token }), 409, "conflict");
    await send(2, archive.slice(10));
    expectProblem(await client.post(IMPORT, { uploadId: begun.id }, { token }), 409, "conflict");
    await client.delete(`${UPLOADS}/${begun.id}`, { token });
    const whole = await client.post(UPLOADS, undefined, { token });
    begun.id = whole.body.id;
    await send(1, archive.slice(0, 100));
    const sent = await send(1, archive);
    expect(sent.body).toMatchObject({ parts: [1], size: archive.length });
    const started = await client.post(IMPORT, { uploadId: begun.id }, { token });
    expect(started.status).toBe(202);
    await deliverQueue();
    expect((await client.get(`${IMPORT}/${started.body.id}`, { token })).body).toMatchObject({ state: "succeeded" });
    expectProblem(await client.get(`${UPLOADS}/${begun.id}`, { token }), 404, "not_found");
  });
});
