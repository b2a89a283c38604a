import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningWorker, startWorker } from "./worker.ts";

/*
 * What only a real socket shows: `Request` objects made in a test cannot have a GET with a body, and
 * have no connection that could break.
 */

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startWorker();
});
afterAll(() => worker?.stop());

interface WireAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
  localPort: number | undefined;
}

/** Sends the bytes; chunked unless the headers declare a length. */
function send(
  method: string,
  path: string,
  bytes = 0,
  headers: OutgoingHttpHeaders = {},
  agent: Agent | false = false,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = worker.url;
    const outgoing = request({ hostname, port, path, method, headers, agent }, (incoming) => {
      let text = "";
      const { localPort } = incoming.socket;
      incoming.setEncoding("utf8");
      incoming.on("data", (part) => {
        text += part;
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode, headers: incoming.headers, text, localPort }));
    });
    outgoing.on("error", reject);
    outgoing.end(bytes > 0 ? Buffer.alloc(bytes, " ") : undefined);
  });
}

const chunked = { "transfer-encoding": "chunked", "content-type": "application/json" };
const TWO_MIB = 2 * 1024 * 1024;

describe("over a real connection", () => {
  it.each(["GET", "DELETE", "POST", "OPTIONS"])(
    "a %s with a small chunked body is answered as one without",
    async (method) => {
      const plain = await send(method, "/api/health");
      const { status } = await send(method, "/api/health", 100, chunked);
      expect(status).toBe(plain.status);
      expect(status).not.toBe(500);
    },
  );

  it.each(["GET", "DELETE", "POST"])("a %s with 2 MiB in chunks is 413", async (method) => {
    const { status, text } = await send(method, "/api/health", TWO_MIB, chunked);
    expect(status).toBe(413);
    expect(JSON.parse(text).code).toBe("body_too_large");
  });

  it.each(["GET", "DELETE", "POST"])("a %s with 2 MiB of declared length is 413", async (method) => {
    const { status, headers } = await send(method, "/api/health", TWO_MIB, { "content-length": TWO_MIB });
    expect(status).toBe(413);
    expect(headers["content-type"]).toBe("application/problem+json");
  });

  it("a connection that carried too much can be used again", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    for (const bytes of [TWO_MIB, 100, TWO_MIB, 100]) {
      const { status, localPort } = await send("POST", "/api/health", bytes, chunked, agent);
      expect(status).toBe(bytes === 100 ? 405 : 413);
      ports.add(localPort);
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it("an empty body of declared length 0 is taken for none", async () => {
    const { status, text } = await send("POST", "/api/auth/login", 0, { "content-length": 0 });
    expect(status).toBe(422);
    expect(JSON.parse(text).errors).toEqual([{ path: "", message: "A JSON body is required" }]);
  });

  it("HEAD has the headers of GET and no body", async () => {
    const { status, headers, text } = await send("HEAD", "/api-docs");
    expect(status).toBe(200);
    expect(headers["x-request-id"]).toBeTruthy();
    expect(text).toBe("");
  });

  it("TRACE is refused, and repeats nothing of what it was sent", async () => {
    const { status, headers, text } = await send("TRACE", "/api/health", 0, { authorization: "Bearer traced-secret" });
    expect(status).toBe(405);
    expect(headers.allow).toBe("GET, HEAD");
    expect(text).not.toContain("traced-secret");
  });

  it("live clients are told of a change, also when one of them has hung up", async () => {
    await worker.migrate();
    const open = async () => {
      const leaving = new AbortController();
      const headers = { accept: "text/event-stream" };
      const { body } = await fetch(new URL("/api/live", worker.url), { headers, signal: leaving.signal });
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      const read = async () => (await reader?.read())?.value ?? "";
      expect(await read()).toContain("event: ready");
      return { read, hangUp: () => leaving.abort() };
    };
    const [first, second, third] = [await open(), await open(), await open()];
    second.hangUp();
    const body = JSON.stringify({ title: "Call the bank" });
    const headers = { "content-type": "application/json" };
    await fetch(new URL("/api/tasks", worker.url), { method: "POST", headers, body });
    for (const client of [first, third]) {
      expect(await client.read()).toMatch(
        /event: change\ndata: \{"id":1,"type":"task.created","recordId":1,"version":1\}/,
      );
      client.hangUp();
    }
  });

  it.each(["//api/health", "/api//health", "/api/health/"])("the path %s is not taken for another", async (path) => {
    expect((await send("GET", path)).status).toBe(404);
  });
});
