import * as z from "zod";
import type { ChatRecord } from "../../../db/schema/chat.ts";
import { AppError } from "../../../lib/errors.ts";
import { quoted } from "../../../lib/quoted.ts";
import { type ActionRow, nextStep, type Step, toggle } from "../undo.ts";
import { ALWAYS_UNTRUSTED, defineTool, type ToolContext } from "./tool.ts";

export interface UndoView {
  undone: { id: string; tool: string; title: string }[];
  /** What could not be undone, and why. */
  failed: { title: string; reason: string }[];
  records: ChatRecord[];
}

type RecordRef = Parameters<typeof nextStep>[3];

async function stepOf(
  { ctx, conversationId = "" }: ToolContext,
  direction: Step["direction"],
  record?: RecordRef,
): Promise<Step> {
  const step = await nextStep(ctx, conversationId, direction, record);
  if (step.actions.length === 0) {
    throw new AppError("undo_expired", `There is nothing to ${direction} in this conversation.`);
  }
  return step;
}

/** More messages than a person takes back at once. */
const MAX_STEPS = 20;

const undoTool = defineTool({
  name: "undo",
  description:
    "Undo everything that was changed after the person's last message that changed something. Call it again for the " +
    "message before. With `redo`, make the undone changes again.",
  input: z.object({
    redo: z.boolean().optional(),
    all: z.boolean().optional().describe("Undo every change of this conversation."),
    steps: z.int().min(1).max(MAX_STEPS).optional().describe("How many messages to undo. Default: 1."),
    record: z
      .object({ kind: z.enum(["task", "event", "email", "draft"]), id: z.int(), occurrence: z.string().optional() })
      .optional()
      .describe("Undo the last change of this record only."),
  }),
  scopes: [],
  writes: true,
  returnsUntrusted: ALWAYS_UNTRUSTED,
  async preview(context, { redo, record }) {
    const { actions } = await stepOf(context, redo ? "redo" : "undo", record);
    const names = actions.map(({ title }) => quoted(title)).join(", ");
    return { summary: `${redo ? "Make the last change again" : "Undo the last change"}: ${names}`, record: null };
  },
  async run(context, { redo, all, steps: wanted = 1, record }): Promise<UndoView> {
    let step = await stepOf(context, redo ? "redo" : "undo", record);
    const done: ActionRow[] = [];
    const failed: UndoView["failed"] = [];
    for (let steps = 0; step.actions.length > 0 && steps < (all ? MAX_STEPS : wanted); steps += 1) {
      for (const action of step.actions) {
        try {
          done.push(await toggle(context.ctx, action, step.last + 1));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (step.actions.length === 1 && done.length === 0) throw error;
          failed.push({ title: action.title, reason: error.message });
        }
      }
      const isLast = !all && (steps + 1 >= wanted || record !== undefined);
      if (isLast || failed.length > 0) break;
      step = await nextStep(context.ctx, context.conversationId ?? "", redo ? "redo" : "undo");
    }
    const undone = done.map(({ id, tool, title }) => ({ id, tool, title }));
    return { undone, failed, records: done.flatMap(recordOf) };
  },
});

/** What is there again. A record that the undo has deleted is not. */
function recordOf({ undo, title }: ActionRow): ChatRecord[] {
  if (!undo || undo.version === null) return [];
  const { kind, id, occurrence } = undo;
  return [{ kind, id, ...(occurrence && { occurrence }), title }];
}

export const UNDO_TOOLS = [undoTool];
