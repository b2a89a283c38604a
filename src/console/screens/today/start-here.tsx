import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { openOverlay } from "../../lib/overlays.ts";
import { store, stored } from "../../lib/storage.ts";
import { tasks } from "../../messages/tasks.ts";
import { today as m } from "../../messages/today.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ImportButton } from "../../ui/import-button.tsx";
import type { Stats } from "./data.ts";

/** For the first days: what to do so that this page has something to show. Goes away when all of it is done. */
export function StartHere({ stats }: { stats: Stats }) {
  const [isHidden, setIsHidden] = useState(stored("start-hidden") === "yes");
  const hasTask = Object.values(stats.tasksByStatus).some((count) => count > 0);
  const hasEmail = stats.totalEmails > 0;
  const hasEvent = stats.eventsNext7Days > 0 || stats.series.some(({ events }) => events > 0);
  if (isHidden || (hasTask && hasEmail && hasEvent)) return null;
  return (
    <Card
      heading={m.start.heading}
      class="start"
      actions={
        <IconButton
          icon="close"
          label={m.start.hide}
          onClick={() => {
            store("start-hidden", "yes");
            setIsHidden(true);
          }}
        />
      }
    >
      <p class="muted">{m.start.text}</p>
      <ol>
        <Step isDone={hasTask} title={m.start.task} text={m.start.taskText}>
          <Button onClick={() => openOverlay("quick-add")}>{tasks.add}</Button>
        </Step>
        <Step isDone={hasEmail} title={m.start.email} text={m.start.emailText}>
          <a class="button" href="/app/settings/data">
            {m.start.chooseEmail}
          </a>
        </Step>
        <Step isDone={hasEvent} title={m.start.calendar} text={m.start.calendarText}>
          <ImportButton
            label={m.start.chooseCalendar}
            accept=".ics,text/calendar"
            pathOf={() => "/api/calendar/import"}
            type="text/calendar"
            done={m.start.calendarTaken}
            failed={m.start.calendarFailed}
          />
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  isDone: boolean;
  title: string;
  text: string;
  children: ComponentChildren;
}

function Step({ isDone, title, text, children }: StepProps) {
  return (
    <li class="step line gap-12" data-done={isDone}>
      <span class="step-mark center">{isDone && <Icon name="check" size={14} />}</span>
      <span class="stack gap-0 grow">
        <strong>
          {title}
          {isDone && <span class="visually-hidden"> {m.start.done}</span>}
        </strong>
        <small>{text}</small>
      </span>
      {!isDone && children}
    </li>
  );
}
