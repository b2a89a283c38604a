import type { Context } from "../../context.ts";
import { bookingConnection } from "../../db/schema/bookings.ts";
import { atMinute, type Problem, reading } from "../../lib/service-problems.ts";
import { HOUR_MS } from "../../lib/time-zone.ts";
import { theConnection } from "./connection.ts";
import { type RunRow, selectLastRun } from "./runs.ts";

/** Providers have short outages, and the sync catches up. */
const FAILING_MS = 6 * HOUR_MS;

const { status, outageReportedAt } = bookingConnection;

/** The statements that read how the booking sync is, for a batch. */
export function selectSyncVitals(ctx: Context) {
  const connection = ctx.db.select({ status, failingSince: outageReportedAt }).from(bookingConnection);
  return [connection.where(theConnection), selectLastRun(ctx)] as const;
}

interface Connection {
  status: string;
  failingSince: Date | null;
}

export function readSyncVitals({ now }: Context, connection: Connection | undefined, run: RunRow | undefined) {
  const failingSince = connection?.failingSince ?? null;
  const lastRun = run && {
    status: run.status,
    startedAt: run.startedAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  };
  const problems: Problem[] = [];
  if (failingSince && now.getTime() - failingSince.getTime() > FAILING_MS) {
    const error = run?.status === "failed" ? run.errors.at(-1) : undefined;
    const detail = `The booking sync has failed since ${atMinute(failingSince)}.${error ? ` Last error: ${error}` : ""}`;
    problems.push({ code: "sync_failing", subject: null, detail, since: failingSince });
  }
  return reading(
    {
      connected: connection !== undefined,
      failingSince: failingSince?.toISOString() ?? null,
      lastRun: lastRun ?? null,
    },
    problems,
  );
}
