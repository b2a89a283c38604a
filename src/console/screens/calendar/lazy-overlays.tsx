import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OverlaysProps } from "./overlays.tsx";

type Loaded = Record<"dialogs" | "phone", ComponentType<OverlaysProps> | undefined>;

const loaded: Loaded = { dialogs: undefined, phone: undefined };

const LOADERS = {
  dialogs: async () => (await import("./overlays.tsx")).Overlays,
  phone: async () => (await import("./phone-dialog.tsx")).PhoneDialog,
};

/** The dialogs are loaded after the calendar itself, before anybody asks for them; the code of the QR code only when it is wanted. */
export function LazyOverlays(props: OverlaysProps) {
  const [, redraw] = useState(0);
  const name = props.query.has("phone") ? "phone" : "dialogs";
  useEffect(() => {
    if (loaded[name]) return;
    LOADERS[name]().then(
      (component) => {
        loaded[name] = component;
        redraw((count) => count + 1);
      },
      () => {},
    );
  }, [name]);
  const Component = loaded[name];
  return Component ? <Component {...props} /> : null;
}
