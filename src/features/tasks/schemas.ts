import { z } from "@hono/zod-openapi";
import { REMINDERS_TEXT, Reminders, RemindersInput } from "../../http/reminder-schemas.ts";
import {
  doc,
  FlagParam,
  Id,
  IdParam,
  listOf,
  listParam,
  named,
  pageParams,
  Tag,
  Tags,
  TimeOrDateInput,
  Timestamp,
  TimeZone,
  versionFields,
} from "../../http/schemas.ts";
import { DUE_DATE_RULE, isDueDate, PRIORITIES, TASK_SOURCES, TASK_STATUSES } from "../../lib/task-kinds.ts";

const Status = z.enum(TASK_STATUSES);
const Priority = z.enum(PRIORITIES);
const Source = z.enum(TASK_SOURCES);

export const Task = named("Task", {
  id: Id,
  title: doc(z.string(), "Title.", "Send the signed contract"),
  description: doc(z.string(), "Details; may be empty.", "The March version, with the annex."),
  status: doc(Status, "State of the task.", "todo"),
  priority: doc(Priority, "Priority.", "high"),
  dueAt: doc(Timestamp.nullable(), "When the task is due."),
  tags: doc(z.array(z.string()), "Tags.", ["legal"]),
  source: doc(Source, "What created the task.", "manual"),
  outside: doc(
    z.boolean(),
    "Whether some of its text may come from other people or from programs: an email, an API key or an applied " +
      "proposal. Set by the service. It becomes false when a person, not an API key, replaces or removes every text of " +
      "the task in one change: title, description, tags and quote.",
    false,
  ),
  emailId: doc(Id.nullable(), "The email the task came from. Null if there is none or it was deleted."),
  eventId: doc(Id.nullable(), "The calendar event the task belongs to. Null if there is none or it was deleted."),
  quote: doc(z.string().nullable(), "The sentence of the email that asks for it.", "Please send the contract."),
  completedAt: doc(Timestamp.nullable(), "When the task was done or cancelled. Set by the service."),
  reminders: Reminders,
  ...versionFields,
});
export type Task = z.infer<typeof Task>;

export const TaskList = listOf(Task, "TaskList");

const title = doc(z.string().trim().min(1).max(500), "Title.");
const description = doc(z.string().max(50_000), "Details.");
const dueAt = doc(
  TimeOrDateInput.refine((value) => isDueDate(new Date(value)), DUE_DATE_RULE)
    .nullable()
    .optional(),
  "When the task is due. A date such as `2026-11-20` means the end of that day; null means no due date.",
);
const dueText = doc(
  z.string().trim().min(1).max(200).optional(),
  "The due time in plain English, such as `next friday 5pm`, instead of `dueAt`. A day means the end of that day.",
);
const timeZone = doc(
  TimeZone.optional(),
  "IANA time zone of `dueText`, and of a date in `dueAt`. Default: the time zone of your profile, otherwise UTC.",
);

const reminders = doc(RemindersInput.optional(), REMINDERS_TEXT, [{ minutesBefore: 30 }]);

const hasOneDueTime = (task: { dueAt?: unknown; dueText?: unknown }) =>
  task.dueAt === undefined || task.dueText === undefined;
const ONE_DUE_TIME = { path: ["dueText"], message: "cannot be sent together with dueAt" };

export const NewTask = z
  .object({
    title,
    description: description.default(""),
    status: doc(Status, "State of the task. Default: `todo`.").default("todo"),
    priority: doc(Priority, "Priority. Default: `medium`.").default("medium"),
    dueAt,
    dueText,
    timeZone,
    tags: doc(Tags, "Tags.").default([]),
    source: doc(Source, "What created the task. Default: `manual`.").default("manual"),
    emailId: doc(Id.nullable(), "Id of a stored email that the task belongs to.").default(null),
    eventId: doc(Id.nullable(), "Id of a calendar event that the task belongs to.").default(null),
    reminders,
  })
  .refine(hasOneDueTime, ONE_DUE_TIME)
  .openapi("NewTask", {
    example: {
      title: "Send the signed contract",
      priority: "high",
      dueText: "next friday 5pm",
      timeZone: "Europe/Berlin",
      tags: ["legal"],
    },
  });
export type NewTask = z.output<typeof NewTask>;

export const TaskChanges = z
  .object({
    title: title.optional(),
    description: description.optional(),
    status: doc(Status.optional(), "State of the task."),
    priority: doc(Priority.optional(), "Priority."),
    dueAt,
    dueText,
    timeZone,
    tags: doc(Tags.optional(), "Replaces all tags."),
    eventId: doc(Id.nullable().optional(), "Id of a calendar event that the task belongs to; null removes it."),
    reminders,
    quote: doc(
      z.string().nullable().optional(),
      "null removes the sentence of the email. Any other value is ignored: only the service sets it.",
    ),
  })
  .refine(hasOneDueTime, ONE_DUE_TIME)
  .openapi("TaskChanges", { example: { status: "in_progress", priority: "urgent" } });
export type TaskChanges = z.output<typeof TaskChanges>;

export const TaskParams = z.object({ id: IdParam });

export const TaskQuery = z.object({
  status: listParam(TASK_STATUSES).optional(),
  priority: listParam(PRIORITIES).optional(),
  tag: doc(Tag.optional(), "Only tasks with this tag. Upper and lower case are equal."),
  source: doc(Source.optional(), "Only tasks from this source."),
  emailId: doc(IdParam.optional(), "Only tasks of this email."),
  dueBefore: doc(TimeOrDateInput.optional(), "Due before this time. A date includes that whole day in your time zone."),
  dueAfter: doc(
    TimeOrDateInput.optional(),
    "Due at this time or later. A date such as `2026-11-20` means the start of that day in your time zone.",
  ),
  overdue: doc(FlagParam.optional(), "`true`: only open tasks that are past their due time. `false`: all others."),
  q: doc(
    z.string().max(20_000).optional(),
    "Words in the title and description. All must match; the last may be the start of a word.",
  ),
  sort: doc(
    z.enum(["due", "created", "priority"]),
    "`due`: by due time, tasks without one last. `created`: newest first. `priority`: by priority, then by due time. " +
      "Default: `due`. With `created` and a filter on due times, a page may be shorter than `limit`, or empty, before " +
      "the last: go on until `nextCursor` is null.",
  ).default("due"),
  ...pageParams,
});
export type TaskQuery = z.output<typeof TaskQuery>;
