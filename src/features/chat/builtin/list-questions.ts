import { requireScopes } from "../../../context.ts";
import { listNameIn } from "../../../engine/notes/list-name.ts";
import { dueMoment } from "../../../lib/due.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { countBoxes } from "../../emails/boxes.ts";
import { listsInUse } from "../../tasks/lists/service.ts";
import { getTask } from "../../tasks/service.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { findEmails } from "./emails.ts";
import { emailLine, type Reply, taskLine, toolResult } from "./reply-text.ts";
import { mayRead } from "./scopes.ts";
import { listTasks, showList } from "./tasks.ts";

const HOW_MANY_ON_IT =
  /^(?:(?:and|so|ok|okay)[\s,]+)*how many (?:things |items |tasks |are )*(?:do i have |have i got |are )?(?:there )?(?:still |now )*(?:on|in) (?:it|there|that list|this list|that|the list)(?: (?:now|then|so far|altogether|in total))*$/i;
const LEFT =
  /^(?:(?:and|so|ok|okay)[\s,]+)*how many (?:more |of them |things )?(?:are |do i have |have i got |is )?(?:there )?(?:still )?(?:left|open|to go|remaining|outstanding)(?: (?:now|then|to do|to go|on (?:it|there|the list|my list)))*$/i;
const FOREMOST =
  /^(?:(?:and|so|ok|okay)[\s,]+)*(?:which|what|show me|read me|who)\b.{0,200}?\b(?<most>due (?:first|next(?! (?:week|month|year|mon|tues|wednes|thurs|fri|satur|sun))|soonest)|(?:most|more) (?:urgent|important|pressing)|oldest|earliest|newest|latest|most recent|first due|next due|comes? (?:first|next|sooner|earlier)|(?:is|are) (?:first|sooner|earlier|next up))\b(?<rest>.*)$/i;
const ON_IT =
  /^(?:(?:and|so|ok|okay|then|now)[\s,]+)*(?:(?:what|which things|which items)(?: all| else)?(?:'s| is| are| do (?:i|we) have| have (?:i|we)(?: got)?)(?: still| left| now| already| currently| all| missing)* (?:on|in) (?:it|there|that list|this list|the(?: whole)? list)|(?:is|are) there (?:still )?(?:anything|something|things)(?: else| left| still)* (?:on|in) (?:it|there|that list|this list|the list)|what does (?:the|that|this|my|our) list (?:look like|say)|(?:show|read|give|tell)(?: me)? (?:the|that|this)(?: whole| full| entire| complete)? list)(?: (?:now|then|so far|again|out|please|altogether|in total|all together|at the moment|currently|already|left|once more|to me|for me))*$/i;
const HOW_MANY =
  /^(?:(?:and|so|ok|okay)[\s,]+)*how many (?:do i have|have i got|are there|are due|are) (?:due )?(?<when>(?:on|for|today|tomorrow|this|next)\b.+|today|tomorrow)$/i;
/** "what's on groceries", "what else is on errands": the name of a list without the word. */
const ON_NAMED =
  /^(?:(?:and|so|ok|okay)[\s,]+)*what(?:'s| is| do i have| have i got| else is| else do i have)?(?: still| left| else)* (?:on|in) (?:my |the |our )?(?!.{0,200}\b(?:calendar|agenda|diary|schedule|inbox|mind|today|tomorrow|\p{L}+day|week|weekend|month|morning|afternoon|evening)\b)(?<name>[\p{L}\d &-]{2,30})$/iu;
const NOT_YET =
  /^(?:(?:and|so|ok|okay)[\s,]+)*what(?:'s| is| has| have i| haven't i| isn't| hasn't been)?(?: still)?(?: not)?(?: been)? (?:packed|bought|done|ticked off|finished|got|sorted|crossed off) yet$/i;
const RANKS = ["urgent", "high", "medium", "low"];

/** Questions about a list as a whole: how many are left, which one is due first. Null: another question. */
export async function answerAboutList(turn: Turn, message: string): Promise<Reply | null> {
  const text = message
    .replaceAll("’", "'")
    .trim()
    .replace(/(?<![\s?.!])[\s?.!]+$/, "");
  if (LEFT.test(text)) return countLeft(turn);
  const list = ON_IT.test(text) || HOW_MANY_ON_IT.test(text) ? await listMeant(turn) : null;
  if (list) return showList(turn, `what is on the ${list} list`);
  const named = ON_NAMED.exec(text)?.groups?.name;
  if (named && (await isList(turn, named))) return showList(turn, `what is on the ${named} list`);
  if (NOT_YET.test(text)) {
    const last = await listMeant(turn);
    return last ? showList(turn, `what is on the ${last} list`) : listTasks(turn, "which tasks are open");
  }
  const when = HOW_MANY.exec(text)?.groups?.when;
  if (when && turn.state.groups[0]?.[0]?.kind === "task") return listTasks(turn, `how many tasks are due ${when}`);
  const groups = FOREMOST.exec(text)?.groups;
  if (!groups?.most || /\b(?:event|meeting|appointment|call)s?\b/i.test(text)) return null;
  const kind = kindIn(turn, text);
  if (kind === "task")
    return foremostTask(
      turn,
      groups.most,
      / ones?\b|\bof (?:them|these|those|the (?:two|three|four|lot))\b/i.test(text),
    );
  // "What is the latest email about?" is a question about its text.
  return kind === "email" && !/\b(?:about|from|say|says)\b/i.test(text) ? foremostEmail(turn, groups.most) : null;
}

async function isList(turn: Turn, name: string): Promise<boolean> {
  if (!mayRead(turn, "tasks:read")) return false;
  return (await listsInUse(turn.ctx)).some((list) => list.name.toLowerCase() === name.toLowerCase());
}

/** The list that something was put on, or that was shown. */
export async function listMeant(turn: Turn): Promise<string | null> {
  const { act, asked, lastAsked, groups } = turn.state;
  if (act?.tool === "create_task" && typeof act.input.list === "string") return act.input.list;
  const before = asked ?? lastAsked ?? null;
  const named = before === null ? null : listNameIn(before);
  if (named !== null) return named;
  const task = groups[0]?.find(({ kind }) => kind === "task");
  if (!task) return null;
  requireScopes(turn.ctx, ["tasks:read"]);
  const { listId } = await getTask(turn.ctx, task.id);
  return (await listsInUse(turn.ctx)).find(({ id }) => id === listId)?.name ?? null;
}

function kindIn({ state }: Turn, text: string): string | undefined {
  if (/\b(?:e-?mail|mail|message)s?\b/i.test(text)) return "email";
  if (/\b(?:tasks?|to-?dos?|due)\b/i.test(text)) return "task";
  return /\bones?\b|\bof (?:them|these|those|the (?:two|three|four|lot))\b/i.test(text)
    ? state.groups[0]?.[0]?.kind
    : undefined;
}

/** Of the list that was asked about last, or of all tasks. */
async function countLeft(turn: Turn): Promise<Reply | null> {
  const { asked, groups } = turn.state;
  const kind = groups[0]?.[0]?.kind;
  if (kind === "event" || kind === "slot") return null;
  if (kind === "email") {
    requireScopes(turn.ctx, ["emails:read"]);
    const { inbox } = await countBoxes(turn.ctx);
    return { text: `You have ${counted(inbox.count, "email")} in your inbox.` };
  }
  if (asked !== null && listNameIn(asked) !== null) return showList(turn, asked);
  const tasks = await openTasks(turn);
  if ("text" in tasks) return tasks;
  if (tasks.more) return { text: "You have more than 50 open tasks." };
  return { text: `You have ${tasks.tasks.length === 0 ? "no open tasks" : counted(tasks.tasks.length, "open task")}.` };
}

const openTasks = (turn: Turn) =>
  toolResult<{ tasks: TaskView[]; more: boolean }>(turn, "list_tasks", { status: "open", limit: 50 });

async function foremostTask(turn: Turn, most: string, isOfThese: boolean): Promise<Reply | null> {
  const found = await openTasks(turn);
  if ("text" in found) return found;
  const listed = turn.state.groups.find((group) => group.length > 1 && group.every(({ kind }) => kind === "task"));
  const among =
    isOfThese && listed ? found.tasks.filter(({ id }) => listed.some((each) => each.id === id)) : found.tasks;
  const due = (task: TaskView) => dueMoment(task, turn.timeZone) ?? Number.POSITIVE_INFINITY;
  const order = (a: TaskView, b: TaskView) => {
    if (/oldest|earliest/i.test(most)) return a.id - b.id;
    if (/newest|latest|recent/i.test(most)) return b.id - a.id;
    const rank = /due|comes?|is |are /i.test(most) ? 0 : RANKS.indexOf(a.priority) - RANKS.indexOf(b.priority);
    return rank || (due(a) < due(b) ? -1 : 1);
  };
  const [first] = [...among].sort(order);
  if (!first) return { text: "You have no open tasks." };
  turn.shown = [{ kind: "task", id: first.id, title: first.title }];
  return { text: `${taskLine(turn)(first)}.` };
}

async function foremostEmail(turn: Turn, most: string): Promise<Reply | null> {
  const isOldest = /oldest|earliest|first/i.test(most);
  const found = await findEmails(turn, { limit: isOldest ? 20 : 1 });
  if ("text" in found) return found;
  const email = found.mails.at(isOldest ? -1 : 0);
  if (!email) return { text: "There are no emails in your inbox." };
  turn.shown = [{ kind: "email", id: email.id, title: email.subject }];
  const which = isOldest && found.more ? "The oldest of the latest 20: " : "";
  return { text: `${which}${emailLine(turn)(email)}` };
}
