import { whyNoDate } from "../../../engine/due-date.ts";
import { withoutCourtesies } from "../../../engine/notes/message-time.ts";
import { reminderBeforeOther } from "../../../engine/reminder-words.ts";
import { DAY_MS, dateOf, toWall, wallDay } from "../../../lib/time-zone.ts";
import type { WrittenView } from "../../tools/calendar.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import { spokenMinutes } from "../../tools/reminder-input.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Outcome, Turn } from "../../tools/turn.ts";
import { meantRecord } from "../language/errands/target-record.ts";
import { eventMeant } from "./event-place.ts";
import { justWritten, refOf } from "./references.ts";
import { type Reply, replyFor, shorten, unchanged } from "./reply-text.ts";
import { addTask, createTask } from "./tasks.ts";

/**
 * "remind me an hour before the meeting with Kim", or "… before it" and "remind me an hour before" of what was just
 * made; null if the message asks for something else.
 */
export async function remindBefore(turn: Turn, message: string): Promise<Reply | null> {
  const day = await onDayBefore(turn, message);
  if (day) return addTask(turn, day);
  const said = reminderBeforeOther(withoutCourtesies(message));
  if (!said) return null;
  const words = said.minutesBefore.map((minutes) =>
    minutes === 0 ? "at the time of" : `${spokenMinutes(minutes)} before`,
  );
  const asked = {
    when: words.join(" and "),
    reminders: said.minutesBefore.map((minutesBefore) => ({ minutesBefore })),
  };
  const errand = /^to (?<what>\p{L}.+)$/iu.exec(said.other)?.groups?.what;
  if (errand) return taskBefore(turn, errand, Math.max(...said.minutesBefore));
  if (said.other !== "") return remindOfNamed(turn, said.other, asked);
  const [record, ...others] = justWritten(turn, ["task", "event"]);
  if (!record || others.length > 0) {
    return { text: "Of what? Say, for example: remind me an hour before the meeting with Kim." };
  }
  return record.kind === "task"
    ? tellTask(await change(turn, "update_task", refOf(record), asked), asked)
    : tellEvent(await change(turn, "update_event", refOf(record), asked), asked);
}

const DAY_BEFORE =
  /^remind me (?:on )?the (?<part>day|morning|afternoon|evening|night) before (?:it |that )?to (?<what>\p{L}.+)$/iu;

/** "remind me the evening before to pack", with the day before the event that the conversation is about. */
async function onDayBefore(turn: Turn, message: string): Promise<string | null> {
  const { part = "", what } = DAY_BEFORE.exec(withoutCourtesies(message))?.groups ?? {};
  const event = what ? await eventMeant(turn) : null;
  if (!event) return null;
  const day = dateOf(wallDay(toWall(turn.timeZone, Date.parse(event.start))) - DAY_MS);
  return `remind me to ${what} on ${day}${/day/i.test(part) ? "" : ` in the ${part.replace(/night/i, "evening")}`}`;
}

/** "remind me two days before to get a present": a task, due before the event that the conversation is about. */
async function taskBefore(turn: Turn, errand: string, minutes: number): Promise<Reply> {
  const event = await eventMeant(turn);
  if (!event) return { text: `Before what should you ${shorten(errand, 80)}? Say it with a day or a time.` };
  const at = Date.parse(event.start) - minutes * 60_000;
  const isDays = minutes % 1440 === 0;
  const dueAt = isDays ? dateOf(toWall(turn.timeZone, at)) : new Date(at).toISOString();
  return createTask(turn, { title: errand.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), dueAt });
}

interface Asked {
  /** "1 hour before" */
  when: string;
  reminders: { minutesBefore: number }[];
}

const change = (turn: Turn, tool: string, which: object, { reminders }: Asked): Promise<Outcome> =>
  turn.call(tool, { ...which, reminders });

/** An event, or else a task of that name. */
async function remindOfNamed(turn: Turn, other: string, asked: Asked): Promise<Reply> {
  const doubt = whyNoDate(other, turn.clock);
  if (doubt) return { text: unchanged(doubt) };
  const { match, from, until } = meantRecord(other, turn.clock);
  const isNamed = tellingWords(match).length > 0;
  const time = { ...(from && { from: from.toISOString() }), ...(until && { until: until.toISOString() }) };
  const which = { ...(isNamed && { match }), ...time };
  const target = Object.keys(which).length > 0 ? which : { from: turn.ctx.now.toISOString() };
  const asEvent = await change(turn, "update_event", target, asked);
  if (asEvent.status !== "refused" || !isNamed) return tellEvent(asEvent, asked);
  const asTask = await change(turn, "update_task", { match }, asked);
  return asTask.status === "refused" ? tellEvent(asEvent, asked) : tellTask(asTask, asked);
}

function tellEvent(outcome: Outcome, { when }: Asked): Reply {
  return replyFor<WrittenView>(outcome, ({ title }) => `I will remind you ${when} “${shorten(title)}”.`);
}

function tellTask(outcome: Outcome, { when }: Asked): Reply {
  return replyFor<TaskView>(outcome, ({ title, dueAt, dueDate }) => {
    const name = `“${shorten(title)}”`;
    if (dueAt !== null || dueDate !== null) return `I will remind you ${when} ${name}.`;
    return `${name} has no due date yet. Once it has one, I will remind you ${when} it.`;
  });
}
