import { useState } from "preact/hooks";
import { dayText } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { type Drag, isTarget } from "./drag.ts";
import { keyOf, type PlacedEvent } from "./event.ts";
import { EventLink } from "./event-link.tsx";
import { fitLanes, inLanes, type Laned } from "./layout.ts";
import { TaskChip } from "./task-chip.tsx";
import type { DayTask } from "./use-events.ts";
import { isOver, type ViewProps } from "./view-props.ts";

export type LaneItem = { first: string; last: string } & (
  | { kind: "event"; placed: PlacedEvent }
  | { kind: "task"; task: DayTask["task"] }
);

export function laneItems(placed: readonly PlacedEvent[], tasks: readonly DayTask[]): LaneItem[] {
  return [
    ...placed.map((each) => ({ kind: "event" as const, placed: each, first: each.first, last: each.last })),
    ...tasks.map(({ task, day }) => ({ kind: "task" as const, task, first: day, last: day })),
  ];
}

const LONG = 99;

/** Long ones first, then whole days, then by time; tasks last. */
export function byRank(a: LaneItem, b: LaneItem): number {
  const length = ({ first, last, kind }: LaneItem) => (first === last ? 0 : LONG) + (kind === "task" ? -1 : 0);
  if (length(a) !== length(b)) return length(b) - length(a);
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  if (a.kind !== "event" || b.kind !== "event") return a.kind === b.kind ? 0 : a.kind === "event" ? -1 : 1;
  if (a.placed.isBar !== b.placed.isBar) return a.placed.isBar ? -1 : 1;
  return a.placed.from - b.placed.from || (a.placed.event.title < b.placed.event.title ? -1 : 1);
}

export function keyOfItem(item: LaneItem): string {
  return item.kind === "event" ? keyOf(item.placed.event) : `task ${item.task.id}`;
}

const ROWS = 3;

/** What has no hours: whole days, longer events and the tasks of each day, above the hours. */
export function Lane({ habits, now, days, focusDay, placed, tasks, control }: ViewProps) {
  const [isOpen, setIsOpen] = useState(false);
  const items = laneItems(
    placed.filter(({ isBar }) => isBar),
    tasks,
  );
  const laned = inLanes(items, days, byRank);
  const { shown, hidden } = fitLanes(laned, days.length, isOpen ? LONG : ROWS);
  const rows = Math.max(0, ...shown.map(({ lane }) => lane + 1));
  const isLonger = hidden.some((count) => count > 0) || (isOpen && rows > ROWS);
  return (
    <ul
      class="cal-lane"
      aria-label={m.allDayEvents}
      onPointerDown={control.onPointerDown}
      onDblClick={control.onDblClick}
    >
      {days.map((day, index) => (
        <li
          key={day}
          class="cal-lane-day"
          data-day={day}
          data-target={isLaneDrag(control.drag.value) && isTarget(control.drag.value, day)}
          style={{ gridColumn: index + 1, gridRow: `1 / ${Math.max(1, rows) + (isLonger ? 2 : 1)}` }}
        >
          {(hidden[index] ?? 0) > 0 && (
            <button type="button" class="cal-more bare" onClick={() => setIsOpen(true)}>
              {m.more(hidden[index] ?? 0)}
              <span class="visually-hidden">{m.moreOn(dayText(habits, day, { isLong: true }))}</span>
            </button>
          )}
        </li>
      ))}
      {shown.map((each) => (
        <li key={keyOfItem(each.item)} class="cal-lane-item" style={placeOf(each)}>
          {each.item.kind === "task" ? (
            <TaskChip task={each.item.task} tabIndex={each.item.first === focusDay ? 0 : -1} />
          ) : (
            <EventLink
              placed={each.item.placed}
              habits={habits}
              form="bar"
              isOver={isOver(now, each.item.placed)}
              tabIndex={each.item.first <= focusDay && each.item.last >= focusDay ? 0 : -1}
              continues={{ before: each.item.first < (days[0] ?? ""), after: each.item.last > (days.at(-1) ?? "") }}
            />
          )}
        </li>
      ))}
      {isOpen && rows > ROWS && (
        <li class="cal-lane-less" style={{ gridRow: rows + 1 }}>
          <button type="button" class="cal-more bare" onClick={() => setIsOpen(false)}>
            {m.less}
          </button>
        </li>
      )}
    </ul>
  );
}

/** What is dragged here has no hours. What has them is drawn among the hours. */
function isLaneDrag(drag: Drag | null): boolean {
  return drag !== null && (drag.kind === "create" ? drag.to.minutes === null : drag.placed.isBar);
}

function placeOf({ first, last, lane }: Laned<unknown>) {
  return { gridColumn: `${first + 1} / ${last + 2}`, gridRow: lane + 1 };
}
