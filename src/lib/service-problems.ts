import { words } from "./words.ts";

/** The problems of the service. docs/operations.md has a section for each. */
export const PROBLEM_CODES = words(
  "cron_silent job_overdue deliveries_overdue webhook_failing captions_overdue analyses_overdue sync_failing mailbox_failing email_failed emails_overdue database_large database_full settings_invalid kv_unreachable files_unreachable",
);
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Something the owner should look at. */
export interface Problem {
  code: ProblemCode;
  /** The job or webhook it is about; null if it is about the service. There is one problem of a code and subject. */
  subject: string | null;
  /** In plain English, without personal data and secrets. */
  detail: string;
  /** When it began; null if only the first look at it can say. */
  since: Date | null;
}

/** Where docs/operations.md says what a problem means and what to do. */
export function docsOf(code: ProblemCode): string {
  return `docs/operations.md#${code}`;
}

/** The state of a part of the service: figures, and whether they are as they should be. */
type Vital<Figures> = Figures & { ok: boolean; detail: string | null };

interface Reading<Figures> {
  vital: Vital<Figures>;
  problems: readonly Problem[];
}

/** A part is well while nothing is wrong with it. */
export function reading<Figures extends object>(figures: Figures, problems: readonly Problem[]): Reading<Figures> {
  return { vital: { ok: problems.length === 0, detail: detailOf(problems), ...figures }, problems };
}

function detailOf(problems: readonly Problem[]): string | null {
  return problems.map(({ detail }) => detail).join(" ") || null;
}

/** Owed work that has waited longer is a problem: the queue takes seconds, and the cron finds what it lost. */
export const OVERDUE_MS = 30 * 60_000;
/** Owed work is counted up to this number, so that a look at it stays cheap. */
export const MOST_COUNTED = 1000;

/** A count for people: `1000 or more` where counting stopped. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  const number = count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count);
  return `${number} ${count === 1 ? noun : plural}`;
}

/** A time for people, to the minute. */
export function atMinute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
