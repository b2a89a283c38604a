import { describe, expect, it, vi } from "vitest";
import { createTransport } from "../../src/providers/llm/transport.ts";

it("sends nothing again to a provider that was switched off during the wait", async () => {
  const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("", { status: 503 }));
  const isOff = new Error("switched off");
  const answer = createTransport(() => Promise.reject(isOff))("https://models.example.com/v1/chat");
  await expect(answer).rejects.toBe(isOff);
  expect(fetching).toHaveBeenCalledTimes(1);
  fetching.mockRestore();
});

describe("a provider whose refusal never ends", () => {
  it("is left after what a refusal may take, and its status is still told", async () => {
    const chunk = new Uint8Array(16 * 1024);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    const fetching = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(body, { status: 400 }));
    const answer = await createTransport(async () => {})("https://models.example.com/v1/chat");
    fetching.mockRestore();
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe("");
    expect(sent).toBeLessThan(256 * 1024);
  });
});
