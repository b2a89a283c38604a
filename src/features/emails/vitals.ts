import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { emailTotals } from "../../db/schema/emails.ts";
import { atMinute, counted, MOST_COUNTED, OVERDUE_MS, type Problem, reading } from "../../lib/service-problems.ts";
import { DAY_MS } from "../../lib/time-zone.ts";

interface OwedAnalyses {
  owed: number;
  firstDue: number | null;
}

/** The statement that reads which emails wait for their analysis, for a batch. */
export function selectAnalysisVitals(ctx: Context) {
  return ctx.db
    .select({ owed: sql<number>`count(*)`.as("owed"), firstDue: sql<number | null>`min(at)`.as("first_due") })
    .from(
      sql`(SELECT analysis_due_at AS at FROM emails WHERE analysis_due_at IS NOT NULL
        ORDER BY analysis_due_at LIMIT ${MOST_COUNTED})`,
    );
}

/** An attempt that fails is due again later, so only one that nobody makes is overdue. */
export function readAnalysisVitals({ now }: Context, row: OwedAnalyses | undefined) {
  const firstDue = row?.firstDue ? new Date(row.firstDue) : null;
  const isLate = firstDue !== null && now.getTime() - firstDue.getTime() > OVERDUE_MS;
  const owed = row?.owed ?? 0;
  return reading(
    { owed, firstDueAt: firstDue?.toISOString() ?? null },
    isLate
      ? [
          {
            code: "analyses_overdue",
            subject: null,
            detail: `${counted(owed, "email waits", "emails wait")} for analysis, the first one since ${atMinute(firstDue)}.`,
            since: firstDue,
          },
        ]
      : [],
  );
}

/** The statement that reads how many objects emails have, and how large they are, for a batch. */
export function selectStoredObjects({ db }: Context) {
  const { objects, objectBytes, uploads, uploadBytes } = emailTotals;
  return db.select({ objects, objectBytes, uploads, uploadBytes }).from(emailTotals);
}

interface Unsent {
  failed: number;
  firstFailed: number | null;
  lastFailed: number | null;
  lastFailedId: number | null;
  sending: number;
  oldestSending: number | null;
  overdue: number;
  firstOverdue: number | null;
}

/**
 * The statement that reads which emails of the last day did not leave, for a batch. One that was followed by another
 * email in its thread was sent again.
 */
export function selectOutgoingVitals(ctx: Context) {
  return ctx.db
    .select({
      failed: sql<number>`count(*)`.as("failed"),
      firstFailed: sql<number | null>`min(at)`.as("first_failed"),
      lastFailed: sql<number | null>`max(at)`.as("last_failed"),
      lastFailedId: sql<number | null>`max(id)`.as("last_failed_id"),
      sending: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM emails
        WHERE delivery = 'sending' LIMIT ${MOST_COUNTED}))`.as("sending"),
      oldestSending: sql<number | null>`(SELECT updated_at FROM emails
        WHERE delivery = 'sending' ORDER BY updated_at LIMIT 1)`.as("oldest_sending"),
      overdue: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM emails
        WHERE delivery = 'scheduled' AND send_at < ${ctx.now.getTime() - OVERDUE_MS} LIMIT ${MOST_COUNTED}))`.as(
        "overdue",
      ),
      firstOverdue: sql<number | null>`(SELECT send_at FROM emails
        WHERE delivery = 'scheduled' AND send_at < ${ctx.now.getTime() - OVERDUE_MS}
        ORDER BY send_at LIMIT 1)`.as("first_overdue"),
    })
    .from(
      sql`(SELECT e.id, e.received_at AS at FROM emails e
        WHERE e.delivery = 'failed' AND e.received_at > ${ctx.now.getTime() - DAY_MS}
          AND NOT EXISTS (SELECT 1 FROM emails later
            WHERE later.thread_id = e.thread_id AND later.has_thread_count = 1 AND later.received_at > e.received_at AND later.delivery = 'sent')
        LIMIT ${MOST_COUNTED})`,
    );
}

export function readOutgoingVitals({ now }: Context, row: Unsent | undefined) {
  const { failed = 0, firstFailed, lastFailed, lastFailedId, sending = 0, oldestSending } = row ?? {};
  const { overdue = 0, firstOverdue } = row ?? {};
  const stuckSince = oldestSending && now.getTime() - oldestSending > OVERDUE_MS ? oldestSending : null;
  const details = [
    ...(failed > 0
      ? [
          `${counted(failed, "email")} of the last day did not leave, or may not have; the latest is email ${lastFailedId}.`,
        ]
      : []),
    ...(stuckSince ? [`An email has been in the state sending since ${atMinute(new Date(stuckSince))}.`] : []),
  ];
  const since = Math.min(...[firstFailed, stuckSince].flatMap((at) => at ?? []));
  return reading({ failed, lastFailedAt: lastFailed ? new Date(lastFailed).toISOString() : null, sending, overdue }, [
    ...(details.length > 0
      ? [{ code: "email_failed" as const, subject: null, detail: details.join(" "), since: new Date(since) }]
      : []),
    ...(firstOverdue ? overdueProblem(overdue, new Date(firstOverdue)) : []),
  ]);
}

function overdueProblem(count: number, since: Date): Problem[] {
  const which = `${counted(count, "scheduled email has", "scheduled emails have")} not left`;
  const detail = `${which}, the first one was due at ${atMinute(since)}. They are still going to be sent.`;
  return [{ code: "emails_overdue", subject: null, detail, since }];
}
