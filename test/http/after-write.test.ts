import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/http/app-env.ts";
import { eventStream } from "../../src/http/event-stream.ts";
import { createRouter } from "../../src/http/router.ts";
import { createServer } from "../../src/http/server.ts";
import { AppError } from "../../src/lib/errors.ts";
import { expectErrorLog, service } from "../harness.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A server whose handlers write down what they do, and so does what comes after a write. */
function noting() {
  const notes: string[] = [];
  const router = createRouter();
  router.get("/x", (c) => c.text("read"));
  router.post("/x", (c) => {
    const ctx = contextOf(c);
    const further = async () => {
      await pause(10);
      notes.push("further");
    };
    ctx.defer(
      (async () => {
        await pause(10);
        notes.push("deferred");
        ctx.defer(further());
        throw new Error("deferred work may fail");
      })(),
    );
    return c.text("written");
  });
  router.post("/x/refused", () => {
    throw new AppError("not_found");
  });
  router.post("/x/failed", () => {
    throw new AppError("provider_error");
  });
  router.post("/x/stream", (c) =>
    eventStream(c, async function* () {
      yield { event: "delta", data: "first" };
      await pause(20);
      notes.push("streamed");
      yield { event: "delta", data: "last" };
    }),
  );
  const app = createServer({
    version: "0",
    readCredential: () => Promise.reject(new AppError("unauthenticated")),
    reauthenticate: async () => ({}),
    afterWrite: { isNeeded: () => true, run: async () => void notes.push("after") },
    features: [{ tag: "X", routes: router }],
    tags: [{ name: "X", description: "x" }],
  });
  return { notes, client: service({}, app) };
}

describe("after a write", () => {
  it("the work comes last, when all that was deferred is done, whatever came of that", async () => {
    expectErrorLog("deferred_work_failed");
    const { notes, client } = noting();
    expect((await client.post("/x")).text).toBe("written");
    expect(notes).toEqual(["deferred", "further", "after"]);
  });

  it("the work waits for the end of a stream, which arrives whole", async () => {
    const { notes, client } = noting();
    const answer = await client.post("/x/stream");
    expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(answer.headers.get("x-request-id")).toBeTruthy();
    expect(answer.text).toBe('event: delta\ndata: "first"\n\nevent: delta\ndata: "last"\n\n');
    expect(notes).toEqual(["streamed", "after"]);
  });

  it("that failed on our side or a provider's the work is done, since something may have been written", async () => {
    const { notes, client } = noting();
    expect((await client.post("/x/failed")).status).toBe(502);
    expect(notes).toEqual(["after"]);
  });
});

it("after a read, and after a write that was refused, there is no such work", async () => {
  const { notes, client } = noting();
  expect((await client.get("/x")).status).toBe(200);
  expect((await client.call("OPTIONS", "/x")).status).toBe(204);
  expect((await client.post("/x/refused")).status).toBe(404);
  expect((await client.post("/x/unknown")).status).toBe(404);
  expect(notes).toEqual([]);
});
