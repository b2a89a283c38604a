import type { ChatQuestion } from "../../../db/schema/chat.ts";
import { assertType } from "../../../lib/cast.ts";
import { type Speaker, speakerFor } from "../../../lib/spoken-time.ts";
import { collapseSpace, firstCharacters } from "../../../lib/text.ts";
import type { EventView } from "../tools/calendar.ts";
import type { MailView } from "../tools/emails.ts";
import type { TaskView } from "../tools/tasks.ts";
import type { Outcome, Turn } from "../turn.ts";

/** What the built-in engine answers, and what it waits to hear. */
export interface Answer {
  text: string;
  question?: ChatQuestion;
}

const LINE_CHARACTERS = 120;
const MAX_LINES = 12;

export const speaker = ({ timeZone, ctx }: Turn): Speaker => speakerFor(timeZone, ctx.now);

/** On one line, and not longer than one. */
export function short(text: string, characters = LINE_CHARACTERS): string {
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
  return ({ title, dueAt, priority }) => {
    const due = dueAt === null ? "" : `, due ${dueWords(Date.parse(dueAt), day, clock)}`;
    return `${short(title)}${due}${priority === "urgent" || priority === "high" ? `, ${priority}` : ""}`;
  };
}

/** A day without a time is due at its very end, which nobody would say. */
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
    return `${when}: ${short(title)}${location ? `, ${short(location, 60)}` : ""}`;
  };
}

export function mailLine(turn: Turn): (mail: MailView) => string {
  const { moment } = speaker(turn);
  return ({ from, subject, receivedAt, isRead, urgency, summary, snippet }) => {
    const marks = [isRead ? "" : "unread", urgency === "high" || urgency === "critical" ? "urgent" : ""].filter(
      Boolean,
    );
    const about = short(summary || snippet, 140);
    const when = [moment(Date.parse(receivedAt)), ...marks].join(", ");
    return `${short(from, 60)}: ${short(subject) || "(no subject)"} (${when})${about ? `. ${about}` : ""}`;
  };
}

/** Numbered, so that the person can answer with a number. */
export function choice(message: string, options: readonly { label: string }[]): string {
  return [message, ...options.map(({ label }, at) => `${at + 1}. ${short(label)}`), "Which one do you mean?"].join(
    "\n",
  );
}

/** Tells what came of a call; `done` words the success. */
export function tell<Result>(outcome: Outcome, done: (result: Result) => string): Answer {
  switch (outcome.status) {
    case "done":
      return { text: done(asResult<Result>(outcome.result)) };
    case "unclear":
      return { text: choice(outcome.message, outcome.options), question: { kind: "which", options: outcome.options } };
    case "proposed":
      return { text: "I have proposed that; it is done when you apply the proposal." };
    case "refused":
      return { text: sentence(outcome.message) };
  }
}

/** What a tool gave back, which the table of tools keeps without its type. */
export function asResult<Result>(result: unknown): Result {
  return assertType<Result>(result);
}

function sentence(text: string): string {
  const whole = text.trim();
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
