import { signal } from "@preact/signals";
import { whenSignedOut } from "../../client/session.ts";
import { store, stored } from "../../lib/storage.ts";
import { isView, type View } from "./days.ts";

/* What a person has chosen to see. Small choices are kept in this browser; which tags are hidden lasts as long as the page. */

export const showsCancelled = signal(stored("calendar-cancelled") === "yes");
export const showsTasks = signal(stored("calendar-tasks") !== "no");
export const secondZone = signal(stored("calendar-zone"));
export const hiddenTags = signal<ReadonlySet<string>>(new Set());

whenSignedOut(() => {
  hiddenTags.value = new Set();
  secondZone.value = null;
});

export function toggleCancelled(): void {
  showsCancelled.value = !showsCancelled.peek();
  store("calendar-cancelled", showsCancelled.value ? "yes" : null);
}

export function toggleTasks(): void {
  showsTasks.value = !showsTasks.peek();
  store("calendar-tasks", showsTasks.value ? null : "no");
}

export function chooseSecondZone(zone: string | null): void {
  secondZone.value = zone;
  store("calendar-zone", zone);
}

/** Events belong to their first tag; those without one to "". */
export function toggleTag(tag: string): void {
  const hidden = new Set(hiddenTags.value);
  if (!hidden.delete(tag)) hidden.add(tag);
  hiddenTags.value = hidden;
}

const NARROW = 760;

/** The view of the last visit; on a phone the first one is a day. */
export function usualView(): View {
  const view = stored("calendar-view") ?? undefined;
  if (isView(view)) return view;
  return innerWidth <= NARROW ? "day" : "week";
}

export function rememberView(view: View): void {
  store("calendar-view", view);
}
