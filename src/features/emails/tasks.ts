import type { Context } from "../../context.ts";
import { validationFailed } from "../../lib/errors.ts";
import { readingFor } from "../people/reading.ts";
import { convertToTasks, type EmailTask, requireTaskWriting } from "../tasks/from-email.ts";
import type { Task } from "../tasks/schemas.ts";
import { getEmail } from "./service.ts";
import { tasksFrom } from "./store.ts";

/** Creates a task for each action item of an email that does not have one yet. */
export async function createEmailTasks(ctx: Context, id: number) {
  const email = await getEmail(ctx, id);
  requireTaskWriting(ctx);
  const made = await convertToTasks(ctx, id, tasksFrom(email, "action_items", readingFor(ctx)));
  return { ...made, note: email.signIn ? SIGN_IN_NOTE : null };
}

const SIGN_IN_NOTE =
  "The email was recognized as one that has a sign-in code, password or link. No task is made of it, because a task would show its words to programs.";

/** Creates the task that these words of an email ask for, once: if it exists already, returns that one. */
export async function createTaskOfEmail(ctx: Context, id: number, task: EmailTask & { quote: string }): Promise<Task> {
  const { body, tags } = await getEmail(ctx, id);
  if (!body.includes(task.quote)) throw validationFailed({ path: "quote", message: "must be copied from the email" });
  const { tasks } = await convertToTasks(ctx, id, [{ ...task, tags }]);
  const made = tasks.find(({ quote }) => quote === task.quote);
  if (!made) throw new Error("the task of the email has no row");
  return made;
}
