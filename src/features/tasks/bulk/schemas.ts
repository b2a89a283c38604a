import { z } from "@hono/zod-openapi";
import { doc, Id, named, objectOf, Tag, Tags, Timestamp } from "../../../http/schemas.ts";
import { TASK_SOURCES } from "../../../lib/task-kinds.ts";
import {
  dueFields,
  estimateMinutes,
  hasOneDueTime,
  listId,
  ONE_DUE_TIME,
  Priority,
  STATUS_WORDS,
  Status,
  statusesOf,
} from "../schemas.ts";

/** As many as one statement changes in good time. */
export const MAX_BULK = 500;

const idOrNone = () => z.union([z.literal("none"), Id]);

const Filter = objectOf(() => ({
  status: doc(
    z.array(z.enum(STATUS_WORDS)).min(1).transform(statusesOf).optional(),
    "Statuses; `open` and `all` work, too. Default: `open`.",
  ),
  priority: doc(z.array(Priority).min(1).optional(), "Priorities."),
  tag: doc(Tag.optional(), "Only tasks with this tag."),
  source: doc(z.enum(TASK_SOURCES).optional(), "Only tasks from this source."),
  listId: doc(idOrNone().optional(), "Only tasks of this list; `none` for tasks in no list."),
  parentId: doc(idOrNone().optional(), "Only subtasks of this task; `none` for tasks that are not subtasks."),
  overdue: doc(z.boolean().optional(), "`true`: only tasks that are past their due date."),
}));

export const BulkChanges = objectOf(() => ({
  ids: doc(z.array(Id).min(1).max(MAX_BULK).optional(), "Ids of the tasks to update. Send this or `filter`."),
  filter: doc(
    Filter.optional(),
    `The tasks to update, as the filters of the list. It must not match more than ${MAX_BULK} tasks. An API key also needs \`tasks:read\`.`,
  ),
  status: doc(Status.optional(), "State of the tasks."),
  priority: doc(Priority.optional(), "Priority."),
  ...dueFields(),
  listId: listId(),
  estimateMinutes: estimateMinutes(),
  addTags: doc(Tags.optional(), "Tags to add."),
  removeTags: doc(Tags.optional(), "Tags to remove."),
}))
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ["ids"],
    message: "either ids or filter must be sent",
  })
  .refine(hasOneDueTime, ONE_DUE_TIME)
  .refine(({ addTags = [], removeTags = [] }) => !addTags.some((tag) => removeTags.includes(tag)), {
    path: ["removeTags"],
    message: "must not contain a tag of addTags",
  })
  .openapi("BulkTaskChanges", { example: { ids: [1, 2], priority: "high", addTags: ["this-week"] } });
export type BulkChanges = z.output<typeof BulkChanges>;

const undo = () =>
  doc(
    z
      .object({
        id: doc(z.string(), "Send this to undo the change.", "gq2…"),
        expiresAt: doc(Timestamp, "Until then the change can be undone."),
      })
      .nullable(),
    "How to undo the change. Null if nothing was changed.",
  );

export const BulkResult = named("BulkTaskResult", () => ({
  updated: doc(z.int(), "Number of tasks that were updated.", 2),
  missing: doc(z.array(Id), "Ids that do not exist.", []),
  undo: undo(),
}));
export type BulkResult = z.infer<typeof BulkResult>;

export const TasksToDelete = named(
  "TasksToDelete",
  () => ({ ids: doc(z.array(Id).min(1).max(MAX_BULK), "Ids of the tasks to delete.") }),
  { example: { ids: [901, 902] } },
);

export const DeletedTasks = named("DeletedTasks", () => ({
  deleted: doc(z.int(), "Number of requested tasks that were deleted, without their subtasks.", 2),
  missing: doc(z.array(Id), "Ids that do not exist.", []),
  undo: undo(),
}));
export type DeletedTasks = z.infer<typeof DeletedTasks>;

export const UndoRequest = named(
  "UndoTaskChange",
  () => ({ id: doc(z.string().min(1).max(100), "The `undo.id` of the bulk change or deletion.") }),
  { example: { id: "3n5v…" } },
);

export const UndoResult = named("UndoTaskResult", () => ({
  restored: doc(z.int(), "Number of restored tasks.", 2),
  changed: doc(z.array(Id), "Ids of tasks that were changed or deleted since then. They were not restored.", []),
}));
export type UndoResult = z.infer<typeof UndoResult>;
