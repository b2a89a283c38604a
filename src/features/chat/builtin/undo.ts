import type { ChatRecord } from "../../../db/schema/chat.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { nextSteps } from "../../conversations/undo.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import type { UndoView } from "../../tools/undo.ts";
import { readAgain } from "../language/follow-ups/act.ts";
import { readReference } from "../language/follow-ups/reference.ts";
import { backIn, restoredOne, stepsBack } from "../language/follow-ups/undo-words.ts";
import { meant } from "./references.ts";
import { type Reply, replyFor, shorten } from "./reply-text.ts";

const ALL = /\b(?:everything|all of (?:it|that|them))\b/i;

/** "undo", "bring it back", "redo"; null if the message takes nothing back. */
export async function takeBack(turn: Turn, message: string): Promise<Reply | null> {
  const one = await restoreOne(turn, message);
  if (one) return one;
  const back = backIn(message);
  const { state } = turn;
  if (back === null) return null;
  if (back === "doubt") return state.isWritten ? undo(turn, {}) : null;
  // What was undone comes back by doing it again.
  const isRedo = back === "redo" || (back === "restore" && state.isUndone);
  if (/^forget (?:it|that)\b/i.test(message) && !state.isWritten) return null;
  if (isRedo) return undo(turn, { redo: true });
  return undo(turn, ALL.test(message) ? { all: true } : await stepsOf(turn, stepsBack(message)));
}

/** "Undo both" are the two last messages, unless the last one has changed two things. */
async function stepsOf({ ctx, conversationId }: Turn, steps: number): Promise<{ steps?: number }> {
  if (steps === 1) return {};
  const [last = []] = await nextSteps(ctx, conversationId);
  return last.length >= steps ? {} : { steps };
}

async function undo(turn: Turn, input: Record<string, unknown>): Promise<Reply> {
  const outcome = await turn.call("undo", input);
  if (outcome.status === "refused" && outcome.code === "undo_outdated") {
    return (await askAboutSeries(turn, outcome.message)) ?? { text: outcome.message };
  }
  return replyFor<UndoView>(outcome, (view) => said(view, input.redo === true));
}

const BY_NAME =
  /^(?:and |please |no |oh )*(?:(?:bring|get|put) back|restore|un-?cancel|un-?delete) (?:the |my )?(?<name>[\p{L}\d' -]{3,60}?)(?: back)?[\s.!]*$|^(?:and |please |no |oh )*(?:put|bring|get|add|stick|pop|have) (?:the |my )?(?!(?:it|that|this|them|both)\b)(?<back>[\p{L}\d' -]{3,60}?) back(?: (?:in|on|up|please|(?:in|on|to|into) (?:my |the )?(?:calendar|diary|schedule|list|inbox)))*[\s.!]*$|^(?:and |please |no |oh )*(?:(?:put|move|change|set|get|have) )?(?:the |my )?(?!it\b|that\b|this\b)(?<named>[\p{L}\d' -]{3,60}?) back (?:to )?(?:where|how|as|when|the way) it was(?: before)?[\s.!]*$/iu;

/** "not the bank", after it was changed. */
const NOT_THAT =
  /^(?:(?:oops|no|sorry|wait|oh)[\s,.!]+)*not (?:the |my )?(?<name>[\p{L}\d' -]{3,60}?)(?: one)?[\s.!]*$|^(?:(?:oops|sorry|wait|oh|actually)[\s,.!]+)*no (?<none>[\p{L}\d'-]{3,20}(?: [\p{L}\d'-]{3,20})?)(?:[,;.] (?!the\b|my\b)[^?]{3,60})?[\s.!]*$/iu;

/** "bring back the lunch": one of the records that this conversation was about. */
function restoredByName({ state }: Turn, message: string): ChatRecord | undefined {
  const said = BY_NAME.exec(message)?.groups;
  const denied = state.isWritten ? NOT_THAT.exec(message)?.groups : undefined;
  const not = denied?.name ?? denied?.none;
  const also = state.isUndone ? readAgain(message)?.name.replace(/^(?:the|my) /i, "") : undefined;
  const name = said?.name ?? said?.back ?? said?.named ?? not ?? also;
  if (!name) return undefined;
  const known = not ? (state.groups[0] ?? []) : state.groups.flat();
  const found = bestMatches(name, known, ({ title }) => [title]);
  const ids = new Set(found.map(({ kind, id, occurrence }) => `${kind} ${id} ${occurrence}`));
  return ids.size === 1 && tellingWords(name).length > 0 ? found[0] : undefined;
}

/** A new series of which an occurrence was changed is not deleted together with that change, unless the person says so. */
async function askAboutSeries(turn: Turn, message: string): Promise<Reply | null> {
  const [[action] = []] = await nextSteps(turn.ctx, turn.conversationId);
  if (action?.tool !== "create_event" || !action.undo) return null;
  const { id } = action.undo;
  const event = await getEvent(turn.ctx, id);
  if (event.rrule === null) return null;
  return {
    text: `${message} One of its dates was changed after it was added. Should I cancel the whole series “${shorten(action.title)}”? Say yes or no.`,
    question: { kind: "confirm", calls: [{ label: action.title, tool: "cancel_event", input: { id } }] },
  };
}

/** "bring back the second one", and "the first one too" after it. */
async function restoreOne(turn: Turn, message: string): Promise<Reply | null> {
  const again = turn.state.isUndone ? (readAgain(message)?.ref ?? null) : null;
  const ref = restoredOne(message);
  const reference = ref === null ? again : readReference(ref);
  const found = reference && meant(turn, reference, ["task", "event", "email", "draft"]);
  const record = (found && "records" in found ? found.records[0] : undefined) ?? restoredByName(turn, message);
  return record ? takeBackRecord(turn, record) : null;
}

/** The last change of one record. */
export function takeBackRecord(turn: Turn, { kind, id, occurrence }: ChatRecord): Promise<Reply> {
  return undo(turn, { record: { kind, id, ...(occurrence && { occurrence }) } });
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
