import { z } from "@hono/zod-openapi";
import { REMINDERS_TEXT, recordReminders, remindersInput } from "../../http/reminder-schemas.ts";
import {
  doc,
  FlagParam,
  Id,
  IdParam,
  listOf,
  listParam,
  named,
  objectOf,
  pageParams,
  Tag,
  Tags,
  TimeOrDateInput,
  Timestamp,
  TimeZone,
  versionFields,
} from "../../http/schemas.ts";
import { quoting, readBy } from "../../lib/receipts.ts";
import {
  DUE_DATE_RULE,
  EDIT_SCOPES,
  isDueDate,
  isOpen,
  MAX_ESTIMATE_MINUTES,
  PRIORITIES,
  REPEAT_FROM,
  TASK_SOURCES,
  TASK_STATUSES,
  type TaskStatus,
} from "../../lib/task-kinds.ts";

export const Status = z.enum(TASK_STATUSES);
export const Priority = z.enum(PRIORITIES);
const Source = z.enum(TASK_SOURCES);

export const Task = named(
  "Task",
  () => ({
    id: Id,
    title: doc(z.string(), "Title.", "Send the signed contract"),
    description: doc(z.string(), "Details; may be empty.", "The March version, with the annex."),
    status: doc(Status, "State of the task.", "todo"),
    priority: doc(Priority, "Priority.", "high"),
    dueAt: doc(Timestamp.nullable(), "When the task is due. Null if it has no due date, or only a day: see `dueDate`."),
    dueDate: doc(
      z.string().nullable(),
      "The day the task is due, without a time. It is overdue from the next day on. Null if `dueAt` is set.",
      null,
    ),
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
    quote: quoting(
      "emails:read",
      doc(
        z.string().nullable(),
        "The sentence of the email that asks for it. Null for an API key without the scope `emails:read`.",
        "Please send the contract.",
      ),
    ),
    completedAt: doc(Timestamp.nullable(), "When the task was done or cancelled. Set by the service."),
    listId: doc(
      Id.nullable(),
      "The list the task is in. Null if it is in no list. A subtask is in the list of its parent.",
    ),
    parentId: doc(Id.nullable(), "The task this is a subtask of."),
    subtasks: doc(
      z.object({
        done: doc(z.int(), "Subtasks that are done.", 1),
        total: doc(z.int(), "Subtasks that are not cancelled.", 3),
      }),
      "Progress of the subtasks.",
    ),
    position: doc(
      z.number(),
      "Place among the open tasks of the same list and parent, smallest first, as `sort=position` returns them.",
      12.5,
    ),
    estimateMinutes: doc(z.int().nullable(), "How long the task takes, in minutes.", 30),
    rrule: doc(
      z.string().nullable(),
      "How the task repeats, as an RFC 5545 rule. Completing the task creates the next one.",
      "FREQ=WEEKLY;BYDAY=FR",
    ),
    repeatFrom: doc(
      z.enum(REPEAT_FROM).nullable(),
      "`due`: the next task is due by the rule. `done`: one period after this one was completed.",
      "due",
    ),
    reminders: recordReminders(),
    ...versionFields,
  }),
  { description: "A task." },
);
export type Task = z.infer<typeof Task>;

export const TaskList = listOf(Task, "TaskList");

const title = () => doc(z.string().trim().min(1).max(500), "Title.");
const description = () => doc(z.string().max(50_000), "Details.");

/** When a task is due, on input. */
export const dueFields = () => ({
  dueAt: doc(
    TimeOrDateInput.refine((value) => isDueDate(new Date(value)), DUE_DATE_RULE)
      .nullable()
      .optional(),
    "When the task is due. A date such as `2026-11-20` is taken as `dueDate`; null means no due date.",
  ),
  dueDate: doc(
    z.iso
      .date()
      .refine((value) => isDueDate(new Date(value)), DUE_DATE_RULE)
      .nullable()
      .optional(),
    "The day the task is due, without a time, instead of `dueAt`.",
  ),
  dueText: doc(
    z.string().trim().min(1).max(200).optional(),
    "The due date in plain English, such as `next friday 5pm`, instead of `dueAt`. A day without a time sets `dueDate`; " +
      "`every friday` or `3 days after it is done` also sets `rrule` and `repeatFrom`.",
  ),
  timeZone: doc(
    TimeZone.optional(),
    "IANA time zone of `dueText`, `dueDate` and `rrule`. Default: the time zone of your profile, otherwise UTC.",
  ),
});

/** A place by hand, on input. */
export const position = () =>
  z.union([
    z.number().min(-1e15).max(1e15),
    z.enum(["first", "last"]),
    z.object({ after: doc(Id, "Id of the record to place it after.") }),
    z.object({ before: doc(Id, "Id of the record to place it before.") }),
  ]);
export type Position = z.output<ReturnType<typeof position>>;

const reminders = () => doc(remindersInput().optional(), REMINDERS_TEXT, [{ minutesBefore: 30 }]);

export const listId = () =>
  doc(Id.nullable().optional(), "Id of the list to put the task in; null for none. A subtask takes its parent's.");

export const estimateMinutes = () =>
  doc(
    z.int().min(1).max(MAX_ESTIMATE_MINUTES).nullable().optional(),
    "How long the task takes, in minutes. The plan of a day reserves this time.",
    30,
  );

const placeFields = () => ({
  listId: listId(),
  parentId: doc(
    Id.nullable().optional(),
    "Makes the task a subtask of this one; null makes it a task of its own. Only one level: a task with subtasks cannot be one.",
  ),
  position: doc(
    position().optional(),
    "Where to put the task among the open tasks of its list and parent: `first`, `last`, `{ after: id }` or " +
      "`{ before: id }`. A number is stored as it is. Default: last.",
    "last",
  ),
  estimateMinutes: estimateMinutes(),
  rrule: doc(
    z.string().trim().min(1).max(500).nullable().optional(),
    "Makes the task repeat, by an RFC 5545 rule such as `FREQ=WEEKLY;BYDAY=FR`; null stops it. Without a due date, the " +
      "first one is due on the first day that matches. A subtask cannot repeat.",
    "FREQ=WEEKLY;BYDAY=FR",
  ),
  repeatFrom: doc(
    z.enum(REPEAT_FROM).nullable().optional(),
    "Whether the next due date is counted from the due date (`due`) or from the completion (`done`). Default: `due`.",
    "due",
  ),
});

/** A record that is sent back has both, one of them null. */
export const hasOneDueTime = ({ dueAt, dueDate, dueText }: { dueAt?: unknown; dueDate?: unknown; dueText?: unknown }) =>
  [dueAt, dueDate, dueText].filter((given) => given !== undefined && given !== null).length <= 1;
export const ONE_DUE_TIME = { path: ["dueText"], message: "only one of dueAt, dueDate and dueText can be set" };

export const NewTask = objectOf(() => ({
  title: title(),
  description: description().default(""),
  status: doc(Status, "State of the task. Default: `todo`.").default("todo"),
  priority: doc(Priority, "Priority. Default: `medium`.").default("medium"),
  ...dueFields(),
  tags: doc(Tags, "Tags.").default([]),
  source: doc(Source, "What created the task. Default: `manual`.").default("manual"),
  emailId: doc(Id.nullable(), "Id of a stored email that the task belongs to.").default(null),
  eventId: doc(Id.nullable(), "Id of a calendar event that the task belongs to.").default(null),
  ...placeFields(),
  reminders: reminders(),
}))
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

export const TaskChanges = objectOf(() => ({
  title: title().optional(),
  description: description().optional(),
  status: doc(Status.optional(), "State of the task."),
  priority: doc(Priority.optional(), "Priority."),
  ...dueFields(),
  ...placeFields(),
  tags: doc(Tags.optional(), "Replaces all tags."),
  eventId: doc(Id.nullable().optional(), "Id of a calendar event that the task belongs to; null removes it."),
  reminders: reminders(),
  quote: doc(
    z.string().nullable().optional(),
    "null removes the sentence of the email. Any other value is ignored: only the service sets it.",
  ),
}))
  .refine(hasOneDueTime, ONE_DUE_TIME)
  .openapi("TaskChanges", { example: { status: "in_progress", priority: "urgent" } });
export type TaskChanges = z.output<typeof TaskChanges>;

export const EditQuery = objectOf(() => ({
  scope: doc(
    z.enum(EDIT_SCOPES),
    "For a task that repeats. `all`: the occurrences after this one change, too. `this`: only this one. Default: `all`.",
  ).default("all"),
}));
readBy("tasks:read", Task);

const NONE = "none" as const;
/** The id of a record, or `none` for tasks without one. */
const idOrNone = () =>
  z
    .string()
    .regex(/^(?:none|[1-9]\d{0,14})$/, "must be an id or none")
    .transform((text) => (text === NONE ? NONE : Number(text)));

export const STATUS_WORDS = ["open", "all", ...TASK_STATUSES] as const;

/** The statuses that the words stand for. */
export function statusesOf(given: readonly (typeof STATUS_WORDS)[number][]): readonly TaskStatus[] {
  if (given.includes("all")) return TASK_STATUSES;
  return TASK_STATUSES.filter((status) => given.includes(status) || (isOpen(status) && given.includes("open")));
}

export const TaskQuery = objectOf(() => ({
  status: doc(
    listParam(STATUS_WORDS).transform(statusesOf),
    "One or more of todo, in_progress, waiting, done and cancelled, separated by commas; `open` for the first three, " +
      "`all` for every status. Default: `open`.",
  ).prefault("open"),
  priority: listParam(PRIORITIES).optional(),
  tag: doc(Tag.optional(), "Only tasks with this tag. Upper and lower case are equal."),
  source: doc(Source.optional(), "Only tasks from this source."),
  emailId: doc(IdParam.optional(), "Only tasks of this email."),
  listId: doc(idOrNone().optional(), "Only tasks of this list; `none` for tasks in no list."),
  parentId: doc(idOrNone().optional(), "Only subtasks of this task; `none` for tasks that are not subtasks."),
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
    z.enum(["due", "created", "priority", "position"]),
    "`due`: by due time, tasks without one last. `created`: newest first. `priority`: by priority, then by due time. " +
      "`position`: as a person has arranged the open tasks of a list (`listId`; default: those in no list) or of a " +
      "parent (`parentId`); no other filter can be given. Default: `due`. With `created` and a filter on due times, a page may be shorter than `limit`, or empty, before " +
      "the last: go on until `nextCursor` is null.",
  ).default("due"),
  ...pageParams,
}));
export type TaskQuery = z.output<typeof TaskQuery>;
