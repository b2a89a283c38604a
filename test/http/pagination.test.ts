import { describe, expect, it } from "vitest";
import type { Client } from "../harness.ts";
import { expectProblem } from "../harness.ts";
import { newFolder, newNote, sample } from "./client.ts";

const client = sample();

async function folderOf(count: number): Promise<{ folder: string; ids: number[] }> {
  const folder = newFolder();
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push((await newNote(client, folder, `note ${i}`)).id);
  return { folder, ids };
}

/** Reads a list to its end as a client would; `between` runs after each page. */
async function readAll(from: Client, path: string, between = async () => {}): Promise<number[][]> {
  const pages: number[][] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await from.get(cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
    expect(status).toBe(200);
    pages.push(body.data.map(({ id }: { id: number }) => id));
    cursor = body.nextCursor;
    await between();
    expect(pages.length, "the list never ends").toBeLessThan(50);
  } while (cursor !== null);
  return pages;
}

async function firstCursor(): Promise<{ folder: string; cursor: string }> {
  const { folder } = await folderOf(2);
  const { body } = await client.get(`/api/notes?folder=${folder}&limit=1`);
  return { folder, cursor: body.nextCursor };
}

describe("limit", () => {
  it.each(["0", "101", "-1", "abc", "1.5", "", "1e1", "%2B5", "0x10", "99999999999", "5&limit=6"])(
    "of %s is 422 and never clamped",
    async (limit) => {
      const answer = await client.get(`/api/notes?folder=x&limit=${limit}`);
      expectProblem(answer, 422, "validation_failed");
      expect(answer.body.errors[0].path).toBe("limit");
    },
  );

  it("is 50 when left out", async () => {
    const { folder } = await folderOf(51);
    const { body } = await client.get(`/api/notes?folder=${folder}`);
    expect(body.data).toHaveLength(50);
    expect(body.nextCursor).toEqual(expect.any(String));
  });

  it.each([1, 100])("of %i is taken as it is", async (limit) => {
    const { folder } = await folderOf(2);
    const { body } = await client.get(`/api/notes?folder=${folder}&limit=${limit}`);
    expect(body.data).toHaveLength(Math.min(limit, 2));
  });
});

describe("a list read page by page", () => {
  it("is complete and in order, and says null at its end", async () => {
    const { folder, ids } = await folderOf(7);
    const pages = await readAll(client, `/api/notes?folder=${folder}&limit=3`);
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(ids.reverse());
  });

  it("has no empty last page when the rows fill the pages exactly", async () => {
    const { folder } = await folderOf(4);
    expect(await readAll(client, `/api/notes?folder=${folder}&limit=2`)).toHaveLength(2);
  });

  it("of nothing is one empty page", async () => {
    const { body } = await client.get(`/api/notes?folder=${newFolder()}`);
    expect(body).toEqual({ data: [], nextCursor: null });
  });

  it("shows every row once while others arrive and leave", async () => {
    const { folder, ids } = await folderOf(9);
    let arrivals = 0;
    const pages = await readAll(client, `/api/notes?folder=${folder}&limit=2`, async () => {
      await newNote(client, folder, `arrived ${arrivals++}`);
      // The row the cursor points at goes away: the next page must not need it.
      if (arrivals === 1) await client.delete(`/api/notes/${ids[7]}`);
    });
    expect(pages.flat()).toEqual([...ids].reverse());
  });
});

describe("a cursor", () => {
  it("with any one character changed is 422 invalid_cursor", async () => {
    const { folder, cursor } = await firstCursor();
    for (let i = 0; i < cursor.length; i++) {
      const flipped = cursor[i] === "A" ? "B" : "A";
      const tampered = cursor.slice(0, i) + flipped + cursor.slice(i + 1);
      expectProblem(await client.get(`/api/notes?folder=${folder}&cursor=${tampered}`), 422, "invalid_cursor");
    }
    expect((await client.get(`/api/notes?folder=${folder}&cursor=${cursor}`)).status).toBe(200);
  });

  it.each(["", ".", "..", "garbage", "a.b.c", "bnVsbA.AAAAAAAAAAAAAAAA", "%F0%9F%A6%8A", "%00", "1", "eyJpZCI6MX0"])(
    "that is garbage is 422 invalid_cursor: %j",
    async (cursor) => {
      expectProblem(await client.get(`/api/notes?folder=x&cursor=${cursor}`), 422, "invalid_cursor");
    },
  );

  it("cut short or grown is 422 invalid_cursor", async () => {
    const { folder, cursor } = await firstCursor();
    for (const changed of [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}.`,
      ` ${cursor}`,
    ]) {
      const path = `/api/notes?folder=${folder}&cursor=${encodeURIComponent(changed)}`;
      expectProblem(await client.get(path), 422, "invalid_cursor");
    }
  });

  it("of another list is 422 invalid_cursor", async () => {
    const { folder, cursor } = await firstCursor();
    const path = `/api/notes?folder=${folder}&list=drafts&cursor=${cursor}`;
    expectProblem(await client.get(path), 422, "invalid_cursor");
  });

  it("signed with another secret is 422 invalid_cursor", async () => {
    const { folder, cursor } = await firstCursor();
    const other = sample({ JWT_SECRET: "another-secret-of-enough-length-0123456789" });
    expectProblem(await other.get(`/api/notes?folder=${folder}&cursor=${cursor}`), 422, "invalid_cursor");
  });

  it("of absurd length is 422 before anything is worked out", async () => {
    expectProblem(await client.get(`/api/notes?folder=x&cursor=${"A".repeat(1001)}`), 422, "validation_failed");
  });

  it("is 503 misconfigured, not guessable, while the secret is missing", async () => {
    expectProblem(await sample({ JWT_SECRET: undefined }).get("/api/notes?folder=x"), 503, "misconfigured");
  });
});
