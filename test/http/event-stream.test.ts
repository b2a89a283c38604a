import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/config.ts";
import { eventStream, type ServerEvent, wantsEvents } from "../../src/http/event-stream.ts";
import { createRouter } from "../../src/http/router.ts";
import { createServer } from "../../src/http/server.ts";
import { AppError } from "../../src/lib/errors.ts";
import { expectErrorLog, takeLogs } from "../harness.ts";

/** A service whose only answer are these events. */
async function open(events: (signal: AbortSignal) => AsyncIterable<ServerEvent>, heartbeatMs?: number) {
  const router = createRouter();
  router.get("/", (c) => (wantsEvents(c) ? eventStream(c, events, heartbeatMs) : c.text("plain")));
  const readCredential = () => Promise.reject(new AppError("unauthenticated"));
  const app = createServer({
    version: VERSION,
    readCredential,
    reauthenticate: async () => ({}),
    features: [],
    tags: [],
  }).route("/events", router);
  const execution = createExecutionContext();
  const request = new Request("http://poa.test/events", { headers: { accept: "text/event-stream" } });
  const response = await app.fetch(request, env, execution);
  return { response, finish: () => waitOnExecutionContext(execution) };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a stream of events", () => {
  it("writes each as text that any client reads, with ids where there are some", async () => {
    const { response } = await open(async function* () {
      yield { event: "one", data: { text: "a\nb" }, id: "7" };
      yield { event: "two", data: null };
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toBe('id: 7\nevent: one\ndata: {"text":"a\\nb"}\n\nevent: two\ndata: null\n\n');
  });

  it("that fails before its first event is a plain problem", async () => {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to say
    const { response } = await open(async function* () {
      throw new AppError("provider_timeout", "too late");
    });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ code: "provider_timeout" });
  });

  it("that fails later ends with the problem as an event, and tells nothing of an unforeseen cause", async () => {
    expectErrorLog("request_failed");
    const { response } = await open(async function* () {
      yield { event: "one", data: 1 };
      throw new Error("the password is hunter2");
    });
    const text = await response.text();
    expect(text).toMatch(/event: error\ndata: \{.*"code":"internal"/);
    expect(text).not.toContain("hunter2");
    expect(takeLogs().join("\n")).toContain("request_failed");
  });

  it("shows that it is alive while nothing happens", async () => {
    let seeEnough = () => {};
    const seen = new Promise<void>((resolve) => {
      seeEnough = resolve;
    });
    const { response } = await open(async function* () {
      await seen;
      yield { event: "late", data: 1 };
    }, 20);
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.split(": still here\n\n").length > 3) seeEnough();
    }
    expect(text).toMatch(/^(: still here\n\n){3,}event: late\ndata: 1\n\n$/);
  });

  it("stops its source when the reader goes away, also one that waits", async () => {
    let stopped = false;
    const { response, finish } = await open(async function* (signal) {
      try {
        yield { event: "one", data: 1 };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      } finally {
        stopped = true;
      }
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await finish();
    expect(stopped).toBe(true);
  });

  it("does not run ahead of its reader", async () => {
    let made = 0;
    const { response } = await open(async function* () {
      for (; made < 1000; made++) yield { event: "n", data: made };
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await wait(20);
    expect(made).toBeLessThan(10);
    await reader?.cancel();
  });
});
