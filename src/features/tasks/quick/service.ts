import { type Context, timeZoneOf } from "../../../context.ts";
import { dueOfMoment } from "../../../lib/due.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { uniqueTags } from "../../../lib/tags.ts";
import { isDueDate } from "../../../lib/task-kinds.ts";
import { readingFor } from "../../people/reading.ts";
import { readQuickTask } from "../language/quick-add.ts";
import { listNameKey, listsInUse } from "../lists/service.ts";
import { NewTask } from "../schemas.ts";
import { createTask } from "../service.ts";
import type { QuickPreview, QuickRequest, QuickResult } from "./schemas.ts";

/** Reads one line as a task and, unless it is a preview, creates that. */
export async function quickAdd(
  ctx: Context,
  { text, preview, timeZone = timeZoneOf(ctx) }: QuickRequest,
): Promise<QuickPreview | QuickResult> {
  const lists = await listsInUse(ctx);
  const clock = { reference: ctx.now, ...readingFor(ctx, timeZone) };
  const names = lists.map(({ name }) => name);
  const read = readQuickTask(text, clock, names);
  const due = read.due && isDueDate(read.due) ? dueOfMoment(read.due, timeZone) : null;
  const list = read.list === null ? null : listOf(lists, read.list);
  const understood = {
    title: read.title,
    dueAt: due && due.dueDate === null ? due.dueAt.toISOString() : null,
    dueDate: due?.dueDate ?? null,
    rrule: read.rule?.rrule ?? null,
    repeatFrom: read.rule?.from ?? null,
    tags: uniqueTags(read.tags),
    list,
    priority: read.priority,
    estimateMinutes: read.estimateMinutes,
    reminders: read.reminders.map((each) => ("at" in each ? { at: each.at.toISOString() } : each)),
  };
  const shown = { understood, spans: read.parts, note: read.doubt };
  if (preview) return shown;
  if (read.title === "") {
    throw validationFailed({ path: "text", message: `must contain a title besides “${text}”` });
  }
  const { list: _, priority, rrule, repeatFrom, reminders, ...fields } = understood;
  const input = NewTask.safeParse({
    ...fields,
    timeZone,
    ...(priority && { priority }),
    // Without one in the text, each person's own defaults apply.
    ...(reminders.length > 0 && { reminders }),
    ...(rrule && { rrule, repeatFrom }),
    ...(list?.id && { listId: list.id }),
  });
  if (!input.success) {
    throw validationFailed(
      ...input.error.issues.map(({ message, path }) => ({ path: "text", message: `${path.join(".")}: ${message}` })),
    );
  }
  const task = await createTask(ctx, input.data, list && list.id === null ? list.name : undefined);
  return { task, ...shown };
}

function listOf(lists: readonly { id: number; name: string }[], name: string): { id: number | null; name: string } {
  const known = lists.find((list) => listNameKey(list.name) === listNameKey(name));
  return known ? { id: known.id, name: known.name } : { id: null, name };
}
