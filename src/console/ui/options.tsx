import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/* The options of a field that keeps the focus: it names the one that the arrow keys have chosen. */

interface OptionProps {
  id: string;
  isChosen: boolean;
  onChoose(): void;
  onPoint(): void;
  children: ComponentChildren;
}

export function Option({ id, isChosen, onChoose, onPoint, children }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isChosen}
      class="option line gap-12"
      onClick={onChoose}
      onMouseMove={onPoint}
    >
      {children}
    </div>
  );
}

/** Which option an arrow key chooses; -1 stands for none. Null for any other key. */
export function chosenBy(event: KeyboardEvent, chosen: number, count: number): number | null {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || count === 0) return null;
  event.preventDefault();
  return chosen < 0 && step < 0 ? count - 1 : (chosen + step + count) % count;
}
