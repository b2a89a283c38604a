import { useHabits, useNow } from "../../client/profile.ts";
import { repeatText } from "../../lib/repeat.ts";
import { durationText } from "../../lib/time.ts";
import { tasks } from "../../messages/tasks.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Quick } from "./task.ts";
import { dueOf, dueText } from "./task.ts";

/** What the line means, as small labels below it. */
export function Understood({ quick: { understood, note } }: { quick: Quick }) {
  const habits = useHabits();
  const now = useNow();
  const { dueAt, dueDate, rrule, repeatFrom, tags, list, priority, estimateMinutes, reminders } = understood;
  const due = dueOf(habits, { dueAt, dueDate });
  const facts: [icon: string, text: string][] = [];
  if (due) facts.push(["calendar", dueText(habits, now, due)]);
  if (rrule) facts.push(["repeat", repeatText(habits, rrule, repeatFrom)]);
  if (priority) facts.push(["flag", tasks.priorities[priority]]);
  if (list) facts.push(["list", list.id === null ? tasks.newList(list.name) : list.name]);
  for (const tag of tags) facts.push(["tag", tag]);
  if (estimateMinutes) facts.push(["clock", durationText(estimateMinutes)]);
  if (reminders.length > 0) facts.push(["bell", tasks.reminder]);
  return (
    <>
      {facts.map(([icon, text]) => (
        <span key={icon + text} class="fact line inline gap-6">
          <Icon name={icon} size={14} />
          {text}
        </span>
      ))}
      {note && <span class="fact line inline gap-6 doubt">{note}</span>}
    </>
  );
}
