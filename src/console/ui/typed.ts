import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { keep, kept } from "../client/kept.ts";

/*
 * What is typed into the fields of a dialog, whatever form it holds: whether there is anything to lose, and a copy on
 * this device that comes back when the same dialog is opened again after a reload, a crash or the Back button.
 */

type Field = HTMLInputElement | HTMLTextAreaElement;
/** What a field had before and has now, by its label. */
type Copy = Record<string, { from: string; to: string }>;

/** Days and times are chosen, not written. */
const WRITTEN = new Set(["text", "email", "url", "tel", "number", "password"]);

function fieldOf(target: EventTarget | null): Field | null {
  if (target instanceof HTMLTextAreaElement) return target;
  return target instanceof HTMLInputElement && WRITTEN.has(target.type) ? target : null;
}

function fieldsIn(element: HTMLElement): Field[] {
  return [...element.querySelectorAll("input, textarea")].flatMap((each) => fieldOf(each) ?? []);
}

/** Null for secrets, which are never stored. */
function nameOf(field: Field): string | null {
  if (field.type === "password" || field.autocomplete === "one-time-code") return null;
  return field.name || field.getAttribute("aria-label") || field.labels?.[0]?.textContent || null;
}

/** Without a name nothing is kept, and nothing is there to lose. */
export function useTyped(element: RefObject<HTMLElement | null>, name: string | null) {
  const [isBack, setIsBack] = useState(false);
  const before = useRef(new Map<Field, string>());
  /** Whether the person's last act was to type: a dialog that closes then was closed by something else. */
  const isLast = useRef(false);
  const place = `typed:${name}`;

  const isChanged = () =>
    name !== null &&
    [...before.current].some(([field, value]) => element.current?.contains(field) && field.value !== value);

  const hold = () => {
    isLast.current = true;
  };

  useEffect(() => {
    const dialog = element.current;
    if (!dialog || name === null) return;
    const remember = ({ target }: { target: EventTarget | null }) => {
      const field = fieldOf(target);
      if (field && !before.current.has(field)) before.current.set(field, field.value);
    };
    const copy = ({ target }: Event) => {
      const field = fieldOf(target);
      const label = field && nameOf(field);
      hold();
      if (!field || !label) return;
      const from = before.current.get(field) ?? "";
      const { [label]: _, ...others } = kept<Copy>(place) ?? {};
      const all = field.value === from ? others : { ...others, [label]: { from, to: field.value } };
      keep(place, Object.keys(all).length > 0 ? all : null);
    };
    const act = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === "Enter") isLast.current = false;
    };
    const listeners = { focusin: remember, input: copy, click: act, submit: act, keydown: act, [REFUSED]: hold };
    for (const [type, listener] of Object.entries(listeners)) dialog.addEventListener(type, listener, true);
    // The field that has the focus from the start has told nobody.
    remember({ target: document.activeElement });
    const stop = putBack(dialog, kept<Copy>(place) ?? {}, (field, from) => {
      before.current.set(field, from);
      setIsBack(true);
    });
    return () => {
      stop();
      for (const [type, listener] of Object.entries(listeners)) dialog.removeEventListener(type, listener, true);
      if (!isLast.current) keep(place, null);
    };
  }, []);

  return {
    isBack,
    isChanged,
    /** It stays, however the dialog is closed now. */
    hold,
    forget: () => {
      isLast.current = false;
    },
  };
}

/** Told by a form whose content was not stored. */
export const REFUSED = "poa-refused";

/** Fills the fields that still have what they had before, also those that are drawn later. Returns how to stop. */
function putBack(dialog: HTMLElement, copy: Copy, tell: (field: Field, from: string) => void): () => void {
  const missing = new Map(Object.entries(copy));
  const fill = () => {
    for (const field of fieldsIn(dialog)) {
      const label = nameOf(field);
      const found = label && missing.get(label);
      if (!label || !found || field.value !== found.from) continue;
      missing.delete(label);
      tell(field, found.from);
      field.value = found.to;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    if (missing.size === 0) observer.disconnect();
  };
  const observer = new MutationObserver(fill);
  if (missing.size > 0) {
    observer.observe(dialog, { childList: true, subtree: true });
    fill();
  }
  return () => observer.disconnect();
}
