import { env } from "cloudflare:workers";
import { it } from "vitest";
import { service } from "../harness.ts";
import { emptyWednesday, storeTask, talkTo } from "./chatting.ts";
import { ownStore } from "./tenant.ts";
it("x", async () => {
  await emptyWednesday();
  const api = service({ KV: ownStore() });
  await storeTask(api, "Alpha");
  const c = talkTo(api);
  const out: string[] = [];
  for (const m of ["remind me to call mum tomorrow at 6pm", "make that 7pm", "mark it as done", "undo"]) {
    const a = await c.say(m);
    const { results } = await env.DB.prepare("SELECT question, state FROM chat_conversations").all();
    out.push(`${m} → ${a.reply} ${JSON.stringify(results)}`);
  }
  throw new Error(out.join("\n"));
});
