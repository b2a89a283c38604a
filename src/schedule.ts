import type { Context } from "./context.ts";
import { purgeExpired } from "./db/purge.ts";
import { idempotencyKeys } from "./db/schema/idempotency.ts";
import { purgeConversations } from "./features/ai/chat/conversations.ts";
import { purgeExpiredCredentials } from "./features/auth/service.ts";
import { purgeBookingHistory } from "./features/bookingsvc/runs.ts";
import { syncIfConnected } from "./features/bookingsvc/sync.ts";
import { errorFields, log } from "./log.ts";

type Job = (ctx: Context) => Promise<unknown>;

/** Cron expression, as in wrangler.toml → what runs then. Each job is one call of a service verb. */
const JOBS: Record<string, Record<string, Job>> = {
  "*/15 * * * *": {
    syncBookings: (ctx) => syncIfConnected(ctx, { trigger: "cron" }),
  },
  "17 3 * * *": {
    syncBookings: (ctx) => syncIfConnected(ctx, { trigger: "cron", full: true }),
    purgeExpiredCredentials,
    purgeBookingHistory,
    purgeConversations,
    purgeIdempotencyKeys: ({ db, now }) => purgeExpired(db, now, [idempotencyKeys]),
  },
};

/** Runs every job of a cron; one that fails is logged and does not keep the others from running. */
export async function runSchedule(cron: string, ctx: Context): Promise<void> {
  for (const [name, job] of Object.entries(JOBS[cron] ?? {})) {
    try {
      await job(ctx);
    } catch (error) {
      log("error", "job_failed", { job: name, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
}
