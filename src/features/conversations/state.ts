import type { ChatAction, ChatRecord, ChatState } from "../../db/schema/chat.ts";
import { assertType } from "../../lib/cast.ts";
import type { Language } from "../../lib/languages.ts";
import { firstCharacters } from "../../lib/text.ts";

export const NO_STATE: ChatState = {
  groups: [],
  isWritten: false,
  isUndone: false,
  act: null,
  asked: null,
  proposals: [],
};

/** Deeds that may be asked for again: "and the other one". */
const REPEATABLE: ReadonlySet<string> = new Set(
  "complete_task update_task create_event cancel_event move_event update_event update_mail".split(" "),
);

const MAX_GROUPS = 6;
const MAX_RECORDS = 20;
const TITLE_CHARACTERS = 120;

interface Result {
  id?: number;
  occurrence?: string | null;
  title?: string;
  subject?: string;
  outside?: boolean;
  tasks?: Result[];
  events?: Result[];
  mails?: Result[];
  slots?: { start: string; end: string }[];
  records?: ChatRecord[];
}

/** The records that a tool has written or returned. */
export function recordsIn(tool: string, result: Record<string, unknown>, { groups }: ChatState): ChatRecord[] {
  const given = assertType<Result>(result);
  const { tasks, events, mails, slots, records } = given;
  const one = (kind: ChatRecord["kind"], { id, occurrence, title, subject, outside }: Result): ChatRecord[] => {
    if (id === undefined) return [];
    const known = groups.flat().find((each) => each.kind === kind && each.id === id);
    const name = firstCharacters(title ?? subject ?? known?.title ?? "", TITLE_CHARACTERS);
    const isOwn = outside === undefined ? known?.isOwn : !outside;
    return [{ kind, id, ...(occurrence && { occurrence }), title: name, ...(isOwn && { isOwn }) }];
  };
  if (records) return records;
  if (tasks) return tasks.slice(0, MAX_RECORDS).flatMap((each) => one("task", each));
  if (events) return events.slice(0, MAX_RECORDS).flatMap((each) => one("event", each));
  if (mails) return mails.slice(0, MAX_RECORDS).flatMap((each) => one("email", each));
  if (slots) return slots.slice(0, MAX_RECORDS).map(({ start }) => ({ kind: "slot", id: 0, start, title: start }));
  // "Her email", after the answer to it was sent, is the one that was answered.
  if (tool === "delete_draft" || tool === "send_mail") return [];
  if (tool === "unsubscribe" || /_mail$/.test(tool)) return one(tool === "draft_mail" ? "draft" : "email", given);
  if (/_task$/.test(tool) && tool !== "schedule_task") return one("task", given);
  return tool === "schedule_task" || /event$|invitation$/.test(tool) ? one("event", given) : [];
}

const wordsOf = (text: string) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu))];

/** Whether a text has the whole title of a record, or is a part of it: then its words are those of the record. */
export function isOfRecord(text: string, { title }: ChatRecord): boolean {
  const [words, named] = [wordsOf(text), wordsOf(title)];
  const isIn = (some: string[], all: string[]) => some.every((word) => all.includes(word));
  return (named.length > 0 && isIn(named, words)) || (words.length > 1 && isIn(words, named));
}

/** What a turn leaves behind. */
export interface TurnTrace {
  state: ChatState;
  written: readonly ChatRecord[];
  shown: readonly ChatRecord[];
  asked: string | null;
  actions: readonly ChatAction[];
  /** Proposals of the last reply were applied or dismissed. */
  hasSettled: boolean;
  /** Nothing was understood or found. */
  isLost: boolean;
  /** It asks about something that is not stored yet. */
  isAsking: boolean;
  language?: Language;
  proposals: readonly { id: string }[];
}

/** Of a turn that used no tools. */
export const NOTHING_DONE = {
  state: NO_STATE,
  written: [],
  shown: [],
  asked: null,
  actions: [],
  hasSettled: false,
  isLost: false,
  isAsking: false,
  undoables: [],
};

/** What the conversation is about after the turn. */
export function stateAfter(turn: TurnTrace): ChatState {
  const { state, written, shown, proposals, actions } = turn;
  const group = written.length > 0 ? written : shown;
  const isIdle = actions.length === 0 && proposals.length === 0 && !turn.hasSettled;
  const sent = actions.filter(({ tool }) => tool === "send_mail").map(({ input }) => input.id);
  const isSent = ({ kind, id }: ChatRecord) => kind === "draft" && sent.includes(id);
  const before = state.groups.map((each) => each.filter((record) => !isSent(record))).filter((each) => each.length > 0);
  const [back] = actions.filter(({ tool }) => tool === "undo");
  return {
    // After a turn that was not understood, or that asked, "it" means nothing that was talked about before it.
    groups:
      group.length > 0 || turn.isAsking
        ? [group.slice(0, MAX_RECORDS), ...before].slice(0, MAX_GROUPS)
        : turn.isLost
          ? []
          : before,
    ...(turn.isLost && { isLost: true }),
    ...(turn.language && turn.language !== "en" && { language: turn.language }),
    isWritten: group.length > 0 || back ? written.length > 0 : state.isWritten,
    isUndone: back ? back.input.redo !== true : isIdle && state.isUndone,
    act: isIdle ? state.act : actOf(actions),
    asked: turn.asked ?? (written.length > 0 ? null : state.asked),
    lastAsked: turn.asked ?? state.lastAsked ?? state.asked,
    // A yes confirms what the last reply has asked, and nothing that something else was said after.
    proposals: proposals.map(({ id }) => id),
  };
}

function actOf(actions: readonly ChatAction[]): ChatState["act"] {
  const last = actions
    .filter(({ tool, input }) => REPEATABLE.has(tool) || (tool === "create_task" && input.list !== undefined))
    .at(-1);
  if (!last) return null;
  const { id: _, occurrence: __, match: ___, from: ____, until: _____, ...input } = last.input;
  return { tool: last.tool, input };
}
