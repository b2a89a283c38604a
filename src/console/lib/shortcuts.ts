import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { store, stored } from "./storage.ts";

/*
 * The table of shortcuts. The frame registers its own, each screen those of its own while it is shown; the dialog
 * **Keyboard shortcuts** is drawn from the same table. Keys are characters, so they follow the keyboard's layout.
 */

interface Shortcut {
  /** One key, or two with a space between them: `e`, `g t`. `mod+k` is Command on Apple's machines, else Control. */
  keys: string;
  label: string;
  group: string;
  run(event: KeyboardEvent): void;
  /** Not listed in the dialog: a second key for the same thing. */
  isAlias?: boolean;
  /** Handled by the element that has the focus, and listed here to be known. */
  isNative?: boolean;
}

export const registered = signal<readonly (readonly Shortcut[])[]>([]);
export const areEnabled = signal(stored("shortcuts") !== "off");

export function enableShortcuts(isOn: boolean): void {
  areEnabled.value = isOn;
  store("shortcuts", isOn ? null : "off");
}

export function register(shortcuts: readonly Shortcut[]): () => void {
  registered.value = [...registered.peek(), shortcuts];
  return () => {
    registered.value = registered.peek().filter((each) => each !== shortcuts);
  };
}

/**
 * Registers the shortcuts of a screen while it is shown, from the moment it can be seen. Give the values that the
 * shortcuts use in `inputs`.
 */
export function useShortcuts(make: () => readonly Shortcut[], inputs: readonly unknown[]): void {
  useLayoutEffect(() => register(make()), [...inputs]);
}

const SEQUENCE_MS = 1200;
let first = "";
let timer: ReturnType<typeof setTimeout> | undefined;

export function startShortcuts(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const isMod = event.metaKey || event.ctrlKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isMod) {
      if (!event.altKey && !event.shiftKey) runFirst(`mod+${key}`, event);
      return;
    }
    if (event.altKey || !areEnabled.value || isTyping(event.target) || isInDialog()) return;
    const keys = first ? `${first} ${key}` : key;
    first = "";
    clearTimeout(timer);
    if (runFirst(keys, event) || keys !== key) return;
    if (all().some((shortcut) => shortcut.keys.startsWith(`${key} `))) {
      first = key;
      timer = setTimeout(() => {
        first = "";
      }, SEQUENCE_MS);
    }
  });
}

/** Those of the screen win over those of the frame. */
function all(): Shortcut[] {
  return registered.value.toReversed().flat();
}

function runFirst(keys: string, event: KeyboardEvent): boolean {
  const found = all().find((shortcut) => shortcut.keys === keys);
  if (!found) return false;
  event.preventDefault();
  found.run(event);
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
    return true;
  }
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(target.type);
}

/** A dialog has keys of its own. */
function isInDialog(): boolean {
  return document.querySelector("dialog:modal, [popover]:popover-open") !== null;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys as they are printed: `["g", "t"]`, `["⌘", "K"]`. */
export function keyCaps(keys: string): string[] {
  return keys.split(" ").flatMap((key) => {
    if (!key.startsWith("mod+")) return [key];
    return [isApple ? "⌘" : "Ctrl", key.slice(4).toUpperCase()];
  });
}
