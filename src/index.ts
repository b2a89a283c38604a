import { appFor } from "./app.ts";
import { configOf, type Env } from "./config.ts";
import { systemContext } from "./context.ts";
import { readToEnd } from "./lib/unread-body.ts";

export { Hub } from "./hub.ts";

export default {
  async fetch(request, env, execution) {
    const app = await appFor(request.url);
    const response = await app.fetch(request, env, execution);
    await readToEnd(request);
    return response;
  },
  async scheduled(controller, env, execution) {
    const { runSchedule } = await import("./schedule.ts");
    await runSchedule(controller.cron, systemContext(configOf(env), execution));
  },
  async email(message, env, execution) {
    const { receiveEmail } = await import("./inbound.ts");
    await receiveEmail(systemContext(configOf(env), execution), message);
  },
  async queue(batch, env, execution) {
    const { runQueue } = await import("./queue.ts");
    await runQueue(systemContext(configOf(env), execution), batch);
  },
} satisfies ExportedHandler<Env>;
