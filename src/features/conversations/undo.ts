import { and, desc, eq, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../context.ts";
import { assertExists } from "../../db/assert.ts";
import { type ChatUndo, chatActions, chatConversations } from "../../db/schema/chat.ts";
import type { DataScope } from "../../lib/api-key-scopes.ts";
import { AppError } from "../../lib/errors.ts";
import { putBack } from "./put-back.ts";
import { isOwnIn } from "./visibility.ts";

export type ActionRow = typeof chatActions.$inferSelect;

const SCOPES = {
  task: ["tasks:read", "tasks:write"],
  event: ["calendar:read", "calendar:write"],
  email: ["emails:read", "emails:write"],
  draft: ["emails:read", "emails:write"],
} as const satisfies Record<ChatUndo["kind"], readonly DataScope[]>;

/** One message can change at most ten things, so no step has more. */
const MAX_ACTIONS = 20;

/** What the API shows of a write. */
export function toAction({ id, conversationId, tool, title, status, undo, createdAt }: ActionRow) {
  const canUndo = status === "done" && undo !== null;
  return { id, conversationId, tool, title, status, canUndo, createdAt: createdAt.toISOString() };
}

/** Takes one write of a conversation back. */
export async function undoAction(ctx: Context, id: string) {
  const rows = await ctx.db
    .select({ action: chatActions, last: lastStep })
    .from(chatActions)
    .where(and(eq(chatActions.id, id), isOwnIn(ctx, chatActions.conversationId)));
  const [found] = rows;
  if (!found) throw new AppError("not_found", `There is no action ${id}.`);
  if (found.action.status === "undone") throw new AppError("undo_expired", "The action was already undone.");
  await toggle(ctx, found.action, found.last + 1);
  return toAction({ ...found.action, status: "undone" });
}

const lastStep = sql<number>`(SELECT max(step) FROM chat_actions AS every
  WHERE every.conversation_id = ${chatActions.conversationId})`;

interface RecordRef {
  kind: string;
  id: number;
  occurrence?: string | undefined;
}

const readActions = (ctx: Context, conversationId: string) =>
  ctx.db
    .select()
    .from(chatActions)
    .where(and(eq(chatActions.conversationId, conversationId), isOwnIn(ctx, chatActions.conversationId)))
    .orderBy(desc(chatActions.step))
    .limit(100);

/**
 * The latest steps of a conversation that can be taken back, the newest first, or the one that can be made again.
 * Nothing can be made again once something else was done.
 */
export async function nextSteps(
  ctx: Context,
  conversationId: string,
  { isRedo = false, record, count = 1 }: { isRedo?: boolean; record?: RecordRef | undefined; count?: number } = {},
): Promise<ActionRow[][]> {
  const rows = await readActions(ctx, conversationId);
  if (record) {
    const isOf = ({ status, undo }: ActionRow) =>
      status === "done" && undo?.kind === record.kind && undo.id === record.id && undo.occurrence === record.occurrence;
    const found = rows.find(isOf);
    return found ? [[found]] : [];
  }
  if (isRedo && rows[0]?.status !== "undone") return [];
  const wanted = rows.filter(({ status }) => status === (isRedo ? "undone" : "done"));
  const steps = [...new Set(wanted.map(({ step }) => step))].slice(0, isRedo ? 1 : count);
  return steps.map((step) => {
    const actions = wanted.filter((row) => row.step === step).slice(0, MAX_ACTIONS);
    // The last change first: later ones may be about the same record.
    return isRedo ? actions.reverse() : actions;
  });
}

/** These writes of a conversation as they are now, and the number of its last step. */
export async function actionsOf(ctx: Context, conversationId: string, ids: readonly string[]) {
  const rows = await readActions(ctx, conversationId);
  return { actions: rows.filter(({ id }) => ids.includes(id)), last: rows[0]?.step ?? 0 };
}

/**
 * Takes a write back, or makes it again, in one batch with its record: either both are written or nothing is. Of
 * parallel requests one succeeds.
 */
export async function toggle(ctx: Context, action: ActionRow, step: number): Promise<ActionRow> {
  const { id, undo, status, conversationId } = action;
  if (!undo) throw new AppError("undo_expired", whyNot(action.tool));
  requireScopes(ctx, SCOPES[undo.kind]);
  const isThis = and(eq(chatActions.id, id), eq(chatActions.status, status), eq(chatActions.step, action.step));
  const next = status === "done" ? ("undone" as const) : ("done" as const);
  const settled = () => new AppError("undo_expired", "The action was already undone, or made again.");
  const { db } = ctx;
  let after: ChatUndo = undo;
  await putBack(ctx, undo, ({ before, version }) => {
    after = { ...undo, before, version, from: undo.version };
    return [
      assertExists(db, chatActions, isThis, settled),
      db.update(chatActions).set({ status: next, undo: after, step }).where(eq(chatActions.id, id)),
      // The record is as the write before this one has left it, in a new version.
      db
        .update(chatActions)
        .set({ undo: sql`json_set(undo, '$.version', ${version})` })
        .where(
          sql`conversation_id = ${conversationId} AND id <> ${id} AND undo ->> 'kind' = ${undo.kind}
            AND undo ->> 'id' = ${undo.id} AND undo ->> 'occurrence' IS ${undo.occurrence ?? null}
            AND undo ->> 'version' IS ${undo.from}`,
        ),
      db.update(chatConversations).set({ updatedAt: ctx.now }).where(eq(chatConversations.id, conversationId)),
    ];
  });
  return { ...action, status: next, undo: after, step };
}

const FINAL: Record<string, string> = {
  send_mail: "The email has been sent, so that cannot be undone.",
  respond_to_invitation: "The organizer has been told, so that cannot be undone. You can respond again.",
  unsubscribe: "The mailing list has been left, so that cannot be undone.",
};

function whyNot(tool: string): string {
  return FINAL[tool] ?? "That cannot be undone.";
}
