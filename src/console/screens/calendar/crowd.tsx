import type { TimeHabits } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { keyOf, type PlacedEvent, whenText } from "./event.ts";
import { EventLink } from "./event-link.tsx";
import { isOver } from "./view-props.ts";

interface CrowdDialogProps {
  habits: TimeHabits;
  now: Date;
  placed: readonly PlacedEvent[];
  onClose(): void;
}

/** All that takes place at the same time, where the grid has no room for it. */
export function CrowdDialog({ habits, now, placed, onClose }: CrowdDialogProps) {
  const sorted = [...placed].sort((a, b) => (a.event.start < b.event.start ? -1 : 1));
  return (
    <Dialog title={m.crowdTitle(placed.length)} size="small" onClose={onClose}>
      <ul class="cal-list">
        {sorted.map((each) => (
          // A click on the link closes the dialog before its event opens.
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the link is a click.
          <li key={keyOf(each.event)} class="line gap-12" onClick={onClose}>
            <span class="cal-list-time stack gap-0 hint">{whenText(habits, each.event)}</span>
            <EventLink placed={each} habits={habits} form="line" isOver={isOver(now, each)} tabIndex={0} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
