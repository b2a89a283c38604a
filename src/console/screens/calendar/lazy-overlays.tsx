import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OverlaysProps } from "./overlays.tsx";

type Loaded = Record<"dialogs" | "phone", ComponentType<OverlaysProps> | undefined>;

const loaded: Loaded = { dialogs: undefined, phone: undefined };

const LOADERS = {
  dialogs: async () => (await import("./overlays.tsx")).Overlays,
  phone: async () => (await import("./phone-dialog.tsx")).PhoneDialog,
};

/** What opens a dialog, in the address. */
const DIALOGS = ["event", "new", "find", "zone"];
/** The first sign that somebody is about to use the calendar. */
const SIGNS = ["pointermove", "pointerdown", "keydown"];

/**
 * The calendar is shown before its dialogs are loaded. They come when one is asked for, or with the first move of the
 * pointer; the code of the QR code only when it is wanted.
 */
export function LazyOverlays(props: OverlaysProps) {
  const [, redraw] = useState(0);
  const name = props.query.has("phone") ? "phone" : "dialogs";
  const isWanted = name === "phone" || DIALOGS.some((each) => props.query.has(each));
  useEffect(() => {
    if (loaded[name]) return;
    const forget = () => {
      for (const sign of SIGNS) removeEventListener(sign, load);
    };
    const load = () => {
      forget();
      LOADERS[name]().then(
        (component) => {
          loaded[name] = component;
          redraw((count) => count + 1);
        },
        () => {},
      );
    };
    if (isWanted) load();
    else for (const sign of SIGNS) addEventListener(sign, load, { passive: true });
    return forget;
  }, [name, isWanted]);
  const Component = loaded[name];
  return Component ? <Component {...props} /> : null;
}
