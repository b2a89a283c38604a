import type { ComponentType } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
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
  const [typed, setTyped] = useState<{ name: Name; text: string } | null>(null);
  const Component = loaded.get(name);
  // Before the next key, so not in an effect that waits for the browser to draw.
  useLayoutEffect(() => {
    if (loaded.has(name)) return;
    const stop = gatherTyping();
    load(dialogs, name).then(
      () => setTyped({ name, text: stop() }),
      () => giveUp(name),
    );
    return () => void stop();
  }, [name]);
  return Component ? (
    <Component key={name} onClose={closeOverlay} typed={typed?.name === name ? typed.text : ""} />
  ) : null;
}

/** A dialog whose code could not be loaded. */
function giveUp(name: Name): void {
  if (name === "proof") proofRequest.value?.cancel();
  else if (name === "compose") isComposing.value = false;
  else closeOverlay();
}
