import * as z from "zod";
import { AppError } from "../../../lib/errors.ts";
import { PRIORITIES } from "../../../lib/task-kinds.ts";
import { readDue } from "../../tasks/place.ts";
import { instantOf } from "../moment.ts";
import { RemindersInput } from "../reminder-input.ts";
import type { AgentCall } from "./agent-tool.ts";

interface Due {
  dueAt?: string | null | undefined;
  dueText?: string | undefined;
}

/** When a task is due, read as the API reads it. */
export async function dueOf({ ctx, timeZone }: AgentCall, { dueAt, dueText }: Due): Promise<Record<string, unknown>> {
  if (dueAt && dueText) throw new AppError("validation_failed", "Give dueAt or dueText, not both.");
  if (dueAt === null) return { dueAt };
  const at = dueAt && dueAt.length > 10 ? instantOf(dueAt, timeZone) : dueAt;
  const { due, rule, reminders } = await readDue(ctx, { dueAt: at, dueText, timeZone });
  return {
    ...(due && { dueAt: due.dueDate ?? due.dueAt.toISOString() }),
    ...(rule && { rrule: rule.rrule, repeatFrom: rule.from }),
    ...(reminders && { reminders: reminders.map(({ minutesBefore }) => ({ minutesBefore })) }),
  };
}

export const taskFields = {
  title: z.string().trim().min(1).max(500),
  dueText: z.string().trim().min(1).max(200).optional().describe("In words: next friday 5pm, every monday"),
  priority: z.enum(PRIORITIES).optional(),
  list: z.string().trim().min(1).max(100).optional().describe("Name of a list"),
  reminders: RemindersInput.describe("[] for none; default: the person's"),
};
export const Rrule = z.string().max(200);
