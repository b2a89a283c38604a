import { useEffect, useState } from "preact/hooks";
import { withStyle } from "../../lib/later-style.ts";
import style from "../../styles/mail-later.css?url";

type Later = typeof import("./later.tsx");

let loaded: Later | undefined;
const AFTER_MS = 300;

/** What nobody sees at first: it comes once the list is there, and at the latest with the first key or touch. */
export function useLater(): Later | undefined {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (loaded) return;
    const load = () => {
      stop();
      withStyle(import("./later.tsx"), style).then(
        (module) => {
          loaded = module;
          redraw((count) => count + 1);
        },
        // Tried again when Mail is opened again.
        () => {},
      );
    };
    const timer = setTimeout(load, AFTER_MS);
    const stop = () => {
      clearTimeout(timer);
      for (const sign of SIGNS) removeEventListener(sign, load);
    };
    for (const sign of SIGNS) addEventListener(sign, load, { passive: true });
    return stop;
  }, []);
  return loaded;
}

const SIGNS = ["pointerdown", "keydown"];
