import { dueMoment } from "../../lib/due.ts";
import { type Block, textOf } from "../../lib/notice.ts";
import { counted, endOfDay, longDate, speakerFor, type TimeStyle } from "../../lib/spoken-time.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import type { EmailSummary } from "../emails/schemas.ts";
import type { Task } from "../tasks/schemas.ts";
import type { Brief, BriefEvent, DueTasks } from "./brief.ts";

/** The person who reads the brief. */
interface Reader extends TimeStyle {
  timeZone: string;
}

const SHOWN = 8;
const TITLE_CHARACTERS = 100;

/** The brief in parts: sentences, and lists with one item per line. */
export function briefBlocks(brief: Omit<Brief, "text" | "blocks">, reader: Reader, now: Date): Block[] {
  const { timeZone } = reader;
  const { clock, day, moment } = speakerFor(timeZone, now, reader);
  const { events, invitationsWaiting, tasksDueToday, overdueTasks, urgentEmails, nextFreeSlot } = brief;
  const parts: Block[] = [];
  if (events.length === 0) parts.push("There is nothing in your calendar today.");
  else {
    const eventLine = (event: BriefEvent) => {
      const when = event.allDay ? "all day" : `${clock(Date.parse(event.start))}–${clock(Date.parse(event.end))}`;
      const place = event.location ? `, ${short(event.location)}` : "";
      const [other] = event.conflictsWith;
      const conflict = other ? ` (at the same time as ${short(other)})` : "";
      const open = event.awaitsAnswer ? " (an invitation without your response)" : "";
      return `${when} ${short(event.title)}${place}${open}${conflict}`;
    };
    parts.push(list(`${counted(events.length, "event")} today:`, events, eventLine));
  }
  if (invitationsWaiting > 0) {
    parts.push(`${counted(invitationsWaiting, "invitation waits", "invitations wait")} for your response.`);
  }
  const taskLine = (task: Task) => {
    const at = dueMoment(task, timeZone);
    const due = at === null ? "" : dueWords(at, timeZone, day, clock);
    const priority = task.priority === "urgent" || task.priority === "high" ? `, ${task.priority}` : "";
    return `${short(task.title)}${due}${priority}`;
  };
  const taskList = ({ count, first }: DueTasks, when: string) =>
    count > 0 ? [list(`${counted(count, "task")} ${when}:`, first, taskLine, count)] : [];
  parts.push(...taskList(overdueTasks, "overdue"), ...taskList(tasksDueToday, "due today"));
  if (overdueTasks.count + tasksDueToday.count === 0) parts.push("No task is due today.");
  if (urgentEmails.count > 0) {
    const emailLine = ({ from, subject }: EmailSummary) =>
      `${short(from.name || from.email)}: ${short(subject) || "(no subject)"}`;
    const title = `${counted(urgentEmails.count, "urgent email is", "urgent emails are")} unread:`;
    parts.push(list(title, urgentEmails.emails, emailLine, urgentEmails.count));
  } else parts.push("No urgent email is waiting.");
  if (nextFreeSlot) parts.push(`Your next free half hour is ${moment(Date.parse(nextFreeSlot.start))}.`);
  return parts;
}

/** The whole brief as plain text. */
export function briefText({ date }: Pick<Brief, "date">, blocks: readonly Block[], reader: Reader): string {
  return textOf([`Your day, ${longDate(date, reader)}.`, ...blocks]);
}

function dueWords(due: number, zone: string, day: (at: number) => string, clock: (at: number) => string): string {
  // A task due on a day, without a time, is stored as due at the end of that day.
  const date = day(due);
  if (endOfDay(zone, due) - due <= 60_000) return ` (${date})`;
  return ` (${date}${date.includes(",") ? "," : ""} ${clock(due)})`;
}

function list<Item>(title: string, items: readonly Item[], line: (item: Item) => string, total = items.length): Block {
  const shown = items.slice(0, SHOWN);
  const rest = total - shown.length;
  return { title, items: [...shown.map(line), ...(rest > 0 ? [`and ${rest} more`] : [])] };
}

/** Text from outside, cut to one line. */
function short(text: string): string {
  const line = collapseSpace(text);
  const cut = firstCharacters(line, TITLE_CHARACTERS);
  return cut.length < line.length ? `${cut.trimEnd()}…` : line;
}
