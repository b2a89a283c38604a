import { createApp } from "./app.ts";
import { configOf, type Env } from "./config.ts";
import { systemContext } from "./context.ts";
import { applyInvitation } from "./features/calendar/invitations.ts";
import { receiveMail } from "./features/emails/inbound.ts";
import { deliverNews } from "./features/webhooks/service.ts";
import { runSchedule } from "./schedule.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled(controller, env, execution) {
    return runSchedule(controller.cron, systemContext(configOf(env), execution));
  },
  async email(message, env, execution) {
    const context = systemContext(configOf(env), execution);
    const receipt = await receiveMail(context, message, {
      onCalendarPart: (ctx, { content, emailId, from }) =>
        applyInvitation(ctx, content, { emailId, from, to: message.to }),
    });
    context.deferLast(() => deliverNews(context));
    if (!receipt.stored) message.setReject(receipt.reason);
  },
} satisfies ExportedHandler<Env>;
