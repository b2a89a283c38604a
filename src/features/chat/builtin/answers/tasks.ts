import { datesIn } from "../../../../engine/notes/message-time.ts";
import { dueMoment } from "../../../../lib/due.ts";
import { counted } from "../../../../lib/spoken-time.ts";
import { MINUTE_MS } from "../../../../lib/time-zone.ts";
import type { TaskView } from "../../../tools/tasks.ts";
import { askedBy } from "../../request/asked.ts";
import { wordsOf } from "../../request/exact.ts";
import { filtersIn } from "../../request/filters.ts";
import { type Request, slotsOf } from "../../request/request.ts";
import { spanOf } from "../../request/times.ts";
import { findMail } from "../find.ts";
import { knownList, listOf, listOfLast, listSaid, tagsIn } from "../labels.ts";
import { type Answer, lookUp, type Scene, taskRecord } from "../plan.ts";
import { emailLine, lines, taskLine } from "../words/voice.ts";
import { askDay, whenWords } from "./day.ts";

interface TaskList {
  tasks: TaskView[];
  more: boolean;
}

/** The tasks that the words describe: of a list, a day, a tag; overdue, done, urgent. */
export async function askTasks(scene: Scene, request: Request): Promise<Answer> {
  const { sight, voice } = scene;
  const { say } = voice;
  const words = wordsOf(request.rest);
  const isTheList = words.includes("list") && listSaid(request) === null;
  const said = [request.names, askedBy(request).words].map((each) => each.join(" "));
  const list =
    (await listOf(sight, request)) ??
    (isTheList ? await listOfLast(sight) : null) ??
    (await knownList(sight, said[0] ?? "")) ??
    (await knownList(sight, said[1] ?? ""));
  const [tag] = [...tagsIn(request.text), ...slotsOf(request, "tag").map((each) => each.replace(/^#/, ""))];
  if (!list && (words.includes("lists") || words.includes("listen") || words.includes("listas"))) return lists(scene);
  const { overdue, done, undated, priority } = filtersIn(request.rest);
  const needsAttention = words.includes("attention") || (words.includes("urgent") && request.kind === null);
  if (needsAttention) return attention(scene);
  const then = spanOf(request.times, sight.clock);
  // What is due "now" is everything.
  const span = then?.isPoint && Math.abs(then.start.getTime() - sight.ctx.now.getTime()) < MINUTE_MS ? null : then;
  // "What's left today?" is about everything of that day.
  const isOpen =
    request.kind === null && !list && !overdue && !done && !priority && request.names.length === 0 && tag === undefined;
  if (span && isOpen && !words.includes("due")) return askDay(scene, request);
  const query = list ? "" : request.names.join(" ");
  const found = await lookUp<TaskList>(scene, "list_tasks", {
    status: done ? "done" : "open",
    limit: 50,
    ...(overdue && { overdue }),
    ...(priority && { priority }),
    ...(query && { query }),
    ...(tag && { tag }),
    ...(list && { list }),
    ...(span && { dueAfter: span.start.toISOString(), dueBefore: span.end.toISOString() }),
  });
  if ("text" in found) return found;
  const tasks = undated ? found.tasks.filter((task) => dueMoment(task, sight.timeZone) === null) : found.tasks;
  if (voice.language !== "en")
    return inOtherLanguage(scene, tasks, span ? say.dueIn(whenWords(voice, span)) : "", overdue, done);
  const kind = [
    overdue ? "overdue" : "",
    priority === "high" ? "high-priority" : (priority ?? ""),
    done ? "finished" : "",
  ]
    .filter(Boolean)
    .join(" ");
  const where = list ? ` on the list ${list}` : "";
  const when = span ? ` due ${span.label.toLowerCase()}` : "";
  const which = undated ? " without a due date" : query ? ` about ${query}` : tag ? ` tagged ${tag}` : "";
  if (tasks.length === 0) {
    const none = `You have no ${kind || "open"} tasks${where}${when}${which}.`;
    return tag ? tagged(scene, tag, none) : { text: none };
  }
  const count = found.more ? `more than ${tasks.length}` : String(tasks.length);
  const noun = tasks.length === 1 && !found.more ? "task" : "tasks";
  const title = `You have ${count} ${kind || "open"} ${noun}${where}${when}${which}:`;
  return {
    text: lines(voice, title, tasks, taskLine(voice, sight.timeZone)),
    about: tasks.slice(0, 20).map(taskRecord),
  };
}

function inOtherLanguage(
  { sight, voice }: Scene,
  tasks: readonly TaskView[],
  when: string,
  overdue?: true,
  done?: true,
): Answer {
  const { say } = voice;
  const which = [overdue ? say.overdue : done ? say.finished : "", when].filter(Boolean).join(" ");
  if (tasks.length === 0) return { text: say.noTasks(which) };
  const title = say.tasks(String(tasks.length), which, tasks.length === 1);
  return {
    text: lines(voice, title, tasks, taskLine(voice, sight.timeZone)),
    about: tasks.slice(0, 20).map(taskRecord),
  };
}

/** How many tasks are open, and which of them press. */
export async function taskSummary(scene: Scene): Promise<Answer> {
  const { sight, voice } = scene;
  const found = await lookUp<TaskList>(scene, "list_tasks", { status: "open", limit: 50 });
  if ("text" in found) return found;
  const { tasks, more } = found;
  if (tasks.length === 0) return { text: "You have no open tasks." };
  const today = spanOf(datesIn("today", sight.clock), sight.clock);
  const due = (task: TaskView) => Number(dueMoment(task, sight.timeZone) ?? Number.POSITIVE_INFINITY);
  const isToday = (task: TaskView) =>
    today !== null && due(task) >= today.start.getTime() && due(task) < today.end.getTime();
  const facts = [
    `${tasks.filter((task) => due(task) < sight.ctx.now.getTime()).length} overdue`,
    `${tasks.filter(isToday).length} due today`,
    `${tasks.filter(({ priority }) => priority === "urgent").length} urgent`,
  ];
  const title = `You have ${more ? "more than " : ""}${counted(tasks.length, "open task")}: ${facts.join(", ")}.`;
  return {
    text: lines(voice, title, tasks, taskLine(voice, sight.timeZone)),
    about: tasks.slice(0, 20).map(taskRecord),
  };
}

/** Emails have tags as well. */
async function tagged(scene: Scene, tag: string, none: string): Promise<Answer> {
  const found = await findMail(scene, { query: `tag:${tag}`, anywhere: true, limit: 10 });
  if ("text" in found || found.mails.length === 0) return { text: none };
  const title = `You have no open tasks tagged ${tag}, but ${counted(found.mails.length, "email")}:`;
  return { text: lines(scene.voice, title, found.mails, emailLine(scene.voice)) };
}

async function lists(scene: Scene): Promise<Answer> {
  const found = await lookUp<{ lists: { name: string; openTasks: number }[] }>(scene, "list_task_lists", {});
  if ("text" in found) return found;
  if (found.lists.length === 0)
    return { text: "You have no lists yet. Say, for example: add milk to the shopping list." };
  return {
    text: lines(
      scene.voice,
      "Your lists:",
      found.lists,
      ({ name, openTasks }) => `${name}: ${counted(openTasks, "open task")}`,
    ),
  };
}

/** Urgent emails, and tasks that are overdue or important. */
export async function attention(scene: Scene): Promise<Answer> {
  const { voice, sight } = scene;
  const parts: string[] = [];
  const refusals = new Set<string>();
  const emails = await findMail(scene, { urgent: true, limit: 10 });
  if ("text" in emails) refusals.add(emails.text);
  else if (emails.count > 0) {
    const title = `${counted(emails.count, "urgent email is", "urgent emails are")} unread:`;
    parts.push(lines(voice, title, emails.mails, emailLine(voice)));
  }
  const seen = new Set<number>();
  const about: TaskView[] = [];
  for (const [title, input] of [
    ["Overdue tasks:", { overdue: true }],
    ["Urgent tasks:", { priority: "urgent" }],
    ["High-priority tasks:", { priority: "high" }],
  ] as const) {
    const found = await lookUp<TaskList>(scene, "list_tasks", { ...input, limit: 10 });
    if ("text" in found) {
      refusals.add(found.text);
      continue;
    }
    const tasks = found.tasks.filter(({ id }) => !seen.has(id));
    for (const { id } of tasks) seen.add(id);
    about.push(...tasks);
    if (tasks.length > 0) parts.push(lines(voice, title, tasks, taskLine(voice, sight.timeZone)));
  }
  const said = [...parts, ...refusals];
  const none = "Nothing is urgent: you have no unread urgent emails and no overdue tasks.";
  return { text: said.length > 0 ? said.join("\n\n") : none, about: about.map(taskRecord) };
}
