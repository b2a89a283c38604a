import type { ChatRecord } from "../../../db/schema/chat.ts";
import { askedTime } from "../../../engine/notes/message-time.ts";
import { counted, endOfDay } from "../../../lib/spoken-time.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { eventsOf, whenWords } from "./events.ts";
import { eventLine, lines, type Reply, taskLine, toolResult } from "./reply-text.ts";

const LEFT =
  /^(?:(?:and|so|ok|okay)[\s,]+)*what(?:'s| is|'ve i got| have i got| do i have| does| is there)?(?: still)? (?:left|remaining|to come|remains|outstanding)(?: (?:for me|to do|on my (?:plate|calendar|list)))*(?: (?:on|for|of|in|this))* ?(?<when>today|tonight|tomorrow|(?:my|the) day|(?:this )?(?:morning|afternoon|evening|week|weekend)|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?: (?:morning|afternoon|evening))?(?: (?:now|then))?[\s?.!]*$/i;

/** "what's left on Saturday?": what is still to come on that day, events and tasks. */
export async function answerWhatIsLeft(turn: Turn, message: string): Promise<Reply | null> {
  const said = LEFT.exec(message.replaceAll("’", "'"))?.groups?.when;
  if (!said) return null;
  const when =
    /day$/i.test(said) && /^(?:my|the) /i.test(said)
      ? "today"
      : said.replace(/^(?=(?:morning|afternoon|evening|week))/i, "this ");
  const asked = askedTime(when, turn.clock);
  if (!asked) return null;
  const now = turn.ctx.now.getTime();
  const start = Math.max(now, asked.start.getTime());
  const end = asked.isPoint ? endOfDay(turn.timeZone, asked.start.getTime()) : asked.end.getTime();
  const range = { start: new Date(start).toISOString(), end: new Date(Math.max(end, start + 60_000)).toISOString() };
  const events = await eventsOf(turn, range);
  if ("text" in events) return events;
  const tasks = await toolResult<{ tasks: TaskView[] }>(turn, "list_tasks", { dueBefore: range.end, limit: 20 });
  if ("text" in tasks) return tasks;
  turn.shown = [
    ...events.events.map(
      ({ id, occurrence, title }): ChatRecord => ({ kind: "event", id, ...(occurrence && { occurrence }), title }),
    ),
    ...tasks.tasks.map(({ id, title }): ChatRecord => ({ kind: "task", id, title })),
  ].slice(0, 20);
  turn.asked = `what is on my calendar ${when}`;
  const words = whenWords(turn, asked);
  if (turn.shown.length === 0) return { text: `Nothing is left ${words}.` };
  const parts = [
    ...(events.events.length > 0
      ? [lines(`${counted(events.events.length, "event")} still to come ${words}:`, events.events, eventLine(turn))]
      : []),
    ...(tasks.tasks.length > 0
      ? [lines(`${counted(tasks.tasks.length, "open task")} due by then:`, tasks.tasks, taskLine(turn))]
      : []),
  ];
  return { text: parts.join("\n") };
}
