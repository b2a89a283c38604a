import * as z from "zod";
import { PRIORITIES, TASK_STATUSES } from "../../../lib/task-kinds.ts";
import { createTaskOfEmail } from "../../emails/tasks.ts";
import { listTasks } from "../../tasks/list.ts";
import type { Task } from "../../tasks/schemas.ts";
import { createTask, getTask, updateTask } from "../../tasks/service.ts";
import { findTask } from "./find-record.ts";
import { previewNewTask, previewTask } from "./preview.ts";
import { defineTool, Id, instantOf, isOutside, Match, Moment, NEVER_UNTRUSTED } from "./tool.ts";

export type TaskView = Pick<Task, "id" | "title" | "status" | "priority" | "dueAt" | "tags" | "source" | "outside">;

export function taskView({ id, title, status, priority, dueAt, tags, source, outside }: Task): TaskView {
  return { id, title, status, priority, dueAt, tags, source, outside };
}

const taskRef = {
  id: Id.optional(),
  match: Match.optional().describe("Words of its title, if you do not know its id."),
};
const named = { error: "give id or match", path: ["id"] };
const isNamed = ({ id, match }: { id?: number | undefined; match?: string | undefined }) =>
  id !== undefined || match !== undefined;

const OPEN = ["todo", "in_progress", "waiting"] as const;
const STATUSES = { open: OPEN, done: ["done"], all: TASK_STATUSES } as const;

const listTasksTool = defineTool({
  name: "list_tasks",
  description: "List the person's tasks and reminders, by due date.",
  input: z.object({
    status: z.enum(["open", "done", "all"]).default("open"),
    dueAfter: Moment.optional(),
    dueBefore: Moment.optional(),
    overdue: z.boolean().optional(),
    priority: z.enum(PRIORITIES).optional(),
    query: z.string().trim().max(200).optional().describe("Words of title or description."),
    limit: z.int().min(1).max(50).default(20),
  }),
  scopes: ["tasks:read"],
  writes: false,
  returnsUntrusted: ({ tasks }) => tasks.some(isOutside),
  async run({ ctx, timeZone }, { status, dueAfter, dueBefore, overdue, priority, query, limit }) {
    const { data, nextCursor } = await listTasks(ctx, {
      status: [...STATUSES[status]],
      sort: "due",
      limit,
      ...(dueAfter && { dueAfter: instantOf(dueAfter, timeZone) }),
      ...(dueBefore && { dueBefore: instantOf(dueBefore, timeZone) }),
      ...(overdue && { overdue }),
      ...(priority && { priority: [priority] }),
      ...(query && { q: query }),
    });
    return { tasks: data.map(taskView), more: nextCursor !== null };
  },
});

const createTaskTool = defineTool({
  name: "create_task",
  description: "Add a task or reminder.",
  input: z.object({
    title: z.string().trim().min(1).max(500),
    description: z.string().max(5000).optional(),
    dueAt: Moment.optional(),
    priority: z.enum(PRIORITIES).optional(),
    emailId: Id.optional().describe("The email that asks for it."),
    quote: z.string().trim().min(1).max(2000).optional().describe("With emailId: the request, letter by letter."),
  }),
  scopes: ["tasks:write"],
  writes: true,
  // A new task has no words but those of this call.
  returnsUntrusted: NEVER_UNTRUSTED,
  preview: (context, input) => previewNewTask(context, input),
  async run({ ctx, timeZone }, { title, description = "", dueAt, priority = "medium", emailId, quote }) {
    const due = dueAt === undefined ? null : instantOf(dueAt, timeZone);
    if (emailId !== undefined && quote !== undefined) {
      const task = { title, description, dueAt: due, quote, tags: [], priority };
      return taskView(await createTaskOfEmail(ctx, emailId, task));
    }
    const task = { title, description, priority, dueAt: due, status: "todo", source: "chat" } as const;
    return taskView(await createTask(ctx, { ...task, tags: [], emailId: null, eventId: null }));
  },
});

const completeTask = defineTool({
  name: "complete_task",
  description: "Mark a task as done.",
  input: z.object(taskRef).refine(isNamed, named),
  scopes: ["tasks:write"],
  writes: true,
  returnsUntrusted: isOutside,
  searchScope: "tasks:read",
  resolve: (context, input) => findTask(context, input, "complete_task"),
  preview: async (context, { id = 0 }) => previewTask(context, "Complete task", await getTask(context.ctx, id)),
  run: async ({ ctx, expected }, { id = 0 }) => taskView(await updateTask(ctx, id, { status: "done" }, expected)),
});

const updateTaskTool = defineTool({
  name: "update_task",
  description: "Change a task: its title, due date, priority or status (`cancelled` removes it from the list).",
  input: z
    .object({
      ...taskRef,
      title: z.string().trim().min(1).max(500).optional(),
      dueAt: Moment.nullable().optional().describe("null removes the due date."),
      priority: z.enum(PRIORITIES).optional(),
      status: z.enum(TASK_STATUSES).optional(),
    })
    .refine(isNamed, named),
  scopes: ["tasks:write"],
  writes: true,
  returnsUntrusted: isOutside,
  searchScope: "tasks:read",
  resolve: (context, input) => findTask(context, input, "update_task"),
  preview: async (context, { id = 0, ...changes }) =>
    previewTask(context, "Change task", await getTask(context.ctx, id), changes),
  async run({ ctx, timeZone, expected }, { id = 0, match: _, dueAt, ...changes }) {
    const due = dueAt === undefined ? {} : { dueAt: dueAt === null ? null : instantOf(dueAt, timeZone) };
    return taskView(await updateTask(ctx, id, { ...changes, ...due }, expected));
  },
});

export const TASK_TOOLS = [listTasksTool, createTaskTool, completeTask, updateTaskTool];
