import { useGet } from "../../client/queries.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Event } from "./event.ts";
import { type Scope, seriesShift } from "./event-changes.ts";
import type { NewTimes } from "./moves.ts";

interface SeriesDialogProps {
  event: Event;
  /** The new times; null for a deletion, undefined for other changes. */
  times?: NewTimes | null;
  onChoose(scope: Scope): void;
  onClose(): void;
}

/** This event, or all events of its series. */
export function SeriesDialog({ event, times, onChoose, onClose }: SeriesDialogProps) {
  const id = event.recurringEventId ?? event.id;
  const { data: series } = useGet(["event", id], "/api/calendar/events/{id}", { params: { id } });
  const canAll = !times || !series?.rrule || seriesShift(event, times, series.rrule) !== null;
  const isDeletion = times === null;
  return (
    <Dialog
      title={isDeletion ? m.series.deleteTitle : m.series.title}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button autofocus onClick={() => onChoose("one")}>
            {m.series.one}
          </Button>
          {canAll && (
            <Button tone={isDeletion ? "danger" : "plain"} onClick={() => onChoose("all")}>
              {m.series.all}
            </Button>
          )}
        </>
      }
    >
      <p>{isDeletion ? m.series.deleteQuestion(event.title) : m.series.question(event.title)}</p>
      {!canAll && <p class="hint">{m.series.onlyOne}</p>}
    </Dialog>
  );
}
