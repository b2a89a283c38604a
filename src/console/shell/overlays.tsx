import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { proofRequest } from "../client/proof.ts";
import { closeOverlay, type Overlay } from "../lib/overlays.ts";

type Dialogs = Record<NonNullable<Overlay>, () => Promise<{ default: ComponentType<{ onClose(): void }> }>>;

const DIALOGS: Dialogs = {
  palette: () => import("./palette.tsx"),
  shortcuts: () => import("./shortcut-dialog.tsx"),
  "quick-add": () => import("../screens/tasks/quick-add-dialog.tsx"),
  compose: () => import("../screens/mail/compose/compose-dialog.tsx"),
  more: () => import("./more.tsx"),
  proof: () => import("./proof-dialog.tsx"),
};

const loaded = new Map<Overlay, ComponentType<{ onClose(): void }>>();

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
  const [, redraw] = useState(0);
  const Component = loaded.get(name);
  useEffect(() => {
    if (!loaded.has(name))
      load(name).then(
        () => redraw((count) => count + 1),
        () => giveUp(name),
      );
  }, [name]);
  return Component ? <Component key={name} onClose={closeOverlay} /> : null;
}

/** A dialog whose code could not be loaded. */
function giveUp(name: NonNullable<Overlay>): void {
  if (name === "proof") proofRequest.value?.cancel();
  else closeOverlay();
}
