import { getEvent } from "../../calendar/events/service.ts";
import { getTask } from "../../tasks/service.ts";
import type { Turn } from "../../tools/turn.ts";
import { mayRead } from "./scopes.ts";

const REMIND_OF_IT = /^((?:please |and |also )*remind me )(?:about|of) (?:it|that|this)(?= (?!before\b))(.+)$/i;

/** "remind me about it at 8": what it is called. Words by other people do not get into a task of the person. */
export async function withItsName(turn: Turn, message: string): Promise<string> {
  const [, lead, when] = REMIND_OF_IT.exec(message) ?? [];
  const [[record, ...others] = []] = turn.state.groups;
  if (!lead || !record || others.length > 0 || /\bbefore\b/i.test(message)) return message;
  if (record.kind === "task" && mayRead(turn, "tasks:read")) {
    const { title, outside } = await getTask(turn.ctx, record.id);
    return outside ? message : `${lead}of ${title}${when}`;
  }
  if (record.kind === "event" && mayRead(turn, "calendar:read")) {
    const { title, outside } = await getEvent(
      turn.ctx,
      record.id,
      record.occurrence ? new Date(record.occurrence) : undefined,
    );
    return outside ? message : `${lead}of ${title}${when}`;
  }
  return message;
}
