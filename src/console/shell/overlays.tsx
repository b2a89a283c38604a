import type { ComponentType } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { proofRequest } from "../client/proof.ts";
import { closeOverlay, gatherTyping, isComposing, type Overlay } from "../lib/overlays.ts";

interface OverlayProps {
  onClose(): void;
  /** What was typed before the dialog was there. */
  typed: string;
}

type Name = NonNullable<Overlay> | "compose";

/** The code of each dialog, loaded when it is first opened. */
export type Dialogs = Record<Name, () => Promise<{ default: ComponentType<OverlayProps> }>>;

const loaded = new Map<Name, ComponentType<OverlayProps>>();

/** Loads the code of the dialogs while nothing else is to be done, so that they open at once, also offline. */
export function preloadOverlays(dialogs: Dialogs): void {
  for (const name of ["palette", "quick-add", "shortcuts"] as const) void load(dialogs, name).catch(() => {});
}

async function load(dialogs: Dialogs, name: Name) {
  const { default: component } = await dialogs[name]();
  loaded.set(name, component);
  return component;
}

export function Overlays({ dialogs, name }: { dialogs: Dialogs; name: Name }) {
  const [, redraw] = useState({});
  // Null until it is known: a dialog takes what was typed when it is drawn first, so never before.
  const typed = useRef<{ name: Name | null; text: string | null }>({ name: null, text: null });
  if (typed.current.name !== name) typed.current = { name, text: loaded.has(name) ? "" : null };
  const { text } = typed.current;
  const Component = loaded.get(name);
  // Before the next key, so not in an effect that waits for the browser to draw.
  useLayoutEffect(() => {
    if (text !== null) return;
    const stop = gatherTyping();
    load(dialogs, name).then(
      () => {
        typed.current = { name, text: stop() };
        redraw({});
      },
      () => giveUp(name),
    );
    return () => void stop();
  }, [name]);
  return Component && text !== null ? <Component key={name} onClose={closeOverlay} typed={text} /> : null;
}

/** A dialog whose code could not be loaded. */
function giveUp(name: Name): void {
  if (name === "proof") proofRequest.value?.cancel();
  else if (name === "compose") isComposing.value = false;
  else closeOverlay();
}
