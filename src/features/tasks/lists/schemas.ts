import { z } from "@hono/zod-openapi";
import { doc, Id, IdParam, listOf, named, pageParams, Timestamp, versionFields } from "../../../http/schemas.ts";
import { readBy } from "../../../lib/receipts.ts";
import { LIST_COLORS } from "../../../lib/task-kinds.ts";
import { position as positionInput } from "../schemas.ts";

const Color = z.enum(LIST_COLORS);

export const List = named("TaskListRecord", () => ({
  id: Id,
  name: doc(z.string(), "Name. Unique, ignoring case.", "Shopping"),
  color: doc(Color, "Color for screens.", "green"),
  outside: doc(z.boolean(), "Whether its name may come from other people or programs, such as an API key.", false),
  position: doc(z.number(), "Place among the lists, smallest first.", 1),
  archivedAt: doc(Timestamp.nullable(), "When the list was archived; null while it is in use.", null),
  openTasks: doc(z.int(), "Number of its open tasks, subtasks included.", 3),
  totalTasks: doc(z.int(), "Number of all its tasks.", 12),
  ...versionFields,
}));
readBy("tasks:read", List);
export type List = z.infer<typeof List>;

export const ListPage = listOf(List, "TaskLists");

const name = doc(z.string().trim().min(1).max(100), "Name. Must be unique, ignoring case.");
const color = doc(Color, "Color for screens. Default: `gray`.");
const position = doc(
  positionInput().optional(),
  "Where to put the list: `first`, `last`, `{ after: id }` or `{ before: id }`. A number is stored as it is. Default: last.",
  "last",
);

export const NewList = named("NewTaskList", () => ({ name, color: color.default("gray"), position }), {
  example: { name: "Garden", color: "green" },
});
export type NewList = z.output<typeof NewList>;

export const ListChanges = named(
  "TaskListChanges",
  () => ({
    name: name.optional(),
    color: doc(Color.optional(), "Color for screens."),
    position,
    archived: doc(z.boolean().optional(), "`true` archives the list: it and its tasks stay. `false` brings it back."),
  }),
  { example: { color: "teal" } },
);
export type ListChanges = z.output<typeof ListChanges>;

export const ListQuery = z.object({
  archived: doc(
    z.enum(["true", "false", "all"]),
    "`false`: lists in use. `true`: archived lists. `all`: both. Default: `false`.",
  ).default("false"),
  ...pageParams,
});
export type ListQuery = z.output<typeof ListQuery>;

export const ListDeletion = z.object({
  tasks: doc(
    z.enum(["keep", "move", "delete"]),
    "What happens to the tasks of the list. `keep`: they stay, in no list. `move`: they go to the list `moveTo`. " +
      "`delete`: they are deleted, done ones included. Default: `keep`.",
  ).default("keep"),
  moveTo: doc(IdParam.optional(), "With `tasks=move`: the id of the list that gets the tasks."),
});
export type ListDeletion = z.output<typeof ListDeletion>;
