import { useRef } from "preact/hooks";
import type { Row } from "./boxes.ts";

interface Swipe {
  row(id: string | undefined): Row | undefined;
  right(row: Row): void;
  left(row: Row): void;
}

/** From here on it is meant; before, the row goes back. */
const MEANT_PX = 96;
/** Before, it may be a tap or the start of scrolling. */
const START_PX = 12;

interface Drag {
  item: HTMLElement;
  x: number;
  y: number;
  isSideways: boolean;
}

/**
 * Swiping a row with a finger, for its list. Buttons and keys do the same. Where less motion is wanted the row stays, and
 * only what is behind it shows what a release would do.
 */
export function useSwipe({ row, right, left }: Swipe) {
  const drag = useRef<Drag | null>(null);
  const distance = ({ x }: Drag, event: PointerEvent) => event.clientX - x;

  function end(): void {
    const { item } = drag.current ?? {};
    drag.current = null;
    if (!item) return;
    item.style.transform = "";
    delete item.dataset.swipe;
  }

  return {
    onPointerDown(event: PointerEvent) {
      const item = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
      end();
      if (event.pointerType !== "touch" || !event.isPrimary || !item) return;
      drag.current = { item, x: event.clientX, y: event.clientY, isSideways: false };
    },
    onPointerMove(event: PointerEvent) {
      const { current } = drag;
      if (!current) return;
      const dx = distance(current, event);
      if (!current.isSideways) {
        if (Math.abs(event.clientY - current.y) > START_PX) return end();
        if (Math.abs(dx) < START_PX) return;
        current.isSideways = true;
        current.item.setPointerCapture(event.pointerId);
      }
      const isMeant = Math.abs(dx) >= MEANT_PX;
      current.item.dataset.swipe = `${dx > 0 ? "right" : "left"}${isMeant ? " meant" : ""}`;
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) current.item.style.transform = `translateX(${dx}px)`;
    },
    onPointerUp(event: PointerEvent) {
      const { current } = drag;
      if (!current) return;
      const dx = distance(current, event);
      const meant = current.isSideways && Math.abs(dx) >= MEANT_PX ? row(current.item.dataset.id) : undefined;
      if (current.isSideways) dropClick();
      end();
      if (meant) (dx > 0 ? right : left)(meant);
    },
    onPointerCancel: end,
  };
}

/** What a finger lets go of is not clicked. */
function dropClick(): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
}
