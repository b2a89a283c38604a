import { parseDueText, whyNoDate } from "../../../engine/due-date.ts";
import { listNameIn, withoutListName } from "../../../engine/notes/list-name.ts";
import { askedTime } from "../../../engine/notes/message-time.ts";
import { taskSlots } from "../../../engine/notes/slots.ts";
import { dueMoment, dueOfMoment } from "../../../lib/due.ts";
import { spokenRule } from "../../../lib/spoken-rule.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { DAY_MS, toInstant, toWall, wallDay } from "../../../lib/time-zone.ts";
import { matchingTasks } from "../../tools/find-record.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import type { TaskView } from "../../tools/tasks.ts";
import { MAX_WRITES, type Turn } from "../../tools/turn.ts";
import { meantRecord, moveSlots } from "../language/errands/target-record.ts";
import { tagBefore, withoutTag } from "../language/errands/task-tag.ts";
import { findEmails } from "./emails.ts";
import {
  askWhich,
  dueWords,
  emailLine,
  lines,
  type Reply,
  remindWords,
  replyFor,
  speaker,
  taskLine,
  toolResult,
  unchanged,
} from "./reply-text.ts";

interface TaskList {
  tasks: TaskView[];
  more: boolean;
}

const tasksOf = (turn: Turn, input: Record<string, unknown>) => toolResult<TaskList>(turn, "list_tasks", input);

/** "which tasks have no date?" */
const UNDATED =
  /\b(?:no|without(?: an?| any)?|(?:don't|doesn't|do not|does not|haven't|hasn't) (?:yet )?(?:have|got)(?: an?| any)?|lack(?:s|ing)?(?: an?)?|missing(?: an?)?) (?:due )?(?:dates?|deadlines?|due dates?|day)\b|\bundated\b/;

export async function listTasks(turn: Turn, message: string): Promise<Reply> {
  const text = message.toLowerCase();
  const time = askedTime(message, turn.clock);
  const asked = time && /^(?:right )?now$/i.test(time.label) ? null : time;
  const isUndated = UNDATED.test(text);
  const isOverdue = /\b(?:overdue|late|past due|missed)\b/.test(text);
  const isDone = /\b(?:done|completed|finished)\b/.test(text);
  const priority = /\burgent\b/.test(text) ? "urgent" : /\b(?:high[- ]priority|important)\b/.test(text) ? "high" : null;
  const tag =
    /\b(?:tagged|labell?ed)(?: (?:as|with))? #?([\p{L}\p{N}-]+)|\b(?:tag|label) #?([\p{L}\p{N}-]+)|#([\p{L}\p{N}-]+)/u.exec(
      text,
    );
  const label =
    tag?.[1] ?? tag?.[2] ?? tag?.[3] ?? (await tagBefore(text, (of) => tasksOf(turn, { tag: of, limit: 1 })));
  const about = label
    ? undefined
    : /\b(?:about|for|regarding|with|named|called|mention(?:ing)?)\s+(.{1,200}?)[?.!]*$/.exec(text)?.[1];
  const query = !asked && about && !/^(?:me|today|now)\b/.test(about) ? tellingWords(about).join(" ") : "";
  const found = await tasksOf(turn, {
    status: isDone ? "done" : "open",
    limit: 50,
    ...(isOverdue && { overdue: true }),
    ...(priority && { priority }),
    ...(query && { query }),
    ...(label && { tag: label }),
    ...(asked && { dueAfter: asked.start.toISOString(), dueBefore: asked.end.toISOString() }),
  });
  if ("text" in found) return found;
  const { more } = found;
  const tasks = isUndated ? found.tasks.filter((task) => dueMoment(task, turn.timeZone) === null) : found.tasks;
  const kind = [
    isOverdue ? "overdue " : "",
    priority ? `${priority === "high" ? "high-priority" : priority} ` : "",
    isDone ? "finished " : "",
  ].join("");
  const when = asked ? ` due ${asked.label.toLowerCase()}` : "";
  const which = isUndated ? " without a due date" : query ? ` about ${query}` : label ? ` tagged ${label}` : "";
  if (tasks.length === 0) {
    const none = { text: `You have no ${kind || "open "}tasks${when}${which}.` };
    return label ? ((await emailsTagged(turn, label)) ?? none) : none;
  }
  const count = more ? `more than ${tasks.length}` : String(tasks.length);
  const title = `You have ${count} ${kind || "open "}${tasks.length === 1 && !more ? "task" : "tasks"}${when}${which}:`;
  return { text: lines(title, tasks, taskLine(turn)) };
}

/** Emails have tags as well. */
async function emailsTagged(turn: Turn, tag: string): Promise<Reply | null> {
  const found = await findEmails(turn, { query: `tag:${tag}`, anywhere: true, limit: 10 });
  if ("text" in found || found.mails.length === 0) return null;
  const title = `You have no open tasks tagged ${tag}, but ${counted(found.mails.length, "email")}:`;
  return { text: lines(title, found.mails, emailLine(turn)) };
}

export async function summariseTasks(turn: Turn): Promise<Reply> {
  const found = await tasksOf(turn, { status: "open", limit: 50 });
  if ("text" in found) return found;
  const { tasks, more } = found;
  if (tasks.length === 0) return { text: "You have no open tasks. Everything is done." };
  const now = turn.ctx.now.getTime();
  const { day } = speaker(turn);
  const due = (task: TaskView) => dueMoment(task, turn.timeZone);
  const overdue = tasks.filter((task) => (due(task) ?? now) < now);
  const today = tasks.filter((task) => (due(task) ?? 0) >= now && day(due(task) ?? 0) === "today");
  const urgent = tasks.filter(({ priority }) => priority === "urgent" || priority === "high");
  const undated = tasks.filter((task) => due(task) === null);
  const facts = [
    `${overdue.length} overdue`,
    `${today.length} due today`,
    `${urgent.length} urgent or high priority`,
    `${undated.length} without a due date`,
  ];
  const open = more ? "more than 50 open tasks" : counted(tasks.length, "open task");
  const first = [...new Set([...overdue, ...today, ...urgent, ...tasks])].slice(0, 5);
  return { text: lines(`You have ${open}: ${facts.join(", ")}. First:`, first, taskLine(turn)) };
}

const startOfToday = ({ ctx, timeZone }: Turn) => toInstant(timeZone, wallDay(toWall(timeZone, ctx.now.getTime())));

export async function addTask(turn: Turn, said: string): Promise<Reply> {
  const { tag, message } = withoutTag(said);
  const { title, due, priority, rule, list, remindBefore, doubt } = taskSlots(message, turn.clock);
  if (doubt) return { text: unchanged(doubt) };
  // "The class you told me about two days ago" is not due then.
  if (due && due.getTime() < startOfToday(turn)) {
    return { text: unchanged("That day is over. Say it again with a day that lies ahead.") };
  }
  // "note to self… no, nothing"
  if (/^[\s.…,-]*(?:no\b[,.]|nothing\b|never ?mind\b|ignore me\b|forget it\b)/i.test(title)) {
    return { text: "All right. I have not added anything." };
  }
  const input = {
    ...(due && dueInput(turn, due)),
    ...(priority && { priority }),
    ...(tag && { tags: [tag.toLowerCase()] }),
    ...(rule && { rrule: rule.rrule, repeatFrom: rule.from }),
    ...(list && { list }),
    ...(remindBefore.length > 0 && { reminders: remindBefore.map((minutesBefore) => ({ minutesBefore })) }),
  };
  if (!title) {
    const where = list ? `the list ${list}` : "your tasks";
    return { text: `What should I add to ${where}?`, question: { kind: "what", tool: "create_task", input } };
  }
  const [only, ...others] = list && !due ? itemsIn(title) : [title];
  if (others.length === 0) return createTask(turn, { title: only, ...input });
  const replies: Reply[] = [];
  for (const item of [only, ...others]) replies.push(await createTask(turn, { title: item, ...input }));
  return { text: replies.map(({ text }) => text).join("\n") };
}

/** "milk, eggs and bread" for a list are three things; a longer phrase is one. */
function itemsIn(title: string): string[] {
  const items = title.split(/(?<!\s)\s*,\s*(?:and\s+)?|(?<!\s)\s+and\s+/i).filter((item) => item !== "");
  const areShort = items.length <= MAX_WRITES && items.every((item) => item.split(" ").length <= 4);
  return areShort ? items.map((item) => item.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())) : [title];
}

/** A day is passed on as a date, so that the task is due without a time. */
export function dueInput({ timeZone }: Turn, due: Date): { dueAt: string } {
  return { dueAt: dueOfMoment(due, timeZone).dueDate ?? due.toISOString() };
}

export async function createTask(turn: Turn, input: Record<string, unknown>): Promise<Reply> {
  return replyFor<TaskView>(await turn.call("create_task", input), ({ title, priority, rrule, reminders, ...task }) => {
    const { day, clock } = speaker(turn);
    const at = dueMoment(task, turn.timeZone);
    const due = at === null ? "" : `, due ${dueWords(at, day, clock)}`;
    const repeated = rrule === null ? "" : `, ${spokenRule(rrule, input.repeatFrom === "done" ? "done" : "due")}`;
    const where = typeof input.list === "string" ? `the list ${input.list}` : "your tasks";
    return `Added to ${where}: ${title}${due}${repeated}${priority === "medium" ? "" : `, ${priority} priority`}${remindWords(reminders)}.`;
  });
}

/** "what is on my shopping list" */
export async function showList(turn: Turn, message: string): Promise<Reply> {
  const list = listNameIn(message);
  if (list === null) return listTasks(turn, message);
  const found = await tasksOf(turn, { list, limit: 50 });
  if ("text" in found) return found;
  const { tasks, more } = found;
  if (tasks.length === 0) return { text: `There is nothing on the list ${list}.` };
  const count = more ? `more than ${tasks.length} things` : counted(tasks.length, "thing");
  return {
    text: lines(`On the list ${list} there ${tasks.length === 1 ? "is" : "are"} ${count}:`, tasks, taskLine(turn)),
  };
}

export async function showLists(turn: Turn): Promise<Reply> {
  const found = await toolResult<{ lists: { name: string; openTasks: number }[] }>(turn, "list_task_lists", {});
  if ("text" in found) return found;
  if (found.lists.length === 0)
    return { text: "You have no lists yet. Say, for example: add milk to the shopping list." };
  return {
    text: lines("Your lists:", found.lists, ({ name, openTasks }) => `${name}: ${counted(openTasks, "open task")}`),
  };
}

/** "move milk to the shopping list" */
export async function moveToList(turn: Turn, message: string): Promise<Reply> {
  const list = listNameIn(message);
  const words = /^(?:please )?(?:move|put|transfer|shift)\s+(?:the )?(?:task (?:of )?(?:the )?)?| over$/gi;
  const match = withoutListName(message).replace(words, "");
  if (list === null || tellingWords(match).length === 0) {
    return { text: "Say which task and which list. For example: move buy milk to the shopping list." };
  }
  const outcome = await turn.call("update_task", { match, list });
  // "Printer paper, put it on the shopping list": what is not there yet is added.
  if (/^put (?!the task\b)/i.test(message) && outcome.status === "refused" && outcome.code === "not_found")
    return addTask(turn, `add ${match} to the ${list} list`);
  return replyFor<TaskView>(outcome, ({ title }) => `Moved to the list ${list}: ${title}.`);
}

export async function completeTask(turn: Turn, message: string): Promise<Reply> {
  const { match } = meantRecord(message, turn.clock);
  // "the call" may be the name of a task.
  const isNamed = tellingWords(match).length > 0 || /\b(?:call|meeting|appointment|session)s?\b/i.test(match);
  if (!isNamed) return askWhichTask(turn, "complete_task", {});
  return (await forEach(turn, "complete_task", {}, match)) ?? runTaskTool(turn, "complete_task", { match });
}

export async function removeTask(turn: Turn, whole: string): Promise<Reply> {
  const message = listNameIn(whole) === null ? whole : withoutListName(whole);
  const { match, isAll } = meantRecord(message, turn.clock);
  if (tellingWords(match).length > 0) {
    const change = { status: "cancelled" };
    return (
      (await forEach(turn, "update_task", change, match)) ?? runTaskTool(turn, "update_task", { match, ...change })
    );
  }
  return isAll || /\blist\b/i.test(message)
    ? askToClear(turn)
    : askWhichTask(turn, "update_task", { status: "cancelled" });
}

/** "the ferns and the recycling": two tasks, if each of the names fits one; null if they name one task, or none. */
async function forEach(
  turn: Turn,
  tool: string,
  change: Record<string, unknown>,
  match: string,
): Promise<Reply | null> {
  const names = match.split(/ ?, ?(?:and )?| and | ?& ?/i).filter((name) => tellingWords(name).length > 0);
  if (names.length < 2 || names.length > MAX_WRITES) return null;
  const ids = new Set<number>();
  for (const name of names) {
    const [only, ...others] = await matchingTasks(turn, name);
    if (!only || others.length > 0) return null;
    ids.add(only.id);
  }
  if (ids.size < names.length) return null;
  const replies: Reply[] = [];
  for (const id of ids) replies.push(await runTaskTool(turn, tool, { id, ...change }));
  return { text: replies.map(({ text }) => text).join("\n") };
}

/** Lists what would be removed before it asks. */
async function askToClear(turn: Turn): Promise<Reply> {
  const found = await tasksOf(turn, { status: "open", limit: 10 });
  if ("text" in found) return found;
  const { tasks, more } = found;
  if (tasks.length === 0) return { text: "Your list is already empty." };
  const calls = tasks.map(({ id, title }) => ({
    label: title,
    tool: "update_task",
    input: { id, status: "cancelled" },
  }));
  const title = more ? "These are the first ten of your open tasks:" : `That is ${counted(tasks.length, "open task")}:`;
  return {
    text: `${lines(title, tasks, taskLine(turn))}\nShould I remove all of these from your list? Say yes or no.`,
    question: { kind: "confirm", calls },
  };
}

async function askWhichTask(turn: Turn, tool: string, input: Record<string, unknown>): Promise<Reply> {
  const found = await tasksOf(turn, { status: "open", limit: 6 });
  if ("text" in found) return found;
  if (found.tasks.length === 0) return { text: "You have no open tasks." };
  const options = found.tasks.map(({ id, title }) => ({ label: title, tool, input: { ...input, id } }));
  return { text: askWhich("These are open:", options), question: { kind: "which", options } };
}

export async function runTaskTool(turn: Turn, tool: string, input: Record<string, unknown>): Promise<Reply> {
  return replyFor<TaskView>(await turn.call(tool, input), ({ title, status, priority, ...task }) => {
    if (tool === "complete_task") return `Done: ${title}.`;
    if (status === "cancelled") return `Removed from your list: ${title}.`;
    const { day, clock } = speaker(turn);
    const at = dueMoment(task, turn.timeZone);
    const due = at === null ? "no due date" : `due ${dueWords(at, day, clock)}`;
    return `Changed: ${title}, ${due}, ${priority} priority.`;
  });
}

/** Nobody who moves something to "Wednesday" on a Wednesday means today. */
function nextWeekday(turn: Turn, words: string, due: Date | null): Date | null {
  const isWeekday = /^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i.test(words.trim());
  const today = askedTime("today", turn.clock);
  if (!due || !isWeekday || !today || due > today.end) return due;
  return new Date(due.getTime() + 7 * DAY_MS);
}

export async function changeTask(turn: Turn, message: string): Promise<Reply> {
  const priority = /\b(?:to|as|priority)\s+(low|medium|high|urgent)\b|\b(urgent|high priority|low priority)$/i.exec(
    message,
  );
  const level = (priority?.[1] ?? priority?.[2])?.toLowerCase().split(" ")[0];
  const { match } = level
    ? meantRecord(message.replace(priority?.[0] ?? "", ""), turn.clock)
    : moveSlots(message, turn.clock);
  const words = match.replace(/\b(?:to|until|till|for|by)$/i, "").trim();
  const behind = /\b(?:to|until|till|for|by|on)\s{1,9}([^,]{1,200})$/i.exec(message)?.[1] ?? message;
  const due = level ? null : nextWeekday(turn, behind, parseDueText(behind, turn.clock));
  const doubt = level || due ? null : whyNoDate(behind, turn.clock);
  if (doubt) return { text: unchanged(doubt) };
  const change = { ...(level && { priority: level }), ...(due && dueInput(turn, due)) };
  if (Object.keys(change).length === 0) {
    return { text: "I can change a task's due date or priority. For example: move the task call Ann to friday." };
  }
  if (tellingWords(words).length === 0) return askWhichTask(turn, "update_task", change);
  return runTaskTool(turn, "update_task", { match: words, ...change });
}
