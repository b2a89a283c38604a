import { createApp } from "./app.ts";
import { configOf, type Env } from "./config.ts";
import { systemContext } from "./context.ts";
import { runSchedule } from "./schedule.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled(controller, env, execution) {
    return runSchedule(controller.cron, systemContext(configOf(env), execution));
  },
  email(message) {
    message.setReject("This address does not take mail yet.");
  },
} satisfies ExportedHandler<Env>;
