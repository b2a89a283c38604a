import type { ComponentChildren } from "preact";
import { withQuery } from "../../lib/router.ts";
import { type TimeHabits, timeText } from "../../lib/time.ts";
import { Icon } from "../../ui/icon.tsx";
import { eventQuery, factsOf, hueOf, isOfSeries, keyOf, type PlacedEvent } from "./event.ts";

interface EventLinkProps {
  placed: PlacedEvent;
  habits: TimeHabits;
  form: "block" | "bar" | "line";
  isOver: boolean;
  tabIndex: number;
  style?: Record<string, string | number>;
  children?: ComponentChildren;
  /** The part of a longer event that comes before or goes on after what is shown. */
  continues?: { before: boolean; after: boolean };
}

/** An event in any of the views: opens its dialog, and can be dragged where the view lets it. */
export function EventLink({ placed, habits, form, isOver, tabIndex, style = {}, children, continues }: EventLinkProps) {
  const { event } = placed;
  const time = timeText(habits, new Date(event.start));
  return (
    <a
      class={`cal-event ${form}`}
      href={withQuery(eventQuery(event))}
      draggable={false}
      data-row
      data-row-focus
      data-event={keyOf(event)}
      data-colour
      data-status={event.awaitsAnswer ? "awaits" : event.status}
      data-free={!event.busy}
      data-over={isOver}
      data-before={continues?.before}
      data-after={continues?.after}
      tabIndex={tabIndex}
      style={{ ...hueOf(event), ...style }}
    >
      {form === "line" && !placed.isBar && <span class="cal-dot" />}
      {form === "line" && !placed.isBar && (
        <span class="cal-time" aria-hidden="true">
          {time}
        </span>
      )}
      <span class="cal-title">{event.title}</span>
      <span class="visually-hidden">{factsOf(habits, event)}</span>
      {form === "block" && (
        <span class="cal-detail clip" aria-hidden="true">
          {time}
          {event.location && ` · ${event.location}`}
        </span>
      )}
      {form !== "line" && isOfSeries(event) && <Icon name="repeat" size={11} />}
      {form === "bar" && !continues?.before && <span class="cal-edge first" data-edge="start" />}
      {form === "bar" && !continues?.after && <span class="cal-edge last" data-edge="end" />}
      {children}
    </a>
  );
}
