import { and, eq, isNotNull, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { webhookEndpoints } from "../../db/schema/webhooks.ts";
import { atMinute, counted, MOST_COUNTED, OVERDUE_MS, type Problem, reading } from "../../lib/service-problems.ts";
import { HOUR_MS } from "../../lib/time-zone.ts";

/** A receiver that is down for less is no problem: what it missed is retried. */
const FAILING_MS = HOUR_MS;
/** Longer than any wait between two attempts but the last. */
const RETRY_GAP_MS = 6 * HOUR_MS;
const MOST_SHOWN = 100;
/** Of each endpoint, the oldest deliveries tell enough. */
const LOOKED_AT = 100;

interface Owed {
  events: number;
  oldestEvent: number | null;
  deliveries: number;
  oldestDelivery: number | null;
  overdue: number;
  overdueSince: number | null;
}

/**
 * The statements that read what is owed to webhooks, for a batch. Reads a limited number of rows, however much is owed.
 * A failing endpoint is told as such, so its deliveries do not count as overdue: they wait for it, not for the service.
 * When a delivery was due first is not stored, only when it is due next; so its age and its last attempt decide.
 */
export function selectWebhookVitals(ctx: Context) {
  const now = ctx.now.getTime();
  return [
    ctx.db
      .select({
        events: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM outbox LIMIT ${MOST_COUNTED}))`.as("events"),
        oldestEvent: sql<number | null>`(SELECT at FROM outbox ORDER BY id LIMIT 1)`.as("oldest_event"),
        deliveries: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries
          WHERE status = 'pending' LIMIT ${MOST_COUNTED}))`.as("deliveries"),
        oldestDelivery: sql<number | null>`(SELECT min((SELECT created_at FROM webhook_deliveries
          WHERE endpoint_id = e.id AND status = 'pending' ORDER BY created_at LIMIT 1))
          FROM webhook_endpoints e WHERE e.enabled = 1)`.as("oldest_delivery"),
        overdue: sql<number>`count(*)`.as("overdue"),
        overdueSince: sql<number | null>`min(d.created_at)`.as("overdue_since"),
      })
      .from(
        sql`webhook_endpoints e JOIN webhook_deliveries d ON d.id IN (SELECT id FROM webhook_deliveries
          WHERE endpoint_id = e.id AND status = 'pending' ORDER BY created_at LIMIT ${LOOKED_AT})`,
      )
      .where(
        sql`e.enabled = 1 AND e.failing_since IS NULL AND d.next_attempt_at <= ${now}
          AND coalesce(d.last_attempt_at + ${RETRY_GAP_MS}, d.created_at) <= ${now - OVERDUE_MS}`,
      ),
    ctx.db
      .select({
        id: webhookEndpoints.id,
        enabled: webhookEndpoints.enabled,
        failingSince: webhookEndpoints.failingSince,
      })
      .from(webhookEndpoints)
      .where(
        or(
          and(eq(webhookEndpoints.enabled, true), isNotNull(webhookEndpoints.failingSince)),
          isNotNull(webhookEndpoints.disabledReason),
        ),
      )
      .orderBy(webhookEndpoints.id)
      .limit(MOST_SHOWN),
  ] as const;
}

interface TroubledEndpoint {
  id: number;
  enabled: boolean;
  failingSince: Date | null;
}

export function readWebhookVitals({ now }: Context, owed: Owed | undefined, endpoints: readonly TroubledEndpoint[]) {
  const failing = endpoints.flatMap(({ id, enabled, failingSince }) =>
    enabled && failingSince ? [{ id, since: failingSince }] : [],
  );
  const disabled = endpoints.flatMap(({ id, enabled }) => (enabled ? [] : [id]));
  const problems = [
    ...overdueProblem(now, owed),
    ...failing
      .filter(({ since }) => now.getTime() - since.getTime() >= FAILING_MS)
      .map(({ id, since }) => ({
        code: "webhook_failing" as const,
        subject: String(id),
        detail: `Webhook ${id} has accepted nothing since ${atMinute(since)}. After 24 hours it is disabled.`,
        since,
      })),
  ];
  const oldest = [owed?.oldestEvent, owed?.oldestDelivery].flatMap((at) => at ?? []);
  return reading(
    {
      owed: Math.min((owed?.events ?? 0) + (owed?.deliveries ?? 0), MOST_COUNTED),
      oldestOwedAt: oldest.length > 0 ? new Date(Math.min(...oldest)).toISOString() : null,
      failing: failing.map(({ id, since }) => ({ id, failingSince: since.toISOString() })),
      disabled,
    },
    problems,
  );
}

function overdueProblem(now: Date, owed: Owed | undefined): Problem[] {
  const isLate = (at: number | null | undefined) => at !== null && at !== undefined && now.getTime() - at > OVERDUE_MS;
  const late = [owed?.oldestEvent, owed?.overdueSince].flatMap((at) => (isLate(at) ? (at ?? []) : []));
  if (!owed || late.length === 0) return [];
  const since = new Date(Math.min(...late));
  const waiting = [
    ...(owed.overdue > 0 ? [counted(owed.overdue, "delivery", "deliveries")] : []),
    ...(isLate(owed.oldestEvent) ? ["events that are not yet turned into deliveries"] : []),
  ];
  const detail = `Overdue for webhooks that work, since ${atMinute(since)}: ${waiting.join(" and ")}. They are still owed.`;
  return [{ code: "deliveries_overdue", subject: null, detail, since }];
}
