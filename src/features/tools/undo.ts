import * as z from "zod";
import type { ChatRecord } from "../../db/schema/chat.ts";
import { AppError } from "../../lib/errors.ts";
import { quoted } from "../../lib/quoted.ts";
import { counted } from "../../lib/spoken-time.ts";
import { type ActionRow, actionsOf, nextSteps, toggle } from "../conversations/undo.ts";
import { defineTool, type ToolContext } from "./tool.ts";

export interface UndoView {
  undone: { id: string; tool: string; title: string }[];
  /** What could not be undone, and why. */
  failed: { title: string; reason: string }[];
  records: ChatRecord[];
}

/** More messages than a person takes back at once. */
const MAX_STEPS = 20;

const Input = z.object({
  redo: z.boolean().optional(),
  all: z.boolean().optional().describe("Undo every change of this conversation."),
  steps: z.int().min(1).max(MAX_STEPS).optional().describe("How many messages to undo. Default: 1."),
  record: z
    .object({ kind: z.enum(["task", "event", "email", "draft"]), id: z.int(), occurrence: z.string().optional() })
    .optional()
    .describe("Undo the last change of this record only."),
  actions: z
    .array(z.array(z.string().max(100)))
    .max(MAX_STEPS)
    .optional()
    .describe("Set by the service: the changes of each step."),
});
type Input = z.output<typeof Input>;

/** Exactly these changes are described, and exactly these are undone, whatever is changed in between. */
async function resolveSteps({ ctx, conversationId = "" }: ToolContext, input: Input): Promise<Input> {
  const { redo: isRedo = false, record, all, steps = 1 } = input;
  const found = await nextSteps(ctx, conversationId, { isRedo, record, count: all ? MAX_STEPS : steps });
  if (found.length === 0) {
    throw new AppError("undo_expired", `There is nothing to ${isRedo ? "redo" : "undo"} in this conversation.`);
  }
  return { ...input, actions: found.map((step) => step.map(({ id }) => id)) };
}

const undoTool = defineTool({
  name: "undo",
  description:
    "Undo everything that was changed after the person's last message that changed something. Call it again for the " +
    "message before. With `redo`, make the undone changes again.",
  input: Input,
  scopes: [],
  writes: true,
  resolve: resolveSteps,
  async preview({ ctx, conversationId = "" }, { redo, actions: steps = [] }) {
    const ids = steps.flat();
    const { actions } = await actionsOf(ctx, conversationId, ids);
    const names = ids.flatMap((id) => actions.filter((each) => each.id === id)).map(wordsOf);
    const what = redo ? "Make again" : "Undo";
    const of = steps.length > 1 ? ` of the last ${steps.length} messages` : "";
    return { summary: `${what} ${counted(names.length, "change")}${of}: ${names.join(", ")}`, record: null };
  },
  async run({ ctx, conversationId = "" }, { actions: steps = [] }): Promise<UndoView> {
    const done: ActionRow[] = [];
    const failed: UndoView["failed"] = [];
    for (const step of steps) {
      // Read again for each: to take one back changes what is known of the others.
      const { actions, last } = await actionsOf(ctx, conversationId, step);
      for (const id of step) {
        const action = actions.find((each) => each.id === id);
        try {
          if (!action) throw new AppError("undo_expired", "The change is no longer known.");
          done.push(await toggle(ctx, action, last + 1));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (step.length === 1 && done.length === 0) throw error;
          failed.push({ title: action?.title ?? "", reason: error.message });
        }
      }
      if (failed.length > 0) break;
    }
    const undone = done.map(({ id, tool, title }) => ({ id, tool, title }));
    return { undone, failed, records: done.flatMap(recordOf) };
  },
});

/** “create task “Buy milk””: a change by the tool that made it. */
const wordsOf = ({ tool, title }: ActionRow) => `${tool.replaceAll("_", " ")} ${quoted(title)}`;

/** What is there again. A record that the undo has deleted is not. */
function recordOf({ undo, title }: ActionRow): ChatRecord[] {
  if (!undo || undo.version === null) return [];
  const { kind, id, occurrence, before } = undo;
  return [{ kind, id, ...(occurrence && { occurrence }), title, ...(before?.outside === false && { isOwn: true }) }];
}

export const UNDO_TOOLS = [undoTool];
