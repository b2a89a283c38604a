import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { addDays, daysBetween } from "../../lib/time.ts";
import { DAY_MINUTES } from "../../lib/zone.ts";
import type { PlacedEvent } from "./event.ts";
import { SNAP, snap } from "./layout.ts";

/*
 * Dragging by mouse, pen and touch. What is dragged over is found by its attributes: `data-day` on cells, and
 * `data-hours` on those whose height is the 24 hours. Nothing is drawn here: the ghost follows the signal.
 */

/** Where something is held, and how far it has come. */
export type Drag =
  | { kind: "move" | "start" | "end"; placed: PlacedEvent; days: number; minutes: number; isByDays: boolean }
  | { kind: "create"; from: Point; to: Point };

interface Point {
  day: string;
  /** Null over a cell without hours. */
  minutes: number | null;
}

const THRESHOLD = 5;
/** How long an event is that was made without dragging. */
const USUAL = 60;
/** As long as a touch has to rest before it drags instead of scrolling. */
const HOLD_MS = 380;
const EDGE = 40;

interface Held {
  pointer: number;
  x: number;
  y: number;
  start: Point;
  target: { kind: "move" | "start" | "end"; placed: PlacedEvent } | { kind: "create" };
  isActive: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export interface DragControl {
  drag: Signal<Drag | null>;
  onPointerDown(event: PointerEvent): void;
  onDblClick(event: MouseEvent): void;
}

interface Options {
  /** The event with this key, if it may be moved. */
  find(key: string): PlacedEvent | null;
  onDrop(drag: Drag): void;
}

function pointAt(x: number, y: number): Point | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const cell = element.closest<HTMLElement>("[data-day]");
    if (!cell?.dataset.day) continue;
    if (cell.dataset.hours === undefined) return { day: cell.dataset.day, minutes: null };
    const { top, height } = cell.getBoundingClientRect();
    const minutes = ((y - top) / height) * DAY_MINUTES;
    return { day: cell.dataset.day, minutes: Math.min(DAY_MINUTES, Math.max(0, minutes)) };
  }
  return null;
}

export function useDrag({ find, onDrop }: Options): DragControl {
  const drag = useSignal<Drag | null>(null);
  const held = useRef<Held | null>(null);
  const latest = useRef({ find, onDrop });
  latest.current = { find, onDrop };

  useEffect(() => {
    const end = () => {
      clearTimeout(held.current?.timer);
      held.current = null;
      drag.value = null;
      document.documentElement.classList.remove("is-dragging");
    };
    const activate = () => {
      if (!held.current) return;
      held.current.isActive = true;
      document.documentElement.classList.add("is-dragging");
      getSelection()?.removeAllRanges();
    };
    const move = (event: PointerEvent) => {
      const now = held.current;
      if (!now || event.pointerId !== now.pointer) return;
      if (!now.isActive) {
        if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < THRESHOLD) return;
        // A touch that moves before it has rested scrolls.
        if (event.pointerType === "touch") return end();
        activate();
      }
      scrollNear(event.clientY);
      const point = pointAt(event.clientX, event.clientY);
      if (!point) return;
      const next = dragOf(now, point);
      if (JSON.stringify(shape(next)) !== JSON.stringify(shape(drag.value))) drag.value = next;
    };
    const up = (event: PointerEvent) => {
      const now = held.current;
      if (!now || event.pointerId !== now.pointer) return;
      const dropped = now.isActive ? drag.value : null;
      end();
      if (!now.isActive) return;
      // The click that follows would open what was dragged.
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
      if (dropped) latest.current.onDrop(dropped);
    };
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !held.current) return;
      event.preventDefault();
      end();
    };
    const stay = (event: TouchEvent) => {
      if (held.current?.isActive && event.cancelable) event.preventDefault();
    };
    // A finger that rests on a link would get the menu of the browser, which ends the drag.
    const noMenu = (event: Event) => {
      if (held.current?.timer !== undefined) event.preventDefault();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
    addEventListener("keydown", cancel, true);
    addEventListener("touchmove", stay, { passive: false });
    addEventListener("contextmenu", noMenu);
    activateHeld.current = activate;
    return () => {
      end();
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
      removeEventListener("keydown", cancel, true);
      removeEventListener("touchmove", stay);
      removeEventListener("contextmenu", noMenu);
    };
  }, []);
  const activateHeld = useRef(() => {});

  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
    const start = pointAt(event.clientX, event.clientY);
    if (!start) return;
    const item = event.target.closest<HTMLElement>("[data-event]");
    const edge = event.target.closest<HTMLElement>("[data-edge]")?.dataset.edge;
    const placed = item?.dataset.event === undefined ? null : latest.current.find(item.dataset.event);
    if (item ? !placed : event.target.closest("a, button, input")) return;
    const kind = edge === "start" || edge === "end" ? edge : ("move" as const);
    held.current = {
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      start,
      target: placed ? { kind, placed } : { kind: "create" },
      isActive: false,
      timer: undefined,
    };
    if (event.pointerType !== "touch") return;
    held.current.timer = setTimeout(() => {
      activateHeld.current();
      navigator.vibrate?.(10);
      if (held.current) drag.value = held.current.target.kind === "create" ? usual(start) : dragOf(held.current, start);
    }, HOLD_MS);
  }
  function onDblClick({ target, clientX, clientY }: MouseEvent) {
    const isEmpty = target instanceof Element && !target.closest("[data-event], a, button, input");
    const point = isEmpty ? pointAt(clientX, clientY) : null;
    if (point) latest.current.onDrop(usual(point));
  }
  return { drag, onPointerDown, onDblClick };
}

function swallow(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

function dragOf({ start, target }: Held, point: Point): Drag {
  if (target.kind === "create") return { kind: "create", from: start, to: point };
  const isByDays = start.minutes === null || point.minutes === null;
  const minutes = isByDays ? 0 : snap((point.minutes ?? 0) - (start.minutes ?? 0));
  return { ...target, days: daysBetween(start.day, point.day), minutes, isByDays };
}

/** An event of the usual length, from the half hour that was pointed at. */
function usual({ day, minutes }: Point): Drag {
  if (minutes === null) return { kind: "create", from: { day, minutes }, to: { day, minutes } };
  const from = Math.min(Math.floor(minutes / 30) * 30, DAY_MINUTES - USUAL);
  return { kind: "create", from: { day, minutes: from }, to: { day, minutes: from + USUAL } };
}

/** Whether what is dragged would be on this day, where days are all that counts. */
export function isTarget(drag: Drag | null, day: string): boolean {
  if (!drag) return false;
  if (drag.kind === "create") {
    const { start, end } = createdRange(drag);
    return start.minutes === null && start.day <= day && end.day >= day;
  }
  const { first, last } = drag.placed;
  const from = drag.kind === "end" ? first : addDays(first, drag.days);
  const to = drag.kind === "start" ? last : addDays(last, drag.days);
  return from <= day && to >= day;
}

/** What the ghost depends on. */
function shape(drag: Drag | null): unknown {
  if (!drag) return null;
  if (drag.kind !== "create") return [drag.kind, drag.days, drag.minutes];
  const minutes = ({ minutes }: Point) => minutes && snap(minutes);
  return [drag.from.day, drag.to.day, minutes(drag.from), minutes(drag.to)];
}

function scrollNear(y: number): void {
  const scroller = document.querySelector(".cal-scroll");
  if (!scroller) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  if (y > bottom - EDGE) scroller.scrollBy(0, 12);
  else if (y < top + EDGE + 60 && y > top) scroller.scrollBy(0, -12);
}

/** The time that was dragged over, on the hours of one day, or whole days across several. */
export function createdRange({ from, to }: { from: Point; to: Point }): { start: Point; end: Point } {
  const [first, second] =
    from.day < to.day || (from.day === to.day && (from.minutes ?? 0) <= (to.minutes ?? 0)) ? [from, to] : [to, from];
  if (first.minutes === null || second.minutes === null || first.day !== second.day) {
    return { start: { day: first.day, minutes: null }, end: { day: second.day, minutes: null } };
  }
  const start = Math.min(Math.floor(first.minutes / SNAP) * SNAP, DAY_MINUTES - SNAP);
  const end = Math.max(start + SNAP, Math.min(DAY_MINUTES, Math.ceil(second.minutes / SNAP) * SNAP));
  return { start: { day: first.day, minutes: start }, end: { day: first.day, minutes: end } };
}
