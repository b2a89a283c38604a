import { chat as m } from "../../messages/chat.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Action } from "./conversation.ts";

/** What was done, with a way to it. What only reads needs no line. */
export function ActionLine({ action }: { action: Action }) {
  const label = m.actions[action.tool];
  if (!label) return null;
  const { id, title } = action.result;
  const isTask = action.tool.endsWith("_task");
  const name = typeof title === "string" ? title : "";
  return (
    <li class="chat-action">
      <Icon name={isTask ? "tasks" : "calendar"} size={16} />
      <span>{label}</span>
      {isTask && typeof id === "number" ? <a href={`/app/tasks/${id}`}>{name}</a> : <strong>{name}</strong>}
    </li>
  );
}
