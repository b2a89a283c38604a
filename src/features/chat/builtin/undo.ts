import { backIn } from "../../../engine/conversation/undo-words.ts";
import type { UndoView } from "../tools/undo.ts";
import type { Turn } from "../turn.ts";
import { type Reply, replyFor, shorten } from "./reply-text.ts";

const ALL = /\b(?:everything|all of (?:it|that|them))\b/i;

/** "undo", "bring it back", "redo"; null if the message takes nothing back. */
export async function takeBack(turn: Turn, message: string): Promise<Reply | null> {
  const back = backIn(message);
  const { state } = turn;
  if (back === null) return null;
  if (back === "doubt") return state.isWritten ? undo(turn, false) : null;
  // What was undone comes back by doing it again.
  const isRedo = back === "redo" || (back === "restore" && state.isUndone);
  if (/^forget (?:it|that)\b/i.test(message) && !state.isWritten) return null;
  if (!isRedo && ALL.test(message)) return undoAll(turn);
  return undo(turn, isRedo);
}

async function undo(turn: Turn, isRedo: boolean): Promise<Reply> {
  return replyFor<UndoView>(await turn.call("undo", isRedo ? { redo: true } : {}), (view) => said(view, isRedo));
}

const MAX_STEPS = 9;

/** Every change of the conversation, the last one first. */
async function undoAll(turn: Turn): Promise<Reply> {
  const texts: string[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const outcome = await turn.call("undo", {});
    if (outcome.status !== "done" && texts.length > 0) break;
    texts.push(replyFor<UndoView>(outcome, (view) => said(view, false)).text);
    if (outcome.status !== "done") break;
  }
  return { text: texts.join("\n") };
}

const NAMES: Record<string, readonly [undone: string, redone: string]> = {
  create_task: ["the task is deleted", "the task is there again"],
  complete_task: ["the task is open again", "the task is done"],
  update_task: ["the task is as it was", "the task is changed again"],
  create_event: ["the event is removed from your calendar", "the event is in your calendar again"],
  schedule_task: ["the event is removed from your calendar", "the event is in your calendar again"],
  cancel_event: ["the event is in your calendar again", "the event is cancelled"],
  move_event: ["the event is back at its time", "the event is moved again"],
  update_event: ["the event is as it was", "the event is changed again"],
  update_mail: ["the email is as it was", "the email is changed again"],
  draft_mail: ["the draft is deleted", "the draft is there again"],
  delete_draft: ["the draft is there again", "the draft is deleted"],
};

function said({ undone, failed }: UndoView, isRedo: boolean): string {
  const lines = undone.map(({ tool, title }) => {
    const what = NAMES[tool]?.[isRedo ? 1 : 0] ?? (isRedo ? "done again" : "taken back");
    return `${isRedo ? "Done again" : "Undone"}: ${title ? `${shorten(title)}, ` : ""}${what}.`;
  });
  return [...lines, ...failed.map(({ title, reason }) => `Not undone: ${shorten(title)}. ${reason}`)].join("\n");
}
