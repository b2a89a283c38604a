import { useEffect, useRef } from "preact/hooks";

interface NextRowsProps {
  label: string;
  isLoading: boolean;
  load(): void;
}

/** Loads the next page by itself shortly before its end is seen; the button is for those who do not scroll. */
export function NextRows({ label, isLoading, load }: NextRowsProps) {
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (isLoading || !button.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
      },
      { rootMargin: "600px" },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isLoading]);
  return (
    <button ref={button} type="button" class="button quiet" aria-busy={isLoading} onClick={load}>
      {label}
    </button>
  );
}
