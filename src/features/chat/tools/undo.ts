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

async function stepOf({ ctx, conversationId = "" }: ToolContext, direction: Step["direction"]): Promise<Step> {
  const step = await nextStep(ctx, conversationId, direction);
  if (step.actions.length === 0) {
    throw new AppError("undo_expired", `There is nothing to ${direction} in this conversation.`);
  }
  return step;
}

const undoTool = defineTool({
  name: "undo",
  description:
    "Undo everything that was changed after the person's last message that changed something. Call it again for the " +
    "message before. With `redo`, make the undone changes again.",
  input: z.object({ redo: z.boolean().optional() }),
  scopes: [],
  writes: true,
  returnsUntrusted: ALWAYS_UNTRUSTED,
  async preview(context, { redo }) {
    const { actions } = await stepOf(context, redo ? "redo" : "undo");
    const names = actions.map(({ title }) => quoted(title)).join(", ");
    return { summary: `${redo ? "Make the last change again" : "Undo the last change"}: ${names}`, record: null };
  },
  async run(context, { redo }): Promise<UndoView> {
    const { actions, last } = await stepOf(context, redo ? "redo" : "undo");
    const done: ActionRow[] = [];
    const failed: UndoView["failed"] = [];
    for (const action of actions) {
      try {
        done.push(await toggle(context.ctx, action, last + 1));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (actions.length === 1) throw error;
        failed.push({ title: action.title, reason: error.message });
      }
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
