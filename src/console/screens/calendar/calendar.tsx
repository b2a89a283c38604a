import "../../base.ts";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useHabits, useNow } from "../../client/profile.ts";
import { navigate, withQuery } from "../../lib/router.ts";
import { currentRow } from "../../lib/rows.ts";
import { dayOf } from "../../lib/time.ts";
import { localText } from "../../lib/zone.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Page } from "../../ui/page.tsx";
import { LoadFailure, Skeleton } from "../../ui/states.tsx";
import { Agenda } from "./agenda.tsx";
import { gridKeyDown, useCalendarKeys } from "./calendar-keys.ts";
import { headingOf } from "./day-text.ts";
import { daysOf, isDay, isView, stepFrom, type View } from "./days.ts";
import { createdRange, type Drag, useDrag } from "./drag.ts";
import { type Event, isOfSeries, keyOf } from "./event.ts";
import { deleteEvent } from "./event-changes.ts";
import { LazyOverlays } from "./lazy-overlays.tsx";
import { Month } from "./month.tsx";
import { hiddenTags, rememberView, secondZone, showsCancelled, showsTasks, usualView } from "./options.ts";
import { SeriesDialog } from "./series-dialog.tsx";
import { Legend, pathOf, Toolbar } from "./toolbar.tsx";
import { useDayTasks, useEvents, useNeighbours, usePlaced } from "./use-events.ts";
import { useMoves } from "./use-moves.ts";
import type { ViewProps } from "./view-props.ts";
import { Week } from "./week.tsx";

export default function Calendar({ params, query }: ScreenProps) {
  const habits = useHabits();
  const now = useNow();
  const today = dayOf(habits, now);
  const view = isView(params.view) ? params.view : usualView();
  const asked = params.day ?? query.get("day") ?? "";
  const day = isDay(asked) ? asked : today;
  const isComplete = params.view === view && params.day === day;
  useEffect(() => {
    if (!isComplete) navigate(withQuery({ day: null }, pathOf(view, day)), { replace: true });
    else rememberView(view);
  }, [isComplete, view, day]);

  const days = useMemo(() => daysOf(habits, view, day), [habits, view, day]);
  const [first = day, last = day] = [days[0], days.at(-1)];
  const { events: read, error, retry } = useEvents(habits, first, last);
  useNeighbours(
    habits,
    ([-1, 1] as const).map((step) => {
      const near = daysOf(habits, view, stepFrom(view, day, step));
      return [near[0] ?? day, near.at(-1) ?? day] as const;
    }),
    read !== undefined && view !== "agenda",
  );
  const kept = useMemo(
    () => (read ?? []).filter(({ status }) => showsCancelled.value || status !== "cancelled"),
    [read, showsCancelled.value],
  );
  const moves = useMoves(habits, kept);
  const placed = usePlaced(habits, moves.shown, hiddenTags.value);
  const tasks = useDayTasks(habits, first, last, showsTasks.value);

  const [focusDay, setFocusDay] = useFocusDay(view, day);
  const [deleting, setDeleting] = useState<Event | null>(null);
  // One that the service does not have yet cannot be changed.
  const find = (key: string) => kept.find((event) => keyOf(event) === key && event.id > 0) ?? null;
  const openNew = (value = "1") =>
    navigate(withQuery({ event: null, at: null, new: value === "1" ? focusDay : value }));
  const control = useDrag({
    find: (key) =>
      placed.find(({ event }) => keyOf(event) === key && event.status !== "cancelled" && event.id > 0) ?? null,
    onDrop: (drag) => (drag.kind === "create" ? openNew(textOf(drag)) : moves.drop(drag)),
  });
  function remove(event: Event | null) {
    if (!event) return;
    if (event.recurringEventId !== null) setDeleting(event);
    else deleteEvent(event, isOfSeries(event) ? "all" : "one");
  }
  useCalendarKeys({
    view,
    day,
    focusDay,
    today,
    events: kept,
    onNew: () => openNew(),
    onDelete: () => remove(find(currentRow()?.dataset.event ?? "")),
  });
  useKeptFocus(moves.movingKey);

  const heading = headingOf(habits, view, day);
  const props: ViewProps = { habits, now, today, days, focusDay, setFocusDay, placed, events: kept, tasks, control };
  return (
    <Page
      heading={heading}
      class={`calendar-page column ${view}`}
      actions={<Toolbar view={view} day={day} focusDay={focusDay} today={today} onNew={() => openNew()} />}
    >
      {error && <LoadFailure error={error} retry={retry} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the grid inside. */}
      <div
        class="cal-view column"
        onKeyDown={(event) =>
          gridKeyDown(event, {
            habits,
            view,
            focusDay,
            find,
            onMove: moves.pressed,
            onDay: (to) => goToDay(to, view, days, setFocusDay),
            onNew: () => openNew(),
          })
        }
      >
        {view === "month" && <Month {...props} month={day.slice(0, 7)} heading={heading} />}
        {(view === "week" || view === "day") && <Week {...props} secondZone={secondZone.value} heading={heading} />}
        {view === "agenda" && (read ? <Agenda {...props} /> : !error && <Skeleton rows={8} />)}
      </div>
      <Legend events={kept} />
      {moves.asked && (
        <SeriesDialog
          event={moves.asked.event}
          times={moves.asked.times}
          onChoose={moves.settle}
          onClose={moves.cancel}
        />
      )}
      {deleting && (
        <SeriesDialog
          event={deleting}
          times={null}
          onChoose={(scope) => {
            deleteEvent(deleting, scope);
            setDeleting(null);
          }}
          onClose={() => setDeleting(null)}
        />
      )}
      <LazyOverlays query={query} habits={habits} events={kept} onDelete={remove} />
    </Page>
  );
}

/** The day that the keys act on: that of the address until the person moves. */
function useFocusDay(view: View, day: string): [string, (day: string) => void] {
  const [focusDay, setFocusDay] = useState(day);
  const address = `${view} ${day}`;
  const [before, setBefore] = useState(address);
  if (before !== address) {
    setBefore(address);
    setFocusDay(day);
  }
  useEffect(() => {
    if (wanted.day !== day) return;
    wanted.day = null;
    focusCell(day);
  }, [view, day]);
  return [before === address ? focusDay : day, setFocusDay];
}

/** A day that keys have gone to, beyond those that were shown. It gets the focus when it is there. */
const wanted: { day: string | null } = { day: null };

function focusCell(day: string): void {
  const cell = document.querySelector<HTMLElement>(`[role=gridcell][data-day="${day}"]`);
  cell?.focus({ preventScroll: cell.dataset.hours !== undefined });
}

function goToDay(to: string, view: View, days: readonly string[], setFocusDay: (day: string) => void): void {
  setFocusDay(to);
  if (days.includes(to)) {
    focusCell(to);
    return;
  }
  wanted.day = to;
  navigate(pathOf(view, to), { replace: true, keepsFocus: true });
}

/** An event that moves to another day is drawn anew there, and keeps the focus. */
function useKeptFocus(key: string | null): void {
  const moving = useRef<string | null>(null);
  if (key !== null) moving.current = key;
  useEffect(() => {
    const held = moving.current;
    if (held === null) return;
    const element = document.querySelector<HTMLElement>(`[data-event="${held}"]`);
    if (element && document.activeElement !== element && document.activeElement === document.body) element.focus();
    if (key === null && document.activeElement !== document.body) moving.current = null;
  });
}

/** What was dragged over, for the address: a time of a day, or days. */
function textOf(drag: Extract<Drag, { kind: "create" }>): string {
  const { start, end } = createdRange(drag);
  if (start.minutes === null || end.minutes === null) return `${start.day}/${end.day}`;
  return `${localText({ day: start.day, minutes: start.minutes })}/${localText({ day: end.day, minutes: end.minutes })}`;
}
