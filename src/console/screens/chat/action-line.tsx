import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { failureToast, toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { chat as m } from "../../messages/chat.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Action } from "./conversation.ts";

/** What was done, with a way to it and a way back. What only reads needs no line. */
export function ActionLine({ action }: { action: Action }) {
  const label = m.actions[action.tool];
  if (!label) return null;
  const { id, title } = action.result;
  const isTask = action.tool.endsWith("_task");
  const name = typeof title === "string" ? title : "";
  return (
    <li class="chat-action">
      <Icon name={isTask ? "tasks" : /mail|draft|unsubscribe/.test(action.tool) ? "mail" : "calendar"} size={16} />
      <span>{label}</span>
      {isTask && typeof id === "number" ? <a href={`/app/tasks/${id}`}>{name}</a> : <strong>{name}</strong>}
      {action.canUndo && action.id && <UndoButton id={action.id} what={`${label} ${name}`.trim()} />}
    </li>
  );
}

function UndoButton({ id, what }: { id: string; what: string }) {
  const [isBusy, setIsBusy] = useState(false);
  async function undo() {
    setIsBusy(true);
    try {
      await api.post("/api/ai/chat/actions/{id}/undo", { params: { id } });
      toast(m.undone);
    } catch (error) {
      failureToast(m.notUndone, error);
    }
    setIsBusy(false);
    void queryClient.invalidateQueries();
  }
  return (
    <Button isBusy={isBusy} onClick={() => void undo()} aria-label={m.undoOf(what)}>
      {m.undo}
    </Button>
  );
}
