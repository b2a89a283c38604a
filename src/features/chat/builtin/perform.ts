import type { ChatOption, ChatRecord } from "../../../db/schema/chat.ts";
import { assertType } from "../../../lib/cast.ts";
import { BOOKING_SOURCE } from "../../../lib/event-kinds.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { nextSteps } from "../../conversations/undo.ts";
import type { WrittenView } from "../../tools/calendar.ts";
import type { DraftView } from "../../tools/email-writing.ts";
import type { AnsweredView } from "../../tools/invitations.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Outcome, Turn } from "../../tools/turn.ts";
import type { UndoView } from "../../tools/undo.ts";
import { deedOf } from "./describe.ts";
import type { Answer, Asking, Call, Said } from "./plan.ts";
import { beforeWords, eventLine, lines, shorten, taskLine, type Voice, voiceOf, wholeTask } from "./words/voice.ts";

type Made = Pick<ChatOption, "tool" | "input">;

/** Makes the changes of a plan, and says what came of each. The only place of the built-in engine that writes. */
export async function perform(turn: Turn, calls: readonly (Made & { label: string })[]): Promise<Said> {
  const voice = voiceOf(turn);
  const said: string[] = [];
  for (const call of calls) {
    const outcome = await turn.call(call.tool, call.input);
    if (outcome.status === "ambiguous") return askAmong(turn, voice, said, outcome);
    if (outcome.status === "refused") {
      const asking = askAddress(call, outcome.code) ?? (await askSeries(turn, call, outcome));
      if (asking) return asking;
      said.push(sentence(outcome.message));
      if (outcome.code === "not_found") turn.isLost = turn.written.length === 0;
    } else if (outcome.status === "proposed") said.push(proposed(call, outcome.proposal.summary, voice));
    else {
      // What was found by its name is known by it from now on.
      for (const record of turn.written) if (record.title === "" && record.kind === "email") record.title = call.label;
      said.push(await made(turn, voice, call, outcome.result));
    }
  }
  const isOfEmail = ({ tool, input }: Made) => tool === "create_task" && input.emailId !== undefined;
  const proposals = turn.proposals.length > 0 && turn.written.length === 0 ? calls.filter(isOfEmail).length : 0;
  if (proposals === 0) return { text: said.join("\n") };
  const answers = proposals > 1 ? "Say “all of them”, “the first two” or “no”." : "Say yes or no.";
  return { text: ["Do you want me to do this?", ...said, answers].join("\n") };
}

const removes = ({ tool, input }: Made) =>
  tool === "cancel_event" || (tool === "update_task" && input.status === "cancelled");

/** Whether the calls clear a list or a day. */
export const removesMany = (calls: readonly Made[]) => calls.length > 1 && calls.every(removes);

/** Clears a list or a day. What cannot be removed is named, and does not keep the rest. */
export async function removeMany(turn: Turn, calls: readonly Made[]): Promise<Answer> {
  const { say } = voiceOf(turn);
  const gone = { update_task: 0, cancel_event: 0 };
  const said: string[] = [];
  for (const { tool, input } of calls) {
    const outcome = await turn.call(tool, input);
    if (outcome.status === "done") gone[tool === "cancel_event" ? "cancel_event" : "update_task"] += 1;
    else if (outcome.status === "proposed") said.push(say.proposed(outcome.proposal.summary));
    else said.push(sentence(outcome.message));
  }
  const done = gone.update_task + gone.cancel_event > 0 ? [say.cleared(gone.update_task, gone.cancel_event)] : [];
  return { text: [...done, ...said].join(" ") };
}

const proposed = ({ tool, input }: Made, summary: string, { say }: Voice) =>
  tool === "create_task" && input.emailId !== undefined ? `- ${summary}` : say.proposed(summary);

/** Who is not known by an email has to be named by an address. */
function askAddress({ tool, input }: Made, code: string): Asking | null {
  const [name] = [input.addAttendees].flat();
  if (tool !== "update_event" || code !== "not_found" || typeof name !== "string" || name.includes("@")) return null;
  const { addAttendees: _, ...rest } = input;
  return {
    text: `I do not know the address of ${name}. What is it?`,
    question: { kind: "address", tool, input: rest, name },
  };
}

/** A new series of which a date was changed since is not deleted together with that change, unless the person says so. */
async function askSeries(
  { ctx, conversationId }: Turn,
  { tool }: Made,
  { code, message }: Outcome & { status: "refused" },
): Promise<Asking | null> {
  const [[action] = []] = tool === "undo" && code === "undo_outdated" ? await nextSteps(ctx, conversationId) : [];
  if (action?.tool !== "create_event" || !action.undo) return null;
  const { id } = action.undo;
  if ((await getEvent(ctx, id)).rrule === null) return null;
  const label = shorten(action.title);
  return {
    text: `${message} One of its dates was changed after it was added. Should I cancel the whole series “${label}”? Say yes or no.`,
    question: { kind: "confirm", calls: [{ label, tool: "cancel_event", input: { id } }] },
  };
}

function askAmong(
  turn: Turn,
  { say }: Voice,
  said: readonly string[],
  { message, options }: Outcome & { status: "ambiguous" },
): Asking {
  const shown = options.map(({ label }, at) => `${at + 1}. ${shorten(label)}`);
  turn.offered(options);
  return { text: [...said, message, ...shown, say.whichOne].join("\n"), question: { kind: "which", options } };
}

const sentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

async function made(
  turn: Turn,
  voice: Voice,
  { tool, input, label }: Made & { label: string },
  result: Record<string, unknown>,
): Promise<string> {
  const { say } = voice;
  switch (tool) {
    case "create_task": {
      const list = typeof input.list === "string" ? input.list : null;
      return say.addedTask(wholeTask(voice, turn.timeZone, assertType<TaskView>(result), input.repeatFrom), list);
    }
    case "complete_task":
      return say.done(assertType<TaskView>(result).title);
    case "update_task":
      if (input.reminders) return reminded(voice, input.reminders, assertType<TaskView>(result).title);
      return changedTask(turn, voice, input, assertType<TaskView>(result));
    case "create_event":
    case "schedule_task": {
      const event = assertType<WrittenView>(result);
      return withConflicts(
        voice,
        say.addedEvent(`${eventLine(voice)(event)}${input.rrule ? `, ${say.repeating}` : ""}`),
        event,
      );
    }
    case "move_event":
      return withConflicts(
        voice,
        say.moved(eventLine(voice)(assertType<WrittenView>(result))),
        assertType<WrittenView>(result),
      );
    case "cancel_event": {
      const event = assertType<WrittenView>(result);
      return [
        say.cancelled(eventLine(voice)(event)),
        ...(event.source === BOOKING_SOURCE ? [say.providerUnchanged] : []),
      ].join(" ");
    }
    case "update_event":
      if (input.reminders) return reminded(voice, input.reminders, assertType<WrittenView>(result).title);
      return withConflicts(
        voice,
        say.changed(eventLine(voice)(assertType<WrittenView>(result))),
        assertType<WrittenView>(result),
      );
    case "respond_to_invitation":
      return answered(voice, assertType<AnsweredView>(result));
    case "update_mail":
      return changedMail(turn, voice, input, label);
    case "draft_mail":
      return drafted(turn, input, assertType<DraftView>(result));
    case "delete_draft":
      return "Deleted the draft.";
    case "unsubscribe":
      return "Done: the mailing list was asked to take you off.";
    case "undo":
      return undone(voice, assertType<UndoView>(result), input.redo === true);
    default:
      return say.done(tool);
  }
}

function changedTask({ timeZone }: Turn, voice: Voice, input: Record<string, unknown>, task: TaskView): string {
  const { say } = voice;
  if (task.status === "cancelled") return say.removedTask(task.title);
  if (input.status === "todo") return say.reopened(taskLine(voice, timeZone)(task));
  if (typeof input.list === "string") return say.movedToList(input.list, task.title);
  const line = wholeTask(voice, timeZone, task);
  const due = task.dueAt === null && task.dueDate === null ? `, ${say.noDueDate}` : "";
  return say.changed(
    `${line}${due}${task.priority === "medium" && voice.language === "en" ? ", medium priority" : ""}`,
  );
}

/** When the person will be reminded. */
function reminded(voice: Voice, given: unknown, title: string): string {
  const times = assertType<{ minutesBefore?: number; at?: string }[]>(given).flatMap(({ minutesBefore = null, at }) =>
    at ? [voice.moment(Date.parse(at))] : beforeWords(voice, [{ minutesBefore }]),
  );
  return voice.say.reminds(times, shorten(title));
}

const CONFLICTS_SHOWN = 3;

function withConflicts({ say, span, day, clock }: Voice, text: string, event: WrittenView): string {
  const { conflicts, allDay, attendees, source } = event;
  const parts = [text];
  if (attendees.length > 0) parts.push(say.noInvitation(attendees.join(", ")));
  if (source === BOOKING_SOURCE) parts.push(say.providerUnchanged);
  if (!allDay && conflicts.length > 0) {
    const isWholeDay = (start: number, end: number) =>
      start < end && /^(?:00:00|12:00 am)$/i.test(clock(start)) && clock(start) === clock(end);
    const when = (start: number, end: number) =>
      isWholeDay(start, end) ? `${day(start)}, ${say.allDay}` : span(start, end);
    const others = conflicts
      .slice(0, CONFLICTS_SHOWN)
      .map(({ title, start, end }) => `${shorten(title, 80)} (${when(Date.parse(start), Date.parse(end))})`);
    parts.push(say.overlaps(others.join(", ")));
  }
  return parts.join(" ");
}

function answered(voice: Voice, event: AnsweredView): string {
  const words =
    { accepted: "Accepted", declined: "Declined", tentative: "Answered with maybe" }[event.response] ?? "Answered";
  const told = event.notified ? "The organizer has been told." : "The organizer has not been told.";
  return `${words}: ${eventLine(voice)(event)}. ${told}`;
}

const MAIL_WORDS: Record<string, string> = {
  "isRead true": "Marked as read",
  "isRead false": "Marked as unread",
  "isStarred true": "Starred",
  "isStarred false": "Star removed",
  "status archived": "Archived",
  "status inbox": "Moved to the inbox",
  "status spam": "Moved to spam",
  "status trash": "Moved to the trash",
};

function changedMail(
  { state, written, shown }: Turn,
  { moment }: Voice,
  input: Record<string, unknown>,
  label: string,
): string {
  const known = [...written, ...shown, ...state.groups.flat()].find(
    ({ kind, id }) => kind === "email" && id === input.id,
  );
  const name = known?.title || label;
  const title = name ? `: ${shorten(name)}` : "";
  if (typeof input.snoozedUntil === "string") return `Snoozed until ${moment(Date.parse(input.snoozedUntil))}${title}.`;
  if (Array.isArray(input.addTags)) return `Tagged ${input.addTags.join(", ")}${title}.`;
  if (Array.isArray(input.tags)) return `Tags removed${title}.`;
  const [changed = ""] = Object.entries(input).flatMap(([name, value]) => MAIL_WORDS[`${name} ${value}`] ?? []);
  return `${changed || "Changed"}${title}.`;
}

/** Shows the draft, and asks whether to send it: only a person's yes does. */
async function drafted(
  turn: Turn,
  input: Record<string, unknown>,
  { id, subject, to, body, note }: DraftView,
): Promise<string> {
  const original = typeof input.replyTo === "number" ? input.replyTo : input.forward;
  // What was answered is what the conversation is about, once the draft is sent.
  if (typeof original === "number")
    turn.state.groups.unshift([{ kind: "email", id: original, title: subject.replace(/^(?:re|fwd?): /i, "") }]);
  const shown = `I have written a draft to ${to.join(", ") || "nobody yet"}, “${shorten(subject)}”:\n\n${body.trim().slice(0, 800) || "(no text of your own)"}${note ? `\n\n${note}` : ""}`;
  const outcome = await turn.call("send_mail", { id });
  if (outcome.status === "proposed") return `${shown}\n\nShould I send it? Say yes or no.`;
  return outcome.status === "refused" ? `${shown}\n\n${sentence(outcome.message)}` : shown;
}

function undone(voice: Voice, { undone: back, failed }: UndoView, isRedo: boolean): string {
  const { say } = voice;
  const done = back.map(({ title, tool }) => (isRedo ? say.redone(shorten(title)) : say.undone(shorten(title), tool)));
  return [...done, ...failed.map(({ title, reason }) => say.notUndone(shorten(title), reason))].join("\n");
}

/** Asks before these changes are made. */
export function askToConfirm(voice: Voice, calls: readonly Call[], about: ChatRecord[], note = ""): Asking {
  const deeds = calls.map((call) => deedOf(voice, call));
  const text = calls.length > 5 ? lines(voice, note || "", calls, ({ label }) => shorten(label)) : note;
  return {
    text: [text, voice.say.confirm(calls.length > 5 ? deeds.slice(0, 1) : deeds)].filter(Boolean).join("\n"),
    about,
    question: { kind: "confirm", calls: calls.map(({ tool, input, label }) => ({ tool, input, label })) },
  };
}
