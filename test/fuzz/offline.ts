import { afterAll, beforeAll, vi } from "vitest";

/** Answers every call to the outside itself: random settings must not reach anyone. */
export function stayOffline(): void {
  beforeAll(() => void vi.stubGlobal("fetch", async () => new Response(null, { status: 400 })));
  afterAll(() => void vi.unstubAllGlobals());
}
