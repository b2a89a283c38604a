import { useEffect } from "preact/hooks";
import { transmit } from "./transport.ts";

const FIRST_MS = 2000;
const LONGEST_MS = 30_000;

/** Tries again while a page says that the service cannot be reached: with growing pauses, and at once with a new network. */
export function useUntilBack(isNeeded: boolean, again: () => Promise<unknown>): void {
  useEffect(() => {
    if (!isNeeded) return;
    let wait = FIRST_MS;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const pause = () => {
      if (!isOver) timer = setTimeout(run, wait);
      wait = Math.min(wait * 2, LONGEST_MS);
    };
    const run = () => {
      clearTimeout(timer);
      void again().then(pause, pause);
    };
    pause();
    addEventListener("online", run);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener("online", run);
    };
  }, [isNeeded]);
}

/** Throws unless the service answers. */
export function knock(): Promise<unknown> {
  return transmit({ method: "GET", path: "/api/health" });
}
