import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

type Id = number | string;

interface WindowedProps<T extends { id: Id }> {
  items: readonly T[];
  /** The height of a row that was never drawn. */
  guess: number;
  /** A list item with `data-id` and the key of its id. */
  children(item: T): ComponentChildren;
}

interface View {
  from: number;
  to: number;
  /** The row that has the focus is drawn wherever it is. */
  pinned: Id | null;
}

/** Shorter lists are drawn as a whole. */
const FEW = 60;
/** Beyond both edges of the window, so that nothing is missing while one scrolls or moves by keys. */
const MARGIN_PX = 300;
/** The edges move by so many rows at a time. */
const STEP = 10;

/**
 * The rows of a long list that can be seen, and room for the others: whatever changes the style of the whole page, such as
 * a modal dialog, costs as much as there are elements.
 */
export function Windowed<T extends { id: Id }>({ items, guess, children }: WindowedProps<T>) {
  const isLong = items.length > FEW;
  const [view, setView] = useState<View>(() => ({ from: 0, to: Math.ceil(innerHeight / guess), pinned: null }));
  const start = useRef<HTMLLIElement>(null);
  const heights = useRef(new Map<Id, number>());
  const latest = useRef(items);
  latest.current = items;
  // What is beyond the edges comes after the first frame.
  const margin = useRef(0);

  const heightOf = (id: Id) => heights.current.get(id) ?? guess;

  function look(): void {
    const list = start.current?.parentElement;
    if (!list) return;
    const above = -list.getBoundingClientRect().top;
    const all = latest.current;
    let [at, from] = [0, 0];
    for (; from < all.length; from += 1) {
      const next = at + heightOf(all[from]?.id ?? "");
      if (next > above - margin.current) break;
      at = next;
    }
    let to = from;
    for (; to < all.length && at < above + innerHeight + margin.current; to += 1) at += heightOf(all[to]?.id ?? "");
    const focused = document.activeElement?.closest<HTMLElement>("[data-id]");
    const pinned = focused && list.contains(focused) ? (focused.dataset.id ?? null) : null;
    const next = { from: Math.floor(from / STEP) * STEP, to: Math.ceil(to / STEP) * STEP, pinned };
    setView((known) =>
      known.from === next.from && known.to === next.to && known.pinned === next.pinned ? known : next,
    );
  }

  useLayoutEffect(() => {
    if (!isLong) return;
    for (const row of start.current?.parentElement?.querySelectorAll<HTMLElement>(":scope > [data-id]") ?? []) {
      heights.current.set(Number(row.dataset.id), row.offsetHeight);
    }
    look();
  }, [items, view, isLong]);

  useEffect(() => {
    if (!isLong) return;
    let frame = 0;
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    // Of whatever scrolls: the page, or the pane that the list is in.
    document.addEventListener("scroll", later, { capture: true, passive: true });
    const timer = setTimeout(() => {
      margin.current = MARGIN_PX;
      look();
    }, 50);
    addEventListener("resize", later);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      document.removeEventListener("scroll", later, { capture: true });
      removeEventListener("resize", later);
    };
  }, [isLong]);

  if (!isLong) return <>{items.map(children)}</>;
  const parts: ComponentChildren[] = [];
  let room = 0;
  const leaveRoom = (key: string) => {
    if (room > 0) parts.push(<li key={key} class="room" aria-hidden="true" style={{ height: `${room}px` }} />);
    room = 0;
  };
  for (const [index, item] of items.entries()) {
    const isDrawn = (index >= view.from && index < view.to) || String(item.id) === view.pinned;
    if (isDrawn) {
      leaveRoom(`before ${item.id}`);
      parts.push(children(item));
    } else room += heightOf(item.id);
  }
  leaveRoom("rest");
  return (
    <>
      <li key="start" ref={start} class="room" aria-hidden="true" />
      {parts}
    </>
  );
}
