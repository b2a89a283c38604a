import * as z from "zod";
import { type Due, dueOfDate } from "../../lib/due.ts";
import { AppError } from "../../lib/errors.ts";
import { quoted } from "../../lib/quoted.ts";
import { MAX_ESTIMATE_MINUTES, PRIORITIES, REPEAT_FROM, TASK_STATUSES } from "../../lib/task-kinds.ts";
import { getEmail } from "../emails/service.ts";
import { createTaskOfEmail } from "../emails/tasks.ts";
import { listIdNamed } from "../tasks/lists/service.ts";
import { createTask, getTask, updateTask } from "../tasks/service.ts";
import { type AgentCall, agentWrite, given, When } from "./agents/agent-tool.ts";
import { dueOf, Rrule, taskFields } from "./agents/task-input.ts";
import * as agents from "./agents/views.ts";
import { findTask } from "./find-record.ts";
import { instantOf, Moment } from "./moment.ts";
import { emailWords, previewTask } from "./preview.ts";
import { REMINDERS_TEXT, RemindersInput, remindersOf, spokenReminders } from "./reminder-input.ts";
import { allOf, ELSEWHERE, factsFor, REPEATING, type Sayings, said, whole } from "./said.ts";
import { ListName, taskView } from "./tasks.ts";
import { defineTool, Id, Match, UNMARKED } from "./tool.ts";

const taskRef = {
  id: Id.optional(),
  match: Match.optional().describe("Words of its title, if you do not know its id."),
};
const named = { error: "give id or match", path: ["id"] };
const isNamed = ({ id, match }: { id?: number | undefined; match?: string | undefined }) =>
  id !== undefined || match !== undefined;

const fields = {
  tags: z.array(z.string().trim().min(1).max(50)).max(20).optional(),
  estimateMinutes: z.int().min(1).max(MAX_ESTIMATE_MINUTES).optional().describe("How long it takes."),
  rrule: z.string().max(200).optional().describe("An RFC 5545 RRULE, if it repeats."),
  repeatFrom: z.enum(REPEAT_FROM).optional().describe("done: the next is counted from the completion."),
  reminders: RemindersInput.describe(REMINDERS_TEXT),
};
const DUE = "A date alone is a day without a time.";

/** A date alone is a day, and no time of it. */
function dueFrom(text: string, zone: string): Due {
  return text.length === 10 ? dueOfDate(text, zone) : { dueAt: instantOf(text, zone), dueDate: null };
}

/** As a request says it. */
const dueInput = ({ dueAt, dueDate }: Due) => (dueDate === null ? { dueAt } : { dueDate });

/** What a proposal says of the fields that new and changed tasks have. */
const TASK_FIELDS: Sayings<
  Pick<NewTaskInput, "description" | "priority" | "tags" | "estimateMinutes" | "repeatFrom" | "reminders"> & {
    dueAt?: string | null | undefined;
    list?: string | null | undefined;
    rrule?: string | null | undefined;
  }
> = {
  list: (name) => (name === null ? "in no list" : `in the list ${whole(name)}`),
  dueAt: (at, { due, context }) =>
    at === null ? "no due date" : `due ${due(dueFrom(at, context.timeZone).dueAt.getTime())}`,
  ...REPEATING,
  repeatFrom: (from) => `the next one counted from when it is ${from}`,
  priority: (priority) => `${priority} priority`,
  tags: (tags) => `tags ${allOf(tags) || "none"}`,
  estimateMinutes: (minutes) => `estimate ${minutes} minutes`,
  reminders: spokenReminders,
  description: (text) => `with the description ${whole(text)}`,
};

const NewTaskInput = z.object({
  title: z.string().trim().min(1).max(500),
  description: z.string().max(5000).optional(),
  dueAt: Moment.optional().describe(DUE),
  priority: z.enum(PRIORITIES).optional(),
  list: ListName.optional().describe("Name of the list to put it in; created if there is none."),
  ...fields,
  parentId: Id.optional().describe("Makes it a subtask of this task."),
  emailId: Id.optional().describe("With quote: the email that asks for it."),
  quote: z.string().trim().min(1).max(2000).optional().describe("With emailId: the request, letter by letter."),
});
type NewTaskInput = z.output<typeof NewTaskInput>;

/** A task of an email has its tags, and none of these. */
const NOT_OF_EMAIL = ["list", "tags", "estimateMinutes", "rrule", "repeatFrom", "reminders", "parentId"] as const;
const isOfEmail = ({ emailId, quote }: NewTaskInput) => emailId !== undefined || quote !== undefined;

const NEW_TASK: Sayings<NewTaskInput> = {
  title: ELSEWHERE,
  parentId: async (id, { context }) => `as a subtask of ${quoted((await getTask(context.ctx, id)).title)}`,
  emailId: async (id, { context }) => `for the email ${emailWords(await getEmail(context.ctx, id))}, with its tags`,
  quote: (text) => `which says ${whole(text)}`,
  ...TASK_FIELDS,
};

const createTaskTool = defineTool({
  name: "create_task",
  description: "Add a task or reminder.",
  input: NewTaskInput.refine((input) => !isOfEmail(input) || (input.emailId && input.quote), {
    error: "give emailId and quote together",
    path: ["emailId"],
  }).refine((input) => !isOfEmail(input) || NOT_OF_EMAIL.every((name) => input[name] === undefined), {
    error: `do not give ${NOT_OF_EMAIL.join(", ")} with emailId`,
    path: ["emailId"],
  }),
  scopes: ["tasks:write"],
  writes: true,
  record: "task",
  ownWords: {
    because:
      "A new task has no words but those of this call. One of an email has that email's tags, and may be there already.",
    in: (_, { emailId }) => emailId === undefined,
  },
  async preview(context, input) {
    const parts = await said(NEW_TASK, input, await factsFor(context));
    return { summary: [`Create task ${whole(input.title)}`, ...parts].join(", "), record: null };
  },
  async run({ ctx, timeZone }, { dueAt, emailId, quote, list, description = "", priority = "medium", ...given }) {
    const due = dueAt === undefined ? null : dueFrom(dueAt, timeZone);
    if (emailId !== undefined && quote !== undefined) {
      const task = { title: given.title, description, quote, tags: [], priority, ...(due ?? { dueAt: null }) };
      return taskView(await createTaskOfEmail(ctx, emailId, task));
    }
    const { tags = [], reminders, ...rest } = given;
    const task = { ...rest, description, priority, tags, timeZone, status: "todo", source: "chat" } as const;
    const made = {
      ...task,
      ...remindersOf(reminders, timeZone),
      ...(due && dueInput(due)),
      emailId: null,
      eventId: null,
    };
    return taskView(await createTask(ctx, made, list));
  },
  agents: agentWrite({
    title: "Create a task",
    description: "Add a task or reminder.",
    input: z.strictObject({
      ...taskFields,
      description: z.string().max(5000).optional(),
      dueAt: When.optional(),
      rrule: Rrule.optional(),
      emailId: Id.optional().describe("With quote: the email that asks for it"),
      quote: z.string().trim().min(1).max(2000).optional(),
    }),
    shown: z.object({ task: agents.TaskView.optional() }),
    toInput: async (call, { dueAt, dueText, ...task }) => ({
      ...(await dueOf(call, { dueAt, dueText })),
      ...given(task),
    }),
    // The task of a quote may be there already, and has the tags of its email.
    show: (call, result, { emailId }) => writtenTask(call, result, { isNew: emailId === undefined }),
  }),
});

const completeTask = defineTool({
  name: "complete_task",
  description: "Mark a task as done. If it repeats, the next one is created.",
  input: z.object(taskRef).refine(isNamed, named),
  scopes: ["tasks:write"],
  writes: true,
  record: "task",
  ownWords: UNMARKED,
  searchScope: "tasks:read",
  resolve: (context, input) => findTask(context, input, "complete_task"),
  async preview(context, { id = 0 }) {
    const task = await getTask(context.ctx, id);
    return previewTask(context, "Complete task", task, task.rrule === null ? undefined : "the next one is created");
  },
  run: async ({ ctx, expected }, { id = 0 }) => taskView(await updateTask(ctx, id, { status: "done" }, expected)),
});

const TaskChangesInput = z.object({
  ...taskRef,
  title: z.string().trim().min(1).max(500).optional(),
  dueAt: Moment.nullable().optional().describe(`null removes the due date. ${DUE}`),
  priority: z.enum(PRIORITIES).optional(),
  status: z.enum(TASK_STATUSES).optional(),
  list: ListName.nullable().optional().describe("Name of the list to move it to; null for none."),
  ...fields,
  rrule: fields.rrule.nullable().describe("An RFC 5545 RRULE; null stops the repetition."),
});

const { description: _, ...CHANGED_FIELDS } = TASK_FIELDS;
const TASK_CHANGES: Sayings<z.output<typeof TaskChangesInput>> = {
  id: ELSEWHERE,
  match: ELSEWHERE,
  title: (title) => `new title ${whole(title)}`,
  ...CHANGED_FIELDS,
  status: (status) => `status ${status}`,
};

const updateTaskTool = defineTool({
  name: "update_task",
  description:
    "Change a task: its title, due date, list, reminders, priority or status (`cancelled` removes it from the list). A new due date " +
    "of a task that repeats is for this time only.",
  input: TaskChangesInput.refine(isNamed, named),
  scopes: ["tasks:write"],
  writes: true,
  record: "task",
  ownWords: UNMARKED,
  searchScope: "tasks:read",
  resolve: (context, input) => findTask(context, input, "update_task"),
  async preview(context, input) {
    const parts = await said(TASK_CHANGES, input, await factsFor(context));
    if (parts.length === 0) throw new AppError("nothing_to_update");
    return previewTask(context, "Change task", await getTask(context.ctx, input.id ?? 0), parts.join(", "));
  },
  async run({ ctx, timeZone, expected }, { id = 0, match: _, dueAt, list, reminders, ...given }) {
    const changes = { ...given, ...remindersOf(reminders, timeZone) };
    const due = dueAt === undefined ? {} : dueAt === null ? { dueAt } : dueInput(dueFrom(dueAt, timeZone));
    const listId = list === undefined ? {} : { listId: list === null ? null : await listIdNamed(ctx, list) };
    const scope = dueAt === undefined ? "all" : "this";
    return taskView(await updateTask(ctx, id, { ...changes, ...due, ...listId, timeZone }, expected, scope));
  },
  agents: agentWrite({
    title: "Change a task",
    description: "Change or complete a task (status `done`). dueAt null removes the due time.",
    input: z.strictObject({
      id: Id,
      ...taskFields,
      title: taskFields.title.optional(),
      dueAt: When.nullable().optional(),
      list: taskFields.list.nullable(),
      rrule: Rrule.nullable().optional(),
      status: z.enum(TASK_STATUSES).optional(),
    }),
    shown: z.object({ task: agents.TaskView.optional() }),
    toInput: async (call, { dueAt, dueText, ...task }) => ({
      ...(await dueOf(call, { dueAt, dueText })),
      ...given(task),
    }),
    show: (call, result) => writtenTask(call, result),
  }),
});

/** The whole record: the chat's view of it has no version. A new one has no words but those of the call. */
async function writtenTask(call: AgentCall, { id }: Record<string, unknown>, { isNew } = { isNew: false }) {
  const task = await getTask(call.ctx, Number(id));
  return { task: agents.taskView(call, isNew ? { ...task, outside: false } : task) };
}

export const TASK_CHANGE_TOOLS = [createTaskTool, completeTask, updateTaskTool];
