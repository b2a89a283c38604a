import { type Context, timeZoneOf } from "../../context.ts";
import { type Due, dueOfDate, dueOfMoment } from "../../lib/due.ts";
import { validationFailed } from "../../lib/errors.ts";
import { MAX_MINUTES_BEFORE, MAX_REMINDERS, type StoredReminder } from "../../lib/reminder-kinds.ts";
import { DUE_DATE_RULE, isDueDate, type RepeatFrom } from "../../lib/task-kinds.ts";
import { readingFor } from "../people/reading.ts";

/** The due date and repetition in a request. */
interface DueInput {
  dueAt?: Date | string | null | undefined;
  dueDate?: string | null | undefined;
  dueText?: string | undefined;
  timeZone?: string | undefined;
  rrule?: string | null | undefined;
  repeatFrom?: RepeatFrom | null | undefined;
  reminders?: readonly StoredReminder[] | null | undefined;
}

interface ReadDue {
  /** Null removes the due date, undefined keeps it. */
  due: Due | null | undefined;
  rule: { rrule: string; from: RepeatFrom } | null | undefined;
  zone: string;
  /** Those of the request, or else those that `dueText` asks for. Null for the defaults, undefined to keep them. */
  reminders: StoredReminder[] | null | undefined;
}

export async function readDue(ctx: Context, input: DueInput): Promise<ReadDue> {
  const reminders = input.reminders && [...input.reminders];
  const { dueAt, dueDate, dueText, timeZone: zone = timeZoneOf(ctx), rrule, repeatFrom } = input;
  const rule = typeof rrule === "string" ? { rrule, from: repeatFrom ?? "due" } : rrule;
  if (dueText === undefined) return { due: givenDue(zone, dueAt, dueDate), rule, zone, reminders };
  // The largest part of what tasks need, and of no use to a list or a task with `dueAt`.
  const { readDueText, whyNoDate } = await import("../../engine/due-text.ts");
  const options = { reference: ctx.now, ...readingFor(ctx, zone) };
  const read = readDueText(dueText, options);
  if (read && isDueDate(read.due)) {
    const due = dueOfMoment(read.due, zone);
    return { due, rule: rule ?? read.rule, zone, reminders: reminders ?? saidReminders(read.remindBefore) };
  }
  const unread = () =>
    whyNoDate(dueText, options) ?? `must be a date in words, such as "next friday 5pm"; "${dueText}" is not`;
  throw validationFailed({ path: "dueText", message: read ? DUE_DATE_RULE : unread() });
}

function saidReminders(minutes: readonly number[] | undefined): StoredReminder[] | undefined {
  const problem = (message: string) => validationFailed({ path: "dueText", message });
  if (minutes && minutes.length > MAX_REMINDERS) throw problem(`must ask for at most ${MAX_REMINDERS} reminders`);
  if (minutes?.some((each) => each > MAX_MINUTES_BEFORE)) throw problem("must remind at most four weeks before");
  return minutes?.map((minutesBefore) => ({ minutesBefore, channel: "default" }));
}

/** A record that is sent back has one of the two, and null for the other. */
function givenDue(zone: string, dueAt: DueInput["dueAt"], dueDate: DueInput["dueDate"]): Due | null | undefined {
  const date = dueDate ?? (typeof dueAt === "string" ? dueAt : undefined);
  if (date !== undefined) return dueOfDate(date, zone);
  if (dueAt instanceof Date) return { dueAt, dueDate: null };
  return dueAt === null || dueDate === null ? null : undefined;
}
