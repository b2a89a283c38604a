import { parseDueText } from "../../../engine/due-date.ts";
import { listNameIn } from "../../../engine/notes/list-name.ts";
import { askedTime } from "../../../engine/notes/message-time.ts";
import { counted } from "../../../lib/spoken-time.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { lines, type Reply, taskLine, toolResult } from "./reply-text.ts";
import { dueInput, runTaskTool } from "./tasks.ts";

const WHAT =
  "(?<what>(?:everything|all(?: of it)?|it all|the lot) (?:on|from|off|in) (?:the|my|our) [\\w &-]{2,30} list|(?:everything|anything|whatever|all|(?:both|the)(?= (?:of )?(?:the |my )?(?:tasks|to-?dos|reminders)))(?: (?:of )?(?:the |my )?(?:tasks|to-?dos|reminders|things|stuff|jobs|others?|rest))?(?: (?:that|which))?(?:'s|'m| is| are| i have| i've got)?(?: (?:still|not done|left|open|due|overdue|undone|remaining|outstanding|unfinished|pending)){0,6}(?: (?:for|from|on|due|of)){0,6}(?: (?<day>today|tomorrow|this week|(?:mon|tues|wednes|thurs|fri|satur|sun)day))?|(?:the |my )(?:overdue|open|remaining|unfinished|late) (?:tasks|ones|things|stuff|to-?dos)|(?:today|tomorrow)'s (?:tasks|to-?dos|list|things))";
const TO = "(?:over |back |out )?(?:to|until|till|for) (?<to>.+)";
const MOVES = new RegExp(
  `^(?:and |so |right,? |ok,? |then |please ){0,6}(?:(?:move|push|shift|postpone|bump|put off|reschedule|carry|roll|delay)(?: over)? ${WHAT} ${TO}|${WHAT.replaceAll("?<", "?<_")} (?:goes|can go|go|moves|should (?:go|move|be moved)|can (?:move|wait|be moved)|gets moved|has to wait) ${TO.replace("?<", "?<_")})$`,
  "i",
);
const COMPLETES = new RegExp(
  `^(?:and |so |right,? |ok,? |then |please ){0,6}(?:(?:mark|tick|check|cross) ${WHAT}(?: as (?:done|complete|finished)| off)|${WHAT.replaceAll("?<", "?<_")} is (?:done|finished))$`,
  "i",
);
/** More than these are changed only after a yes. */
const MANY = 5;

/** "move everything that's left today to tomorrow": all tasks of a day, or all that are late. Null: another request. */
export async function changeAllTasks(turn: Turn, message: string): Promise<Reply | null> {
  const text = message.replaceAll("’", "'").replace(/(?<![\s.!])[\s.!]+$/, "");
  const moved = MOVES.exec(text)?.groups;
  const groups = moved ?? COMPLETES.exec(text)?.groups;
  if (!groups) return null;
  const what = groups.what ?? groups._what ?? "";
  const to = moved?.to ?? moved?._to;
  const due = to ? parseDueText(to, turn.clock) : null;
  if (to && !due) return null;
  const day = /\b(?:today|tomorrow|this week|\w+day)\b/i.exec(what)?.[0];
  const asked = day ? askedTime(day, turn.clock) : null;
  const isLate = /\b(?:overdue|late)\b/i.test(what);
  const list = listNameIn(what);
  // "Everything" alone may mean what was just shown, or all there is.
  if (!asked && !isLate && list === null) return null;
  const found = await toolResult<{ tasks: TaskView[]; more: boolean }>(turn, "list_tasks", {
    ...(asked && { dueAfter: asked.start.toISOString(), dueBefore: asked.end.toISOString() }),
    ...(isLate && { overdue: true }),
    ...(list !== null && { list }),
    limit: 10,
  });
  if ("text" in found) return found;
  const { tasks, more } = found;
  if (tasks.length === 0)
    return {
      text: `You have no open tasks ${list ? `on the list ${list}` : isLate ? "that are overdue" : `due ${day?.toLowerCase()}`}.`,
    };
  const tool = due ? "update_task" : "complete_task";
  const change = due ? dueInput(turn, due) : {};
  const calls = tasks.map(({ id, title }) => ({ label: title, tool, input: { id, ...change } }));
  if (tasks.length > MANY || more || tasks.some(({ outside }) => outside)) {
    const title = more ? "These are the first ten:" : `That is ${counted(tasks.length, "task")}:`;
    return {
      text: `${lines(title, tasks, taskLine(turn))}\nShould I do that for all of these? Say yes or no.`,
      question: { kind: "confirm", calls },
    };
  }
  const replies: Reply[] = [];
  for (const { input } of calls) replies.push(await runTaskTool(turn, tool, input));
  return { text: replies.map((reply) => reply.text).join("\n") };
}
