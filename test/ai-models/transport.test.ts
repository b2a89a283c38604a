import { describe, expect, it, vi } from "vitest";
import { createTransport } from "../../src/providers/llm/transport.ts";

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
    const answer = await createTransport()("https://models.example.com/v1/chat");
    fetching.mockRestore();
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe("");
    expect(sent).toBeLessThan(256 * 1024);
  });
});
