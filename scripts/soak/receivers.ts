import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, close, listen } from "../../test/fakes/server.ts";
import type { Caller } from "./caller.ts";
import type { Moments } from "./moments.ts";

/** An event as a receiver got it. */
export interface Received {
  id: string;
  type: string;
  recordId: number | string;
}

export type Receivers = Awaited<ReturnType<typeof openReceivers>>;

const ANSWER_MS = 20;
const SLOW_MS = 1200;

/** Two receivers of every event: one that works, and one that often fails until it is healed. */
export async function openReceivers(random: () => number, moments: Moments) {
  const boxes: Record<string, Received[]> = { steady: [], shaky: [] };
  let isHealed = false;
  const server = http.createServer(async (request, response) => {
    const name = (request.url ?? "").slice(1);
    const { type, data } = JSON.parse(await bodyOf(request));
    const recordId = data.id ?? data.runId ?? "";
    boxes[name]?.push({ id: String(request.headers["webhook-id"]), type, recordId });
    moments.reach("a webhook delivery");
    await sleep(ANSWER_MS);
    const chance = name === "steady" || isHealed ? 1 : random();
    if (chance < 0.05) return request.socket.destroy();
    if (chance < 0.1) await sleep(SLOW_MS);
    const status = chance < 0.2 ? 500 : chance < 0.25 ? 429 : 200;
    response.writeHead(status, status === 429 ? { "retry-after": "2" } : {}).end();
  });
  const base = await listen(server);
  return {
    boxes,
    async connect(caller: Caller, token: string): Promise<Map<number, string>> {
      const names = new Map<number, string>();
      for (const name of Object.keys(boxes)) {
        const headers = { authorization: `Bearer ${token}` };
        const body = { url: `${base}/${name}` };
        const reply = await caller.surely({ method: "POST", path: "/api/settings/webhooks", headers, body });
        if (caller.expect(reply, [201], "creating a webhook")) names.set(reply.body.id, name);
      }
      return names;
    },
    heal(): void {
      isHealed = true;
    },
    close: () => close(server),
  };
}
