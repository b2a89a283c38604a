import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { atMinute, type Problem } from "../../lib/service-problems.ts";
import { DAY_MS, HOUR_MS } from "../../lib/time-zone.ts";
import { lastStart } from "../jobs/service.ts";
import { anyAccount } from "../people/account.ts";

/** The crons fire every 15 minutes. */
const SILENT_MS = HOUR_MS;

/**
 * Whether no cron has fired for an hour, or none ever did a day after the first account was made, as an SQL expression.
 * In local development none fires by itself.
 */
export function areCronsSilent({ config, now }: Context): SQL {
  if (config.ALLOW_PRIVATE_HOSTS) return sql`0`;
  const oldest = now.getTime() - SILENT_MS;
  const neverFired = sql`CASE WHEN ${anyAccount({ before: new Date(now.getTime() - DAY_MS) })} THEN 0 END`;
  return sql`coalesce(coalesce(${lastStart()}, ${neverFired}) < ${oldest}, 0)`;
}

/** The statement that reads it, for a batch. */
export function selectSilence(ctx: Context) {
  return ctx.db
    .select({
      silent: sql<number>`${areCronsSilent(ctx)}`.as("silent"),
      last: sql<number | null>`${lastStart()}`.as("last"),
    })
    .from(sql`(SELECT 1)`);
}

export function readSilence(row: { silent: number; last: number | null } | undefined): Problem[] {
  if (!row?.silent) return [];
  const last = row.last === null ? null : new Date(row.last);
  const detail = `No cron has ${last ? `fired since ${atMinute(last)}` : "ever fired"}. One should fire every 15 minutes.`;
  return [{ code: "cron_silent", subject: null, detail, since: last }];
}
