import { z } from "@hono/zod-openapi";
import {
  FlagParam,
  Id,
  IdParam,
  listOf,
  listParam,
  pageParams,
  Tag,
  Tags,
  Timestamp,
  TimestampInput,
  TimeZone,
} from "../../http/schemas.ts";
import { DUE_DATE_RULE, isDueDate, PRIORITIES, TASK_SOURCES, TASK_STATUSES } from "../../lib/task-kinds.ts";

const TITLE_CHARACTERS = 500;
const DESCRIPTION_CHARACTERS = 50_000;

const Status = z.enum(TASK_STATUSES).openapi({ example: "todo" });
const Priority = z.enum(PRIORITIES).openapi({ example: "high" });
const Source = z.enum(TASK_SOURCES).openapi({ example: "manual" });

export const Task = z
  .object({
    id: Id,
    title: z.string().openapi({ example: "Send the signed contract" }),
    description: z.string().openapi({ example: "The March version, with the annex." }),
    status: Status,
    priority: Priority,
    dueAt: Timestamp.nullable(),
    tags: z.array(z.string()).openapi({ example: ["legal"] }),
    source: Source.openapi({ description: "Who made the task." }),
    emailId: Id.nullable().openapi({ description: "The mail it came from, while that exists." }),
    eventId: Id.nullable().openapi({ description: "The calendar event it belongs to." }),
    quote: z
      .string()
      .nullable()
      .openapi({ description: "The sentence of the mail that asks for it.", example: "Please send the contract." }),
    completedAt: Timestamp.nullable().openapi({ description: "When it was done or cancelled; set by the service." }),
    version: z.int().openapi({ example: 1, description: "Rises with every change; also the ETag." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .openapi("Task");

export type Task = z.infer<typeof Task>;

export const TaskList = listOf(Task, "TaskList");

const title = z.string().trim().min(1).max(TITLE_CHARACTERS).openapi({ example: "Send the signed contract" });
const description = z.string().max(DESCRIPTION_CHARACTERS).openapi({ example: "The March version, with the annex." });
const dueAt = TimestampInput.refine(isDueDate, DUE_DATE_RULE);
const dueText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .openapi({ example: "next friday 5pm", description: "The due date in plain English, in place of `dueAt`." });
const timeZone = TimeZone.openapi({
  description: "The zone `dueText` is read in; your profile's when left out, or UTC.",
});

const oneDueDate = (task: { dueAt?: unknown; dueText?: unknown }) =>
  task.dueAt === undefined || task.dueText === undefined;
const ONE_DUE_DATE = { path: ["dueText"], message: "give either dueAt or dueText, not both" };

export const NewTask = z
  .object({
    title,
    description: description.default(""),
    status: Status.default("todo"),
    priority: Priority.default("medium"),
    dueAt: dueAt.nullable().optional(),
    dueText: dueText.optional(),
    timeZone: timeZone.optional(),
    tags: Tags.default([]),
    source: Source.default("manual"),
    emailId: Id.nullable().default(null).openapi({ description: "A mail the task belongs to." }),
  })
  .refine(oneDueDate, ONE_DUE_DATE)
  .openapi("NewTask");

export type NewTask = z.output<typeof NewTask>;

export const TaskChanges = z
  .object({
    title: title.optional(),
    description: description.optional(),
    status: Status.optional(),
    priority: Priority.optional(),
    dueAt: dueAt.nullable().optional().openapi({ description: "null takes the due date away." }),
    dueText: dueText.optional(),
    timeZone: timeZone.optional(),
    tags: Tags.optional().openapi({ description: "Replaces all tags." }),
  })
  .refine(oneDueDate, ONE_DUE_DATE)
  .openapi("TaskChanges");

export type TaskChanges = z.output<typeof TaskChanges>;

export const TaskParams = z.object({ id: IdParam });

export const TaskQuery = z.object({
  status: listParam(TASK_STATUSES).optional(),
  priority: listParam(PRIORITIES).optional(),
  tag: Tag.optional(),
  source: Source.optional(),
  emailId: IdParam.optional(),
  dueBefore: TimestampInput.optional().openapi({ description: "Due before this moment." }),
  dueAfter: TimestampInput.optional().openapi({ description: "Due at this moment or later." }),
  overdue: FlagParam.optional().openapi({ description: "Open and past its due date." }),
  q: z.string().max(20_000).optional().openapi({ description: "Words of title and description.", example: "contract" }),
  sort: z.enum(["due", "created", "priority"]).default("due").openapi({
    description: "`due`: earliest first, undated last. `created`: newest first. `priority`: urgent first, then by due.",
  }),
  ...pageParams,
});

export type TaskQuery = z.output<typeof TaskQuery>;
