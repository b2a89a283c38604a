import type { ChatQuestion } from "../../../db/schema/chat.ts";
import { assertType } from "../../../lib/cast.ts";
import type { ToolName } from "../../../lib/chat-tools.ts";
import { dueMoment } from "../../../lib/due.ts";
import type { Speaker } from "../../../lib/spoken-time.ts";
import { collapseSpace, firstCharacters } from "../../../lib/text.ts";
import { speakerOf } from "../../people/speaking.ts";
import type { EventView } from "../../tools/calendar.ts";
import type { EmailView } from "../../tools/emails.ts";
import { spokenMinutes } from "../../tools/reminder-input.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Outcome, Turn } from "../../tools/turn.ts";

/** The text, and the question the next message may answer. */
export interface Reply {
  text: string;
  question?: ChatQuestion;
}

const LINE_CHARACTERS = 120;
const MAX_LINES = 12;

export const speaker = ({ timeZone, ctx }: Turn): Speaker => speakerOf(ctx, timeZone);

/** One line of limited length. */
export function shorten(text: string, characters = LINE_CHARACTERS): string {
  const line = collapseSpace(text);
  const cut = firstCharacters(line, characters);
  return cut.length < line.length ? `${cut.trimEnd()}…` : line;
}

export function lines<Item>(title: string, items: readonly Item[], line: (item: Item) => string): string {
  const rest = items.length - MAX_LINES;
  const shown = items.slice(0, MAX_LINES).map((item) => `- ${line(item)}`);
  return [title, ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
}

export function taskLine(turn: Turn): (task: TaskView) => string {
  const { day, clock } = speaker(turn);
  return ({ title, priority, ...task }) => {
    const at = dueMoment(task, turn.timeZone);
    const due = at === null ? "" : `, due ${dueWords(at, day, clock)}`;
    return `${shorten(title)}${due}${priority === "urgent" || priority === "high" ? `, ${priority}` : ""}`;
  };
}

/** A task that is due on a day without a time is stored as due at its last minute. */
export function dueWords(due: number, day: (at: number) => string, clock: (at: number) => string): string {
  return clock(due) === "23:59" ? day(due) : `${day(due)} at ${clock(due)}`;
}

export function eventLine(
  turn: Turn,
): (event: Pick<EventView, "title" | "start" | "end" | "allDay" | "location">) => string {
  const { day, span } = speaker(turn);
  return ({ title, start, end, allDay, location }) => {
    const days = [...new Set([day(Date.parse(start)), day(Date.parse(end) - 1)])].join(" – ");
    const when = allDay ? `${days}, all day` : span(Date.parse(start), Date.parse(end));
    return `${when}: ${shorten(title)}${location ? `, ${shorten(location, 60)}` : ""}`;
  };
}

export function emailLine(turn: Turn): (mail: EmailView) => string {
  const { moment } = speaker(turn);
  return ({ from, subject, receivedAt, isRead, urgency, summary, snippet }) => {
    const marks = [isRead ? "" : "unread", urgency === "high" || urgency === "critical" ? "urgent" : ""].filter(
      Boolean,
    );
    const about = shorten(summary || snippet, 140);
    const when = [moment(Date.parse(receivedAt)), ...marks].join(", ");
    return `${shorten(from, 60)}: ${shorten(subject) || "(no subject)"} (${when})${about ? `. ${about}` : ""}`;
  };
}

/** Numbered, because the person can answer with a number. */
export function askWhich(message: string, options: readonly { label: string }[]): string {
  return [message, ...options.map(({ label }, at) => `${at + 1}. ${shorten(label)}`), "Which one do you mean?"].join(
    "\n",
  );
}

/** `done` words the success. */
export function replyFor<Result>(outcome: Outcome, done: (result: Result) => string): Reply {
  switch (outcome.status) {
    case "done":
      return { text: done(assertType<Result>(outcome.result)) };
    case "ambiguous":
      return {
        text: askWhich(outcome.message, outcome.options),
        question: { kind: "which", options: outcome.options },
      };
    case "proposed":
      return { text: `I have proposed this; please confirm it: ${outcome.proposal.summary}.` };
    case "refused":
      return { text: sentence(outcome.message) };
  }
}

/** The result of a tool call, or the reply that says why there is none. */
export async function toolResult<Result extends object>(
  turn: Turn,
  tool: ToolName,
  input: Record<string, unknown>,
): Promise<Result | Reply> {
  const outcome = await turn.call(tool, input);
  return outcome.status === "done" ? assertType<Result>(outcome.result) : replyFor(outcome, () => "");
}

function sentence(text: string): string {
  const whole = text.trim();
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** The answer to a message whose date cannot be used. */
export const unchanged = (doubt: string) => `${doubt} Nothing was changed. Say it again with another date.`;

/** ", with a reminder 1 hour before": of a record that has reminders of its own. */
export function remindWords(reminders: readonly { minutesBefore: number | null }[] | null): string {
  const minutes = (reminders ?? []).flatMap(({ minutesBefore }) => (minutesBefore === null ? [] : [minutesBefore]));
  if (minutes.length === 0) return "";
  return `, with a reminder ${minutes.map((each) => (each === 0 ? "at its time" : `${spokenMinutes(each)} before`)).join(" and ")}`;
}
