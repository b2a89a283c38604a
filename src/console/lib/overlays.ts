import { signal } from "@preact/signals";

/** The dialogs that any screen can open: one at a time. */
export type Overlay = "palette" | "shortcuts" | "quick-add" | "compose" | "more" | "proof" | null;

export const overlay = signal<Overlay>(null);

export function openOverlay(name: Overlay): void {
  overlay.value = name;
}

export function closeOverlay(): void {
  overlay.value = null;
}
