import { signal } from "@preact/signals";
import { whenSignedOut } from "../../../client/session.ts";
import { isComposing } from "../../../lib/overlays.ts";
import type { Composition, Draft } from "./composition.ts";

/* The emails that are being written: each in a window at the lower right, or below the message that it answers. */

export interface ComposeWindow {
  id: number;
  composition: Composition;
  isMinimized: boolean;
}

export const windows = signal<readonly ComposeWindow[]>([]);
/** Where on the screen a message can be answered: below it. */
const slots = signal<ReadonlyMap<number, HTMLElement>>(new Map());
/** A phone has room for one thing. */
const PHONE = matchMedia("(max-width: 760px)");
export const isPhone = signal(PHONE.matches);
PHONE.addEventListener("change", () => {
  isPhone.value = PHONE.matches;
});

/** What the windows know of themselves. */
interface Known {
  draft(): Draft | null;
  focus(): void;
}
const known = new Map<number, Known>();
let lastId = 0;
let activeId = 0;

whenSignedOut(() => {
  windows.value = [];
  isComposing.value = false;
});

/** So many stand beside each other; the others are bars. */
const roomFor = () => Math.max(1, Math.floor((innerWidth - 32) / 540));

export function openWindow(composition: Composition): void {
  lastId += 1;
  const opened = { id: lastId, composition, isMinimized: false };
  windows.value = withRoom([...windows.peek(), opened], opened.id);
  activeId = opened.id;
  isComposing.value = true;
}

function withRoom(all: readonly ComposeWindow[], kept: number): ComposeWindow[] {
  let room = roomFor() - 1;
  return all
    .toReversed()
    .map((each) => {
      if (each.id === kept || each.isMinimized || slotOf(each)) return each;
      room -= 1;
      return room >= 0 ? each : { ...each, isMinimized: true };
    })
    .toReversed();
}

export function closeWindow(id: number): void {
  windows.value = windows.peek().filter((each) => each.id !== id);
  if (windows.value.length === 0) isComposing.value = false;
}

export function minimize(id: number): void {
  windows.value = windows.peek().map((each) => (each.id === id ? { ...each, isMinimized: true } : each));
}

export function restore(id: number): void {
  const all = windows.peek().map((each) => (each.id === id ? { ...each, isMinimized: false } : each));
  windows.value = withRoom(all, id);
  activeId = id;
  // Once it is drawn.
  setTimeout(() => known.get(id)?.focus());
}

export function register(id: number, knows: Known): () => void {
  known.set(id, knows);
  return () => void known.delete(id);
}

export const activate = (id: number) => {
  activeId = id;
};

/** Whether what happens outside of all windows is for this one. */
export function isActive(id: number): boolean {
  const all = windows.peek();
  return (all.some((each) => each.id === activeId) ? activeId : all.at(-1)?.id) === id;
}

/** The email that the window answers or passes on. */
function originOfWindow({ id, composition }: ComposeWindow): number | null {
  const draft = known.get(id)?.draft() ?? composition.draft;
  return composition.email?.id ?? draft?.inReplyTo ?? draft?.forwardOf ?? null;
}

/** Whether the draft is open in a window of this page. */
export function isDraftOpen(id: number): boolean {
  return windows.value.some((each) => (known.get(each.id)?.draft() ?? each.composition.draft)?.id === id);
}

export function slotOf(window: ComposeWindow): HTMLElement | undefined {
  const origin = originOfWindow(window);
  return origin === null || isPhone.value ? undefined : slots.value.get(origin);
}

/** Goes on in the window that has the same draft, or the same answer. Returns whether there is one. */
export function showOpen(given: Composition): boolean {
  const isForward = ({ kind, draft }: Composition) => kind === "forward" || draft?.forwardOf != null;
  const found = windows.peek().find((each) => {
    const draft = known.get(each.id)?.draft() ?? each.composition.draft;
    if (given.draft) return draft?.id === given.draft.id;
    return (
      given.email !== null &&
      originOfWindow(each) === given.email.id &&
      isForward({ ...each.composition, draft }) === isForward(given)
    );
  });
  if (found) restore(found.id);
  return found !== undefined;
}

/** A place below a message. Returns how to take it away: what is written there goes on as a bar. */
export function addSlot(emailId: number, element: HTMLElement): () => void {
  slots.value = new Map(slots.peek()).set(emailId, element);
  const back = windows.peek().filter((each) => each.isMinimized && originOfWindow(each) === emailId);
  for (const { id } of back)
    windows.value = windows.peek().map((each) => (each.id === id ? { ...each, isMinimized: false } : each));
  return () => {
    if (slots.peek().get(emailId) !== element) return;
    const left = new Map(slots.peek());
    left.delete(emailId);
    windows.value = windows
      .peek()
      .map((each) => (originOfWindow(each) === emailId && !isPhone.peek() ? { ...each, isMinimized: true } : each));
    slots.value = left;
  };
}
