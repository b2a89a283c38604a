import { signal } from "@preact/signals";

/** The dialogs that any screen can open: one at a time. */
export type Overlay = "palette" | "shortcuts" | "quick-add" | "more" | "proof" | null;

export const overlay = signal<Overlay>(null);
/** Whether an email is being written, beside whatever else is shown. */
export const isComposing = signal(false);

export function openOverlay(name: Overlay): void {
  overlay.value = name;
}

/** What is typed while the code of a dialog is still loading, for its field. Returns how to stop, and what it was. */
export function gatherTyping(): () => string {
  let typed = "";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") closeOverlay();
    else if (event.key === "Backspace") typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", onKeyDown, { capture: true });
  return () => {
    document.removeEventListener("keydown", onKeyDown, { capture: true });
    return typed;
  };
}

export function closeOverlay(): void {
  overlay.value = null;
}
