import type { TimeHabits } from "../../lib/time.ts";
import type { DragControl } from "./drag.ts";
import type { Event, PlacedEvent } from "./event.ts";
import type { DayTask } from "./use-events.ts";

/** What every view gets. */
export interface ViewProps {
  habits: TimeHabits;
  now: Date;
  today: string;
  /** The days that are shown, in order. */
  days: readonly string[];
  /** The day that the keys act on. */
  focusDay: string;
  setFocusDay(day: string): void;
  placed: readonly PlacedEvent[];
  events: readonly Event[];
  tasks: readonly DayTask[];
  control: DragControl;
}

export function isOver(now: Date, { event }: PlacedEvent): boolean {
  return new Date(event.end) <= now;
}
