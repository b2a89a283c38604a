import type * as z from "zod";
import type { Context } from "../../context.ts";
import { type AiTask, BUILTIN_ENGINE, type Engine, type ModelName } from "../../lib/engine/label.ts";

/** A question that a model answers in a typed form, and that the built-in engine can answer too. */
export interface Question<Answer> {
  task: AiTask;
  /** What the model is to do, in our words. */
  instructions: string;
  /** What it is to do it with. Outside text goes here, never into the instructions. */
  prompt: string;
  schema: z.ZodType<Answer>;
  /** The answer made true to its source, or null when it cannot be used: then the built-in engine answers. */
  check(answer: Answer): Answer | null;
  builtin(): Answer | Promise<Answer>;
  /** In place of the active model. */
  model?: ModelName | undefined;
}

/** Asks the active model, and the built-in engine where there is none or it fails. The call is recorded. */
export async function ask<Answer>(
  _ctx: Context,
  question: Question<Answer>,
): Promise<{ answer: Answer; engine: Engine }> {
  return { answer: await question.builtin(), engine: BUILTIN_ENGINE };
}
