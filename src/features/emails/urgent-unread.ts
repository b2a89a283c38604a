import { and, asc, desc, gte, isNull, lte, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { emails } from "../../db/schema/emails.ts";
import { understandEmail } from "../../engine/email/intelligence.ts";
import type { Urgency } from "../../lib/email-kinds.ts";
import { errorFields, log } from "../../log.ts";
import { mailInput } from "./analysis/service.ts";
import { type SummaryRow, summaryColumns, toSummary } from "./record.ts";
import type { EmailSummary } from "./schemas.ts";

const MAX_SHOWN = 20;
/** How much mail that nobody has analysed yet is judged by its first words. */
const MAX_JUDGED = 50;

export interface UrgentUnread {
  count: number;
  /** Critical before high, the newest first. */
  mails: (EmailSummary & { urgency: "critical" | "high" })[];
}

/** Urgent mail since a moment that nobody has read or put off: two statements for another verb's batch, and how to read them. */
export function urgentUnread(ctx: Context, since: Date) {
  const waiting = and(
    gte(emails.receivedAt, since),
    sql`emails.is_read = 0 AND emails.status = 'inbox' AND emails.direction = 'inbound'`,
    or(isNull(emails.snoozedUntil), lte(emails.snoozedUntil, ctx.now)),
  );
  const analysed = ctx.db
    .select({ ...summaryColumns, total: sql<number>`count(*) OVER ()`.as("total") })
    .from(emails)
    .where(and(sql`emails.urgency IS NOT NULL AND emails.urgency IN ('critical', 'high')`, waiting))
    .orderBy(asc(emails.urgency), desc(emails.receivedAt), desc(emails.id))
    .limit(MAX_SHOWN);
  const unjudged = ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(and(waiting, isNull(emails.urgency)))
    .orderBy(desc(emails.receivedAt), desc(emails.id))
    .limit(MAX_JUDGED);
  return {
    statements: [analysed, unjudged] as const,
    read(known: readonly (SummaryRow & { total: number })[], others: readonly SummaryRow[]): UrgentUnread {
      const judged = others.flatMap((row) => urgent(row, quickUrgency(row)));
      const mails = [...known.flatMap((row) => urgent(row, row.analysis?.urgency.level ?? "high")), ...judged].sort(
        (a, b) => a.urgency.localeCompare(b.urgency) || b.receivedAt.localeCompare(a.receivedAt) || b.id - a.id,
      );
      return { count: (known[0]?.total ?? 0) + judged.length, mails };
    },
  };
}

function urgent(row: SummaryRow, urgency: string): UrgentUnread["mails"] {
  return urgency === "critical" || urgency === "high" ? [{ ...toSummary(row), urgency }] : [];
}

type Judged = Pick<SummaryRow, "subject" | "snippet" | "fromName" | "fromEmail" | "receivedAt">;

/** What the subject and the first words say; nothing is stored. */
export function quickUrgency(row: Judged): Urgency {
  try {
    return understandEmail(mailInput({ ...row, body: row.snippet }, "UTC")).urgency.level;
  } catch (error) {
    // Anyone may send a mail; one that cannot be read must not take the others' place.
    log("error", "mail_not_judged", errorFields(error));
    return "normal";
  }
}
