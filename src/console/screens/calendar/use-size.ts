import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The size of an element, to know how much fits into it. */
export function useSize<E extends HTMLElement>(): [RefObject<E | null>, { width: number; height: number }] {
  const element = useRef<E>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element.current) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element.current ?? { clientWidth: 0, clientHeight: 0 };
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, size];
}

const NARROW = matchMedia("(max-width: 760px)");

export function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const change = () => setIsNarrow(NARROW.matches);
    NARROW.addEventListener("change", change);
    return () => NARROW.removeEventListener("change", change);
  }, []);
  return isNarrow;
}
