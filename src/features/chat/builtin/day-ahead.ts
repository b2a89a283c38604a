import { askedTime } from "../../../engine/notes/message-time.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { namesEvent } from "../language/errands/errand-rules.ts";
import type { TaskView } from "../tools/tasks.ts";
import type { Turn } from "../turn.ts";
import { listEvents } from "./events.ts";
import { lines, type Reply, taskLine, toolResult } from "./reply-text.ts";
import { mayRead } from "./scopes.ts";

/** "what have I got on Monday?" means the calendar and the tasks of that day, unless it names meetings or a person. */
const WHOLE_DAY =
  /\b(?:do i have|have i got|i've got|am i doing|i got|going on|what's on|what is on|anything|happening|planned|coming up|up to)\b/i;

export async function dayAhead(turn: Turn, message: string): Promise<Reply> {
  const events = await listEvents(turn, message);
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
