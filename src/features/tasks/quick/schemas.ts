import { z } from "@hono/zod-openapi";
import { doc, Id, named, Timestamp, TimeZone } from "../../../http/schemas.ts";
import { REPEAT_FROM } from "../../../lib/task-kinds.ts";
import { Priority, Task } from "../schemas.ts";

export const QuickRequest = named(
  "QuickTask",
  () => ({
    text: doc(
      z.string().trim().min(1).max(1000),
      "One line: the title, and in any order a due date, `#tag`, `+list` (or “to the shopping list”), a priority `p1` to " +
        "`p4` or `!high`, a repetition (“every week”), an estimate (`30m`, “for 2 hours”) and a reminder (“remind me an " +
        "hour before”). Text in quotation marks stays in the title as it is.",
    ),
    preview: doc(z.boolean().optional(), "`true`: returns what was understood and creates nothing. Default: `false`."),
    timeZone: doc(TimeZone.optional(), "IANA time zone of the words. Default: that of your profile, otherwise UTC."),
  }),
  { example: { text: "Call Ann tomorrow 5pm #home p1 every week", timeZone: "Europe/Berlin" } },
);
export type QuickRequest = z.output<typeof QuickRequest>;

const Reminder = z.object({
  minutesBefore: doc(z.int().optional(), "Minutes before the due time.", 60),
  at: doc(Timestamp.optional(), "At this time."),
});

const read = {
  understood: doc(
    z.object({
      title: doc(z.string(), "The rest of the text.", "Call Ann"),
      dueAt: doc(Timestamp.nullable(), "When it is due."),
      dueDate: doc(z.string().nullable(), "The due day, if the text has no time.", null),
      rrule: doc(z.string().nullable(), "How it repeats.", "FREQ=WEEKLY"),
      repeatFrom: doc(z.enum(REPEAT_FROM).nullable(), "What the next due date is counted from.", "due"),
      tags: doc(z.array(z.string()), "Tags.", ["home"]),
      list: doc(
        z
          .object({
            id: doc(Id.nullable(), "Id of the list; null if it does not exist yet."),
            name: doc(z.string(), "Name of the list.", "Shopping"),
          })
          .nullable(),
        "The list. One that does not exist is created with the task.",
      ),
      priority: doc(Priority.nullable(), "`p1` is urgent, `p2` high, `p3` medium, `p4` low.", "urgent"),
      estimateMinutes: doc(z.int().nullable(), "How long it takes, in minutes.", 30),
      reminders: doc(
        z.array(Reminder),
        "When to be reminded. Empty if the text does not say: then your defaults apply.",
        [],
      ),
    }),
    "The task that the text describes.",
  ),
  spans: doc(
    z.array(
      z.object({
        kind: doc(
          z.enum(["due", "repeat", "tag", "list", "priority", "estimate", "reminder"]),
          "What the words mean.",
          "due",
        ),
        text: doc(z.string(), "The words.", "tomorrow 5pm"),
        start: doc(z.int(), "Where they begin in `text`, in UTF-16 code units.", 9),
        end: doc(z.int(), "Where they end.", 21),
      }),
    ),
    "The parts of the line that were understood, for a screen that highlights them.",
  ),
  note: doc(z.string().nullable(), "Why a date in the text was not used. Its words stay in the title.", null),
};

export const QuickPreview = named("QuickTaskPreview", () => read);
export type QuickPreview = z.infer<typeof QuickPreview>;

export const QuickResult = named("QuickTaskResult", () => ({ task: Task, ...read }));
export type QuickResult = z.infer<typeof QuickResult>;
