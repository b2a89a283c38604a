import { env } from "cloudflare:workers";
import { it } from "vitest";
import { service } from "../harness.ts";
import { emptyWednesday, storeEvent, storeTask, talkTo } from "./chatting.ts";
import { ownStore } from "./tenant.ts";
const out: string[] = [];
async function hold(...lines: string[]) {
  await emptyWednesday();
  const api = service({ KV: ownStore() });
  await storeTask(api, "Alpha"); await storeTask(api, "Pay the rent", { dueDate: "2026-11-20" });
  await storeEvent(api, { title: "Gym", start: "2026-11-21T07:00:00Z" });
  await storeEvent(api, { title: "Brunch", start: "2026-11-21T10:00:00Z" });
  await storeEvent(api, { title: "Dentist", start: "2026-11-20T10:00:00Z" });
  const c = talkTo(api);
  for (const m of lines) {
    const a = await c.say(m);
    const { results } = await env.DB.prepare("SELECT question, state FROM chat_conversations").all();
    out.push(`${m} → ${a.reply.replaceAll("\n", " / ")} ${JSON.stringify(a.actions.map((x: {tool: string}) => x.tool))} ${JSON.stringify(results).slice(0, 300)}`);
  }
}
it("x", async () => {
  await hold("clear my calendar on saturday", "yes please");
  await hold("book a call with Priya tomorrow at 2pm", "make it 4pm instead", "actually 5", "every week", "call it Kick-off");
  await hold("schedule a meeting on Feb 30 at 10");
  await hold("mark all tasks as done", "no");
  await hold("what's on saturday?", "and friday?", "cancel the first one", "undo");
  throw new Error(out.join("\n"));
}, 100000);
