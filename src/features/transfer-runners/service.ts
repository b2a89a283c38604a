import type { Context } from "../../context.ts";
import type { QueueMessageOf } from "../../lib/queue-messages.ts";
import { calendarImportRunner } from "../calendar/import/run.ts";
import { emailImportRunner } from "../emails/import/run.ts";
import { exportRunner } from "../personal-data/archive/export.ts";
import { importRunner } from "../personal-data/archive/import.ts";
import { type Runners, runSlice, sweepTransfers } from "../transfers/slices.ts";

/** What does the work of each kind of import and export. */
const RUNNERS: Runners = {
  export: exportRunner,
  import: importRunner,
  email_import: emailImportRunner,
  calendar_import: calendarImportRunner,
};

/** For the queue. */
export function runTransfer(ctx: Context, message: QueueMessageOf<"transfer.slice">): Promise<void> {
  return runSlice(ctx, message, RUNNERS);
}

/** For the cron. */
export function sweepAllTransfers(ctx: Context): Promise<number> {
  return sweepTransfers(ctx, RUNNERS);
}
