import { useCommands } from "../../lib/commands.ts";
import { navigate, withQuery } from "../../lib/router.ts";
import { moveRow } from "../../lib/rows.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { addDays, type TimeHabits } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { addMonths, daysOf, stepFrom, VIEWS, type View } from "./days.ts";
import type { Event } from "./event.ts";
import { showsCancelled, showsTasks, toggleCancelled, toggleTasks } from "./options.ts";
import { pathOf } from "./toolbar.tsx";

interface Keys {
  view: View;
  day: string;
  focusDay: string;
  today: string;
  /** What `onDelete` finds its event in. */
  events: readonly Event[];
  onNew(): void;
  onDelete(): void;
}

const nothing = () => {};

/** The keys and commands of the screen. Both tables are drawn from the same rows. */
export function useCalendarKeys({ view, day, focusDay, today, events, onNew, onDelete }: Keys): void {
  const { group, ...labels } = m.shortcuts;
  const go = (to: View, where: string) => navigate(pathOf(to, where));
  const open = (name: string) => () => navigate(withQuery({ [name]: "1" }));
  const inputs = [view, day, focusDay, today, events, showsTasks.value, showsCancelled.value];
  useShortcuts(
    () => [
      { keys: "n", label: labels.new, group, run: onNew },
      { keys: "t", label: labels.today, group, run: () => go(view, today) },
      ...VIEWS.map((each) => ({
        keys: each.charAt(0),
        label: m.views[each],
        group,
        run: () => go(each, focusDay),
      })),
      { keys: ",", label: labels.previous, group, run: () => go(view, stepFrom(view, day, -1)) },
      { keys: ".", label: labels.next, group, run: () => go(view, stepFrom(view, day, 1)) },
      { keys: "j", label: labels.nextEvent, group, run: () => moveRow(1) },
      { keys: "k", label: labels.previousEvent, group, run: () => moveRow(-1) },
      { keys: "#", label: labels.delete, group, run: onDelete },
      // The grid itself handles these: arrows scroll everywhere else.
      { keys: "← → ↑ ↓", label: labels.arrows, group, run: nothing, isNative: true },
      { keys: "↵", label: labels.open, group, run: nothing, isNative: true },
      { keys: "Alt ← → ↑ ↓", label: labels.move, group, run: nothing, isNative: true },
      { keys: "Alt Shift ↑ ↓", label: labels.resize, group, run: nothing, isNative: true },
    ],
    inputs,
  );
  useCommands(
    () => [
      { id: "cal-today", label: labels.today, icon: "today", keys: "t", run: () => go(view, today) },
      ...VIEWS.map((each) => ({
        id: `cal-${each}`,
        label: `${m.viewGroup}: ${m.views[each]}`,
        icon: "calendar",
        keys: each.charAt(0),
        run: () => go(each, focusDay),
      })),
      {
        id: "cal-previous",
        label: m.previous[view],
        icon: "left",
        keys: ",",
        run: () => go(view, stepFrom(view, day, -1)),
      },
      { id: "cal-next", label: m.next[view], icon: "right", keys: ".", run: () => go(view, stepFrom(view, day, 1)) },
      { id: "cal-zone", label: m.secondZone, icon: "clock", run: open("zone") },
      { id: "cal-tasks", label: showsTasks.value ? m.hideTasks : m.showTasks, icon: "tasks", run: toggleTasks },
      {
        id: "cal-cancelled",
        label: showsCancelled.value ? m.hideCancelled : m.showCancelled,
        icon: "close",
        run: toggleCancelled,
      },
    ],
    inputs,
  );
}

interface GridKeys {
  habits: TimeHabits;
  view: View;
  focusDay: string;
  find(key: string): Event | null;
  onMove(event: Event, key: string, isResize: boolean, isMonth: boolean): void;
  onDay(day: string): void;
  onNew(): void;
}

/** The keys of the grid: arrows among days and events, Alt with arrows for the event itself. */
export function gridKeyDown(
  event: KeyboardEvent,
  { habits, view, focusDay, find, onMove, onDay, onNew }: GridKeys,
): void {
  if (event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
  const { key, target } = { key: event.key, target: event.target };
  const held = target.closest<HTMLElement>("[data-event]")?.dataset.event;
  const isArrow = key.startsWith("Arrow");
  if (event.altKey) {
    const found = held !== undefined && isArrow ? find(held) : null;
    if (!found || found.status === "cancelled") return;
    event.preventDefault();
    onMove(found, key, event.shiftKey, view === "month");
    return;
  }
  const cell = target.closest<HTMLElement>("[role=gridcell]");
  if (!cell || event.shiftKey) return;
  const to = dayTo(habits, view, focusDay, key);
  if ((key === "ArrowDown" || key === "ArrowUp") && (view !== "month" || held !== undefined)) {
    event.preventDefault();
    moveInCell(cell, key === "ArrowDown" ? 1 : -1);
  } else if (to) {
    event.preventDefault();
    onDay(to);
  } else if ((key === "Enter" || key === " ") && target === cell) {
    event.preventDefault();
    if (view === "day") onNew();
    else navigate(pathOf("day", focusDay));
  } else if (key === "Escape" && target !== cell) cell.focus();
}

function dayTo(habits: TimeHabits, view: View, day: string, key: string): string | null {
  const week = daysOf(habits, "week", day);
  const steps: Record<string, () => string | undefined> = {
    ArrowLeft: () => addDays(day, -1),
    ArrowRight: () => addDays(day, 1),
    ArrowUp: () => addDays(day, -7),
    ArrowDown: () => addDays(day, 7),
    Home: () => week[0],
    End: () => week.at(-1),
    PageUp: () => (view === "month" ? addMonths(day, -1) : stepFrom(view, day, -1)),
    PageDown: () => (view === "month" ? addMonths(day, 1) : stepFrom(view, day, 1)),
  };
  return steps[key]?.() ?? null;
}

/** The cell itself, then its events from the first to the last. */
function moveInCell(cell: HTMLElement, step: 1 | -1): void {
  const stops = [cell, ...cell.querySelectorAll<HTMLElement>("[data-event], .cal-crowd, .cal-more")];
  const at = stops.findIndex((stop) => stop.matches(":focus"));
  const next = stops[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
