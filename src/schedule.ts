import type { Context } from "./context.ts";
import { purgeExpired } from "./db/purge.ts";
import { idempotencyKeys } from "./db/schema/idempotency.ts";
import { purgeOldCalls } from "./features/ai-models/tokens/usage.ts";
import { purgeAnonymousEntries } from "./features/audit/history.ts";
import { purgeExpiredCredentials } from "./features/auth/purge.ts";
import { purgeBillingEvents } from "./features/billing/webhook.ts";
import { purgeBookingHistory } from "./features/bookingsvc/runs.ts";
import { syncIfConnected } from "./features/bookingsvc/sync.ts";
import { sendMorningBriefs } from "./features/brief/morning.ts";
import { purgeConversations } from "./features/chat/conversations.ts";
import { settleCutOffEmails } from "./features/emails/delivery.ts";
import { writeMissedCaptions } from "./features/stream/automatic-captions.ts";
import { failAbandonedPosts } from "./features/stream/captions/dispatch.ts";
import { purgeStreamEvents } from "./features/stream/events.ts";
import { purgeStreamReports } from "./features/stream/report.ts";
import { cancelOverdueSessions } from "./features/stream/sessions.ts";
import { checkConnectedYouTube } from "./features/stream/youtube.ts";
import { purgeWebhookHistory } from "./features/webhooks/outbox.ts";
import { deliverAllEvents } from "./features/webhooks/service.ts";
import { errorFields, log } from "./log.ts";

type Job = (ctx: Context) => Promise<unknown>;

/** Cron expression (as in wrangler.toml) → its jobs. */
const JOBS: Record<string, Record<string, Job>> = {
  "*/15 * * * *": {
    syncBookings: (ctx) => syncIfConnected(ctx, { trigger: "cron" }),
    sendMorningBriefs,
    checkConnectedYouTube,
    writeMissedCaptions,
    failAbandonedPosts,
    settleCutOffEmails,
  },
  "17 3 * * *": {
    syncBookings: (ctx) => syncIfConnected(ctx, { trigger: "cron", full: true }),
    purgeExpiredCredentials,
    purgeAuditLog: purgeAnonymousEntries,
    purgeBookingHistory,
    purgeBillingEvents,
    purgeOldCalls,
    purgeWebhookHistory,
    cancelOverdueSessions,
    purgeStreamEvents,
    purgeStreamReports,
    purgeConversations,
    purgeIdempotencyKeys: ({ db, now }) => purgeExpired(db, now, [idempotencyKeys]),
  },
};

/** Runs after the other jobs of every cron, because each of them can raise events. */
const LAST: Record<string, Job> = { deliverWebhooks: (ctx) => deliverAllEvents(ctx) };

/** A job that fails is logged and does not stop the others. */
export async function runSchedule(cron: string, ctx: Context): Promise<void> {
  if (!JOBS[cron]) log("error", "cron_without_jobs", { cron, requestId: ctx.requestId });
  for (const [name, job] of Object.entries({ ...JOBS[cron], ...LAST })) {
    try {
      await job(ctx);
    } catch (error) {
      log("error", "job_failed", { job: name, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
}
