import type { ChatRecord } from "../../../db/schema/chat.ts";
import { askedTime } from "../../../engine/notes/message-time.ts";
import { counted, endOfDay } from "../../../lib/spoken-time.ts";
import { listTasks } from "../../tasks/list.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { namesEvent } from "../language/errands/errand-rules.ts";
import { listEvents } from "./events.ts";
import { lines, type Reply, replyFor, taskLine, toolResult } from "./reply-text.ts";
import { mayRead } from "./scopes.ts";

/** "what have I got on Monday?" means the calendar and the tasks of that day, unless it names meetings or a person. */
const WHOLE_DAY =
  /\b(?:do i have|have i got|i've got|am i doing|i got|going on|what's on|what is on|anything|happening|planned|coming up|up to)\b/i;

const NEXT =
  /^(?:(?:and|so|ok|okay|great|now)[\s,]+)*what(?:'s| is| comes)?(?: up)? next(?: (?:then|now|for me|on my list))*[\s?!.]*$/i;

export async function dayAhead(turn: Turn, message: string): Promise<Reply> {
  const events = await listEvents(turn, message);
  if (NEXT.test(message)) return nextOfAll(turn, events);
  const asked = askedTime(message, turn.clock);
  const isDay = asked !== null && !asked.isClock && WHOLE_DAY.test(message);
  if (!isDay || namesEvent(message) || /\bwith\b/i.test(message) || !mayRead(turn, "tasks:read")) return events;
  const shown = [...turn.shown];
  const due = await toolResult<{ tasks: TaskView[] }>(turn, "list_tasks", {
    dueAfter: asked.start.toISOString(),
    dueBefore: asked.end.toISOString(),
    limit: 20,
  });
  if ("text" in due || due.tasks.length === 0) {
    turn.shown = shown;
    return events;
  }
  turn.shown = [...shown, ...turn.shown];
  const title = `${counted(due.tasks.length, "task is", "tasks are")} due:`;
  return { ...events, text: `${events.text}\n\n${lines(title, due.tasks, taskLine(turn))}` };
}

/** "what's next?", after a task, or without any event ahead: the next tasks. */
async function nextOfAll(turn: Turn, events: Reply): Promise<Reply> {
  const isAboutTask = turn.state.groups[0]?.[0]?.kind === "task";
  if (!mayRead(turn, "tasks:read") || (turn.shown.length > 0 && !isAboutTask)) return events;
  const shown = [...turn.shown];
  const open = await toolResult<{ tasks: TaskView[] }>(turn, "list_tasks", { limit: 3 });
  if ("text" in open || open.tasks.length === 0) {
    turn.shown = shown;
    return events;
  }
  const tasks = lines("The next tasks:", open.tasks, taskLine(turn));
  return shown.length > 0 ? { ...events, text: `${tasks}\n\n${events.text}` } : { text: tasks };
}

export async function dayBrief(turn: Turn): Promise<Reply> {
  const outcome = await turn.call("daily_brief", {});
  if (outcome.status === "done" && mayRead(turn, "tasks:read")) {
    // What it names may be meant by the next message: "this I have already done".
    const { data } = await listTasks(turn.ctx, {
      status: ["todo", "in_progress", "waiting"],
      dueBefore: new Date(endOfDay(turn.timeZone, turn.ctx.now.getTime())),
      sort: "due",
      limit: 10,
    });
    turn.shown = data.map(({ id, title }): ChatRecord => ({ kind: "task", id, title }));
  }
  return replyFor<{ text: string }>(outcome, ({ text }) => text);
}
