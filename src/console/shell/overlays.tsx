import type { ComponentType } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { proofRequest } from "../client/proof.ts";
import { closeOverlay, gatherTyping, type Overlay } from "../lib/overlays.ts";

interface OverlayProps {
  onClose(): void;
  /** What was typed before the dialog was there. */
  typed: string;
}

type Dialogs = Record<NonNullable<Overlay>, () => Promise<{ default: ComponentType<OverlayProps> }>>;

/** Those that are loaded ahead, in one file. */
const ahead = () => import("./dialogs-ahead.ts");

const DIALOGS: Dialogs = {
  palette: async () => ({ default: (await ahead()).Palette }),
  shortcuts: async () => ({ default: (await ahead()).Shortcuts }),
  "quick-add": async () => ({ default: (await ahead()).QuickAdd }),
  compose: () => import("../screens/mail/compose/compose-dialog.tsx"),
  more: async () => ({ default: (await ahead()).More }),
  proof: () => import("./proof-dialog.tsx"),
};

const loaded = new Map<Overlay, ComponentType<OverlayProps>>();

/** Loads the code of the dialogs while nothing else is to be done, so that they open at once, also offline. */
export function preloadOverlays(): void {
  for (const name of ["palette", "quick-add", "shortcuts"] as const) void load(name).catch(() => {});
}

async function load(name: NonNullable<Overlay>) {
  const { default: component } = await DIALOGS[name]();
  loaded.set(name, component);
  return component;
}

export function Overlays({ name }: { name: NonNullable<Overlay> }) {
  const [typed, setTyped] = useState<{ name: Overlay; text: string } | null>(null);
  const Component = loaded.get(name);
  // Before the next key, so not in an effect that waits for the browser to draw.
  useLayoutEffect(() => {
    if (loaded.has(name)) return;
    const stop = gatherTyping();
    load(name).then(
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
function giveUp(name: NonNullable<Overlay>): void {
  if (name === "proof") proofRequest.value?.cancel();
  else closeOverlay();
}
