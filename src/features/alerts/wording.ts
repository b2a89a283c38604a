import type { Block } from "../../lib/notice.ts";
import { pagesOf } from "../../lib/pages.ts";
import { docsOf, type ProblemCode } from "../../lib/service-problems.ts";
import { type TimeStyle, writerFor } from "../../lib/spoken-time.ts";

/** A problem as a headline, and what is said when it is over. */
const WORDS: Record<ProblemCode, (subject: string) => readonly [title: string, over: string]> = {
  cron_silent: () => ["No cron fires", "The crons fire again."],
  job_overdue: (job) => [
    `The job ${job} is overdue`,
    `The job ${job} has succeeded again, or is no longer part of the schedule.`,
  ],
  deliveries_overdue: () => ["Webhook deliveries are overdue", "No webhook delivery is overdue any more."],
  webhook_failing: (id) => [
    `Webhook ${id} is failing`,
    `Webhook ${id} accepts events again, or was disabled, changed or deleted.`,
  ],
  captions_overdue: () => ["Captions are overdue", "No caption is overdue any more."],
  analyses_overdue: () => ["Analyses of emails are overdue", "No analysis of an email is overdue any more."],
  sync_failing: () => [
    "The booking sync has been failing for hours",
    "The booking sync has succeeded again, or the provider was disconnected.",
  ],
  mailbox_failing: (id) => [
    `Mailbox ${id} cannot be read`,
    `Mailbox ${id} was read again, or was paused or forgotten.`,
  ],
  email_failed: () => [
    "An email could not be sent",
    "The emails that could not be sent were sent again or deleted, or are more than a day old.",
  ],
  emails_overdue: () => ["Scheduled emails are overdue", "No scheduled email is overdue any more."],
  database_full: () => ["The database is full", "The database has room again."],
  database_large: () => ["The database is nearly full", "The database is below 80 % of its limit again."],
  settings_invalid: () => ["Settings are missing or invalid", "All settings are valid again."],
  files_unreachable: () => ["The file store does not respond", "The file store responds again."],
  kv_unreachable: () => ["The key-value store does not respond", "The key-value store responds again."],
};

interface Reader extends TimeStyle {
  timeZone: string;
}

interface AlertWords {
  code: ProblemCode;
  subject: string;
  detail: string;
  since: Date;
  resolvedAt: Date | null;
}

export function overText({ code, subject }: Pick<AlertWords, "code" | "subject">): string {
  return WORDS[code](subject)[1];
}

/** One email about everything that began or ended since the last one, for the owner who reads it. */
export function alertEmail(alerts: readonly AlertWords[], reader: Reader, baseUrl: string) {
  const open = alerts.filter(({ resolvedAt }) => resolvedAt === null);
  const over = alerts.filter(({ resolvedAt }) => resolvedAt !== null);
  const { moment } = writerFor(reader.timeZone, reader);
  const began = open.map(
    ({ code, detail, since }) => `${detail} Since ${moment(since.getTime())}. What to do: ${docsOf(code)}`,
  );
  const ended = over.map((alert) => {
    const end = alert.resolvedAt ? `, until ${moment(alert.resolvedAt.getTime())}` : "";
    return `${overText(alert)} It was: ${alert.detail} Since ${moment(alert.since.getTime())}${end}.`;
  });
  const blocks: Block[] = [
    ...(began.length > 0 ? [{ title: "These problems need your attention:", items: began }] : []),
    ...(ended.length > 0 ? [{ title: "These problems are over:", items: ended }] : []),
    "Everything that is wrong right now, for you as the owner:",
    { button: "Open the health details", url: pagesOf(baseUrl).reference("Operations", "getHealthDetails") },
  ];
  return { subject: headline(open, over), blocks };
}

function headline(open: readonly AlertWords[], over: readonly AlertWords[]): string {
  const [first, ...rest] = [...open, ...over];
  if (first && rest.length === 0) {
    const [title] = WORDS[first.code](first.subject);
    return first.resolvedAt === null ? title : `Resolved: ${title}`;
  }
  const some = (count: number, what: string) => (count === 1 ? `1 problem ${what}` : `${count} problems ${what}`);
  if (over.length === 0) return some(open.length, "with your assistant");
  if (open.length === 0) return some(over.length, "resolved");
  return `${some(open.length, "with your assistant")}, ${over.length} resolved`;
}
