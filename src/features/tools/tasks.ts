import * as z from "zod";
import { shortQuery } from "../../lib/search-query.ts";
import { PRIORITIES, TASK_STATUSES } from "../../lib/task-kinds.ts";
import { listTasks } from "../tasks/list.ts";
import type { List } from "../tasks/lists/schemas.ts";
import { listIdNamed, listsInUse } from "../tasks/lists/service.ts";
import type { Task } from "../tasks/schemas.ts";
import { agentRead, Cursor, given, Limit, since, until, When } from "./agents/agent-tool.ts";
import * as agents from "./agents/views.ts";
import { instantOf, Moment } from "./moment.ts";
import { defineTool, isOutside } from "./tool.ts";

const SHOWN = [
  "id",
  "title",
  "status",
  "priority",
  "dueAt",
  "dueDate",
  "tags",
  "listId",
  "rrule",
  "reminders",
  "source",
  "outside",
  "version",
] as const;
export type TaskView = Pick<Task, (typeof SHOWN)[number]>;

export function taskView(task: Task): TaskView {
  const { id, title, status, priority, dueAt, dueDate, tags, listId, rrule, reminders } = task;
  const { source, outside, version } = task;
  return { id, title, status, priority, dueAt, dueDate, tags, listId, rrule, reminders, source, outside, version };
}

const OPEN = ["todo", "in_progress", "waiting"] as const;
const STATUSES = { open: OPEN, done: ["done"], all: TASK_STATUSES } as const;

export const ListName = z.string().trim().min(1).max(100);
const listTasksTool = defineTool({
  name: "list_tasks",
  description: "List the person's tasks and reminders, by due date.",
  input: z.object({
    status: z.enum(["open", "done", "all"]).default("open"),
    list: ListName.optional().describe("Only tasks of the list with this name."),
    tag: z.string().trim().min(1).max(50).optional(),
    dueAfter: Moment.optional(),
    dueBefore: Moment.optional(),
    overdue: z.boolean().optional(),
    priority: z.enum(PRIORITIES).optional(),
    query: z.string().trim().max(200).optional().describe("Words of title or description."),
    limit: z.int().min(1).max(50).default(20),
  }),
  scopes: ["tasks:read"],
  writes: false,
  ownWords: {
    because: "The mark of each task covers its title and tags.",
    in: ({ tasks }) => !tasks.some(isOutside),
  },
  async run({ ctx, timeZone }, { status, list, tag, dueAfter, dueBefore, overdue, priority, query, limit }) {
    const { data, nextCursor } = await listTasks(ctx, {
      status: [...STATUSES[status]],
      sort: "due",
      limit,
      ...(list && { listId: await listIdNamed(ctx, list) }),
      ...(tag && { tag: tag.toLowerCase() }),
      ...(dueAfter && { dueAfter: instantOf(dueAfter, timeZone) }),
      ...(dueBefore && { dueBefore: instantOf(dueBefore, timeZone) }),
      ...(overdue && { overdue }),
      ...(priority && { priority: [priority] }),
      ...(query && { q: shortQuery(query) }),
    });
    return { tasks: data.map(taskView), more: nextCursor !== null };
  },
  agents: agentRead({
    title: "List tasks",
    description: "List tasks by due time.",
    input: z.strictObject({
      query: z.string().trim().max(200).optional(),
      status: z.enum(["open", "done", "all"]).default("open"),
      overdue: z.boolean().optional(),
      priority: z.enum(PRIORITIES).optional(),
      dueAfter: When.optional(),
      dueBefore: When.optional(),
      limit: Limit,
      cursor: Cursor,
    }),
    output: z.object({ tasks: z.array(agents.TaskView), nextCursor: z.string().nullable() }),
    async run(call, { query, status, overdue, priority, dueAfter, dueBefore, limit, cursor }) {
      const { data, nextCursor } = await listTasks(call.ctx, {
        status: [...STATUSES[status]],
        sort: "due",
        limit,
        ...given({ overdue, cursor }),
        ...(query && { q: shortQuery(query) }),
        ...(priority && { priority: [priority] }),
        ...(dueAfter && { dueAfter: since(call, dueAfter) }),
        ...(dueBefore && { dueBefore: until(call, dueBefore) }),
      });
      return { tasks: data.map((task) => agents.taskView(call, task)), nextCursor };
    },
  }),
});

const listView = ({ id, name, openTasks, outside }: List) => ({ id, name, openTasks, outside });

const listTaskLists = defineTool({
  name: "list_task_lists",
  description:
    "List the person's lists of tasks, such as projects or a shopping list, with their number of open tasks.",
  input: z.object({}),
  scopes: ["tasks:read"],
  writes: false,
  ownWords: {
    because: "The mark of each list covers its name.",
    in: ({ lists }) => !lists.some(isOutside),
  },
  async run({ ctx }) {
    return { lists: (await listsInUse(ctx)).map(listView) };
  },
});

export const TASK_TOOLS = [listTasksTool, listTaskLists];
