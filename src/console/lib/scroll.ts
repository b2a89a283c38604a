/*
 * Going back leads to the same place of a list: where the page and its panes were scrolled to is kept for each entry of
 * the history, as long as the page is open.
 */

interface Position {
  /** The classes of a pane, or null for the page. */
  pane: string | null;
  top: number;
}

const kept = new Map<string, readonly Position[]>();
const scrolled = new Set<Element>();
/** What a list needs until its rows are drawn. Longer, and it would surprise. */
const PATIENCE_MS = 2000;

document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target instanceof Element) scrolled.add(target);
  },
  { capture: true, passive: true },
);

/** Notes where everything is scrolled to, just before the place is left. */
export function keepScroll(key: string): void {
  const positions: Position[] = [{ pane: null, top: scrollY }];
  for (const element of scrolled) {
    if (!element.isConnected) scrolled.delete(element);
    else if (element.scrollTop > 0) positions.push({ pane: element.className, top: element.scrollTop });
  }
  kept.set(key, positions);
}

let stop = () => {};

/** Scrolls back as soon as there is enough to scroll, unless the person does something first. */
export function restoreScroll(key: string | undefined): void {
  stop();
  const wanted = [...(kept.get(key ?? "") ?? [])];
  if (wanted.length === 0) return;
  const last = performance.now() + PATIENCE_MS;
  const watched = ["wheel", "touchstart", "keydown", "pointerdown"];
  let frame = 0;
  stop = () => {
    cancelAnimationFrame(frame);
    for (const name of watched) removeEventListener(name, stop, { capture: true });
  };
  for (const name of watched) addEventListener(name, stop, { capture: true, passive: true });
  const look = () => {
    // By turns: a pane may come later than the page around it.
    for (const position of wanted.splice(0)) if (!reaches(position)) wanted.push(position);
    if (wanted.length === 0 || performance.now() > last) return stop();
    frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
}

function reaches({ pane, top }: Position): boolean {
  const element = pane === null ? document.documentElement : document.getElementsByClassName(pane)[0];
  if (!element || element.scrollHeight - element.clientHeight < top - 1) return false;
  element.scrollTop = top;
  return true;
}
