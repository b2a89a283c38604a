import "../../../base.ts";
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
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
  const [host] = useState(() => document.createElement("div"));
  const slot = slotOf(shown);
  useLayoutEffect(() => {
    const focused = host.contains(document.activeElement) ? document.activeElement : null;
    (slot ?? home.current)?.append(host);
    if (focused instanceof HTMLElement) focused.focus();
  }, [slot]);
  useLayoutEffect(() => {
    host.className = "compose-host";
    render(<Composer window={shown} isInline={slot !== undefined} />, host);
  });
  useLayoutEffect(
    () => () => {
      render(null, host);
      host.remove();
    },
    [],
  );
  return <div ref={home} class="compose-home" />;
}
