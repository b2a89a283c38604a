import type { ChatRecord } from "../../../db/schema/chat.ts";
import { listNameIn } from "../../../engine/notes/list-name.ts";
import { bestMatches } from "../../tools/language/name-match.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { listMeant } from "./list-questions.ts";
import { type Reply, toolResult } from "./reply-text.ts";
import { runTaskTool } from "./tasks.ts";

const DONE =
  "(?:bought|got|done|did|packed|picked up|finished|completed|sorted|ticked off|paid|ordered|sent|posted|cleaned|washed)";
const ALL =
  "(?:everything|all(?: of (?:it|them|that))?|it all|them all|the lot|the rest)(?: (?:on|from|off|in) (?:(?:the|my|our) [\\p{L}\\d &-]{2,30} list|the list|it|there))?";
/** "everything on the shopping list is bought except the wine", "got it all apart from the milk" */
const ALL_BUT = new RegExp(
  `^(?:(?:ok|okay|right|so|and|great|yes|please)[\\s,]+)*(?:(?:mark|tick|check|cross)(?: off)? ${ALL}(?: off| as done)?|(?:(?:i|we)(?:'ve| have)? )?(?:just |now |already )*${DONE} ${ALL}|${ALL}(?:'s| is| are| has been)?(?: all)? ${DONE})(?: now| already)*,? (?:except|bar|but|apart from|besides|other than|minus)(?: for| not)? (?:the |my |some )?(?<except>[\\p{L}\\d' -]{2,60}?)[\\s.!]*$`,
  "iu",
);

/** Marks all tasks of a list as done but one. Null: another request. */
export async function completeAllBut(turn: Turn, message: string): Promise<Reply | null> {
  const text = message.replaceAll("’", "'").trim();
  const except = ALL_BUT.exec(text)?.groups?.except;
  if (!except) return null;
  const tasks = await tasksMeant(turn, text);
  if (tasks === null || "text" in tasks) return tasks;
  const left = bestMatches(except, tasks, ({ title }) => [title]);
  if (left.length === 0) return { text: `I found no “${except}” among these. I have not changed anything.` };
  const done = tasks.filter((task) => !left.includes(task));
  const replies: Reply[] = [];
  for (const { id } of done) replies.push(await runTaskTool(turn, "complete_task", { id }));
  const still = `Still open: ${left.map(({ title }) => title).join(", ")}.`;
  return { text: [...replies.map((reply) => reply.text), still].join("\n") };
}

type Named = Pick<ChatRecord, "id" | "title">;
const MOST = 10;

/** The tasks of the list that is named or was talked about, or those that were just shown. */
async function tasksMeant(turn: Turn, text: string): Promise<Named[] | Reply | null> {
  const list = listNameIn(text) ?? (await listMeant(turn));
  if (list === null) {
    const shown = turn.state.groups.find((group) => group.length > 1 && group.every(({ kind }) => kind === "task"));
    return shown ?? null;
  }
  const found = await toolResult<{ tasks: TaskView[]; more: boolean }>(turn, "list_tasks", { list, limit: MOST });
  if ("text" in found) return found;
  return found.more
    ? { text: `There are more than ${MOST} things on the list ${list}. Name those that are done.` }
    : found.tasks;
}
