import { and, asc, desc, gte, isNull, lte, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { emails } from "../../db/schema/emails.ts";
import { understandEmail } from "../../engine/email/intelligence.ts";
import type { Urgency } from "../../lib/email-kinds.ts";
import { errorFields, log } from "../../log.ts";
import { type SummaryRow, summaryColumns, toEngineInput, toSummary } from "./record.ts";
import type { EmailSummary } from "./schemas.ts";

const MAX_SHOWN = 20;
/** How many emails without an analysis are judged by their first words. */
const MAX_JUDGED = 50;

export interface UrgentUnread {
  count: number;
  /** Critical before high, then the newest first. */
  emails: (EmailSummary & { urgency: "critical" | "high" })[];
}

/** Urgent unread emails since a moment, without snoozed ones: two statements for a batch, and a reader of their rows. */
export function urgentUnread(ctx: Context, since: Date) {
  const isWaiting = and(
    gte(emails.receivedAt, since),
    sql`emails.status = 'inbox' AND emails.is_read = 0 AND emails.direction = 'inbound'`,
    or(isNull(emails.snoozedUntil), lte(emails.snoozedUntil, ctx.now)),
  );
  const analysed = ctx.db
    .select({ ...summaryColumns, total: sql<number>`count(*) OVER ()`.as("total") })
    .from(emails)
    .where(and(sql`emails.urgency IS NOT NULL AND emails.urgency IN ('critical', 'high')`, isWaiting))
    .orderBy(asc(emails.urgency), desc(emails.receivedAt), desc(emails.id))
    .limit(MAX_SHOWN);
  const unjudged = ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(and(isWaiting, isNull(emails.urgency)))
    .orderBy(desc(emails.receivedAt), desc(emails.id))
    .limit(MAX_JUDGED);
  return {
    statements: [analysed, unjudged] as const,
    read(analysedRows: readonly (SummaryRow & { total: number })[], others: readonly SummaryRow[]): UrgentUnread {
      const judged = others.map((row) => toSummary(ctx, row)).flatMap((email) => ifUrgent(email, quickUrgency(email)));
      const known = analysedRows.flatMap(({ total: _, ...row }) =>
        ifUrgent(toSummary(ctx, row), row.analysis?.urgency.level),
      );
      const all = [...known, ...judged].sort(
        (a, b) => a.urgency.localeCompare(b.urgency) || b.receivedAt.localeCompare(a.receivedAt) || b.id - a.id,
      );
      return { count: (analysedRows[0]?.total ?? 0) + judged.length, emails: all };
    },
  };
}

function ifUrgent(email: EmailSummary, urgency: Urgency = "high"): UrgentUnread["emails"] {
  return urgency === "critical" || urgency === "high" ? [{ ...email, urgency }] : [];
}

/** The urgency that the subject and the first words suggest. Nothing is stored. */
export function quickUrgency(email: EmailSummary): Urgency {
  try {
    return understandEmail(toEngineInput({ ...email, body: email.snippet }, { timeZone: "UTC", habits: {} })).urgency
      .level;
  } catch (error) {
    // Anyone can send an email; one that the engine fails on must not hide the others.
    log("error", "email_not_judged", errorFields(error));
    return "normal";
  }
}
