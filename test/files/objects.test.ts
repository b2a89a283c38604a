import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import {
  deleteObjects,
  newObjectKey,
  readObject,
  writeObject,
  writeObjectFrom,
} from "../../src/features/files/objects.ts";
import { announceFile, deleteFiles, discardFiles } from "../../src/features/files/service.ts";
import { countRows } from "../auth/people.ts";
import { expectErrorLog } from "../harness.ts";
import { asSystem } from "../webhooks/receiver.ts";
import { failingFiles } from "./stores.ts";

beforeEach(async () => {
  await env.DB.exec("DELETE FROM files_to_delete");
  await env.FILES.delete((await env.FILES.list()).objects.map(({ key }) => key));
});

const keyOf = () => asSystem(async (ctx) => newObjectKey(ctx, "emails"));
const act = <Result>(work: (ctx: Context) => Promise<Result>, vars: Partial<Env> = {}) => asSystem(work, vars);
const unavailable = { code: "unavailable" };
const text = async (key: string) => (await env.FILES.get(key))?.text() ?? null;
const streamOf = (...parts: (string | Error)[]) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else if (part instanceof Error) controller.error(part);
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });

describe("objects", () => {
  it("have a key with their day and nothing else that means something", async () => {
    expect(await keyOf()).toMatch(/^emails\/\d{4}-\d\d-\d\d\/[0-9a-f-]{36}$/);
  });

  it("are written, read whole or in part, and deleted", async () => {
    const key = await keyOf();
    await act((ctx) => writeObject(ctx, key, "0123456789"));
    expect(await act(async (ctx) => (await readObject(ctx, key))?.text())).toBe("0123456789");
    expect(await act(async (ctx) => (await readObject(ctx, key, { offset: 3, length: 4 }))?.text())).toBe("3456");
    await act((ctx) => deleteObjects(ctx, [key, "emails/2026-01-01/none"]));
    expect(await act((ctx) => readObject(ctx, key))).toBeNull();
  });

  it("are written from a stream of known length", async () => {
    const key = await keyOf();
    await act((ctx) => writeObjectFrom(ctx, key, streamOf("01234", "56789"), 10));
    expect(await text(key)).toBe("0123456789");
  });

  it("are not written from a stream that breaks off, whose own error is thrown", async () => {
    const key = await keyOf();
    const broken = new Error("the line is gone");
    for (const parts of [[broken], ["0123", broken], ["0123456789", broken]]) {
      await expect(act((ctx) => writeObjectFrom(ctx, key, streamOf(...parts), 10))).rejects.toBe(broken);
    }
  });

  it.each([
    ["is shorter than announced", streamOf("0123"), 10],
    ["is longer than announced", streamOf("0123456789ab"), 10],
  ])("are not written from a stream that %s", async (_, stream, size) => {
    const key = await keyOf();
    expectErrorLog("file_not_stored");
    await expect(act((ctx) => writeObjectFrom(ctx, key, stream, size))).rejects.toThrow();
    expect(await text(key)).toBeNull();
  });

  it("are a clear error while the store does not respond", async () => {
    const key = await keyOf();
    for (const event of ["file_not_stored", "file_not_stored", "file_not_read", "file_not_deleted"])
      expectErrorLog(event);
    const down = failingFiles("put", "get", "delete");
    await expect(act((ctx) => writeObject(ctx, key, "a"), down)).rejects.toMatchObject(unavailable);
    await expect(act((ctx) => writeObjectFrom(ctx, key, streamOf("a"), 1), down)).rejects.toMatchObject(unavailable);
    await expect(act((ctx) => readObject(ctx, key), down)).rejects.toMatchObject(unavailable);
    await expect(act((ctx) => deleteObjects(ctx, [key]), down)).rejects.toMatchObject(unavailable);
  });
});

describe("objects that are to be deleted", () => {
  const write = async (count: number) => {
    const keys = await Promise.all(Array.from({ length: count }, keyOf));
    await Promise.all(keys.map((key) => env.FILES.put(key, "a")));
    return keys;
  };
  const left = async () => (await env.FILES.list({ prefix: "emails/" })).objects.length;

  it("go together with files in KV, each from its own store", async () => {
    const keys = await write(3);
    await env.KV.put("avatar:0:a", "a");
    await act((ctx) => discardFiles(ctx, keys, "r2"));
    await act((ctx) => discardFiles(ctx, ["avatar:0:a"]));
    expect(await act(deleteFiles)).toBe(4);
    expect(await left()).toBe(0);
    expect(await env.KV.get("avatar:0:a")).toBeNull();
    expect(await countRows("files_to_delete", "1")).toBe(0);
  });

  it("stay noted while one store is down; the other goes on", async () => {
    const keys = await write(2);
    await env.KV.put("avatar:0:b", "a");
    await act((ctx) => discardFiles(ctx, keys, "r2"));
    await act((ctx) => discardFiles(ctx, ["avatar:0:b"]));
    await expect(act(deleteFiles, failingFiles("delete"))).rejects.toThrow("2 files could not be deleted");
    expect(await env.KV.get("avatar:0:b")).toBeNull();
    expect(await countRows("files_to_delete", "store = 'r2' AND due_at = 0")).toBe(2);
    await act(deleteFiles);
    expect(await left()).toBe(0);
  });

  it("are announced before an upload and go in an hour", async () => {
    const [key = ""] = await write(1);
    await act((ctx) => announceFile(ctx, key, "r2"));
    await act(deleteFiles);
    expect(await left()).toBe(1);
    await env.DB.exec("UPDATE files_to_delete SET due_at = 1");
    await act(deleteFiles);
    expect(await left()).toBe(0);
  });

  it("are many in one call of the store", async () => {
    const keys = Array.from({ length: 2300 }, (_, n) => `emails/2026-01-01/${n}`);
    const sizes: number[] = [];
    const FILES = { delete: async (some: string[]) => void sizes.push(some.length) } as unknown as Env["FILES"];
    await act((ctx) => discardFiles(ctx, keys, "r2"));
    expect(await act(deleteFiles, { FILES })).toBe(2300);
    expect(sizes).toEqual([1000, 1000, 300]);
  });
});
