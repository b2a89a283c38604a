import type { Row } from "../../db/put-back.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { snapshotOf, type Undoable, type Where } from "../conversations/put-back.ts";
import type { Tool, ToolContext } from "./tool.ts";

type WriteTool = Tool & { writes: true };

/** How often a write starts again because its record was changed after it was read. */
const MAX_TRIES = 3;

/** Makes a write, and keeps what it replaced. Of a record that exists, only the version that is kept is changed. */
export async function writeUndoably(
  context: ToolContext,
  tool: WriteTool,
  input: Record<string, unknown>,
): Promise<{ result: Record<string, unknown>; undoable?: Undoable }> {
  const { record } = tool;
  const { id, occurrence } = input;
  const isChange = !tool.isNew && typeof id === "number";
  const where = record && isChange ? { kind: record, id, ...(typeof occurrence === "string" && { occurrence }) } : null;
  for (let tries = 1; ; tries += 1) {
    const before = where && (await snapshotOf(context.ctx, where));
    const expected = context.expected ?? (before ? [before.version] : undefined);
    try {
      const { ctx, timeZone, conversationId } = context;
      const given = { ctx, timeZone, ...(conversationId && { conversationId }), ...(expected && { expected }) };
      const result = await tool.run(given, input);
      // To take something back is no step of its own.
      return tool.name === "undo" ? { result } : { result, undoable: undoableOf(tool, result, where, before) };
    } catch (error) {
      const isMissed = error instanceof AppError && error.code === "version_conflict";
      if (!isMissed || context.expected || tries === MAX_TRIES) throw error;
    }
  }
}

function undoableOf(tool: WriteTool, result: Row, where: Where | null, before: (Row & { version: number }) | null) {
  const { record: kind } = tool;
  // The subject of a draft may repeat a sign-in code.
  const name = result.title ?? result.subject ?? before?.title ?? (before?.signIn ? "" : before?.subject);
  const made = { id: randomToken(), tool: tool.name, title: typeof name === "string" ? name.slice(0, 200) : "" };
  const { id, version, isFinal } = result;
  if (!kind || isFinal === true) return { ...made, undo: null };
  const after = typeof version === "number" ? version : null;
  const from = before?.version ?? null;
  if (where) return { ...made, undo: { ...where, before, version: after, from } };
  return { ...made, undo: typeof id === "number" ? { kind, id, before: null, version: after, from } : null };
}
