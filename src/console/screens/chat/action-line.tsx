import { api } from "../../client/api.ts";
import { useAttempt } from "../../client/attempt.ts";
import { toast } from "../../client/notices.ts";
import { useHabits } from "../../client/profile.ts";
import { queryClient } from "../../client/queries.ts";
import { eventPath } from "../../lib/event-path.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { chat as m } from "../../messages/chat.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Action } from "./conversation.ts";

/** What was done, with a way to it and a way back. What only reads needs no line. */
export function ActionLine({ action }: { action: Action }) {
  const habits = useHabits();
  const label = m.actions[action.tool];
  if (!label) return null;
  const { title, subject } = action.result;
  const name = [title, subject].find((each) => typeof each === "string") ?? "";
  const { icon, href } = recordOf(habits, action);
  const shown = String(name || (href ? m.openIt : ""));
  return (
    <li class="chat-action line inline">
      <Icon name={icon} size={16} />
      <span>{label}</span>
      {href ? <a href={href}>{shown}</a> : shown && <strong>{shown}</strong>}
      {action.canUndo && action.id && <UndoButton id={action.id} what={`${label} ${name}`.trim()} />}
    </li>
  );
}

/** Where the record of an action is, if it still is anywhere. */
function recordOf(habits: TimeHabits, { tool, result }: Action): { icon: string; href?: string } {
  const { id, start, occurrence } = result;
  const hasId = typeof id === "number";
  if (tool.endsWith("_task")) return { icon: "tasks", ...(hasId && { href: `/app/tasks/${id}` }) };
  if (/event|invitation/.test(tool)) {
    const isFound = hasId && typeof start === "string" && !Number.isNaN(Date.parse(start));
    const at = typeof occurrence === "string" ? occurrence : null;
    return { icon: "calendar", ...(isFound && { href: eventPath(habits, { id, start, at }) }) };
  }
  const box = { draft_mail: "drafts", send_mail: "sent", update_mail: "inbox", unsubscribe: "inbox" }[tool];
  return { icon: "mail", ...(hasId && box !== undefined && { href: `/app/mail/${box}/${id}` }) };
}

function UndoButton({ id, what }: { id: string; what: string }) {
  const { isBusy, attempt } = useAttempt();
  async function undo() {
    await attempt(m.notUndone, async () => {
      await api.post("/api/ai/chat/actions/{id}/undo", { params: { id } });
      toast(m.undone);
    });
    void queryClient.invalidateQueries();
  }
  return (
    <Button isBusy={isBusy} onClick={() => void undo()} aria-label={m.undoOf(what)}>
      {m.undo}
    </Button>
  );
}
