import "../../../base.ts";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Composer } from "./composer.tsx";
import { type ComposeWindow, isPhone, slotOf, windows } from "./windows.ts";

/** All emails that are being written. */
export default function Dock() {
  const isFull = isPhone.value && windows.value.some(({ isMinimized }) => !isMinimized);
  const dock = useRef<HTMLDivElement>(null);
  // What lies behind a window that fills the screen cannot be reached.
  useEffect(() => {
    const behind = [...document.querySelectorAll<HTMLElement>(".frame > *")].filter((each) => each !== dock.current);
    for (const each of behind) each.inert = isFull;
    return () => {
      for (const each of behind) each.inert = false;
    };
  }, [isFull]);
  return (
    <div ref={dock} class="compose-dock">
      {windows.value.map((each) => (
        <Placed key={each.id} window={each} />
      ))}
    </div>
  );
}

/**
 * A window keeps its element wherever it stands, so that going from one message to the next changes nothing in it: not
 * the text, nor the caret, nor an upload.
 */
function Placed({ window: shown }: { window: ComposeWindow }) {
  const home = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const slot = slotOf(shown);
  useLayoutEffect(() => {
    const element = host.current;
    const target = slot ?? home.current;
    if (!element || !target || element.parentElement === target) return;
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    target.append(element);
    if (focused instanceof HTMLElement) focused.focus();
  }, [slot]);
  useLayoutEffect(() => {
    const element = host.current;
    return () => element?.remove();
  }, []);
  return (
    <div ref={home} class="compose-home">
      <div ref={host} class="compose-host">
        <Composer window={shown} isInline={slot !== undefined} />
      </div>
    </div>
  );
}
