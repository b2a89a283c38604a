import { useEffect, useRef, useState } from "preact/hooks";

const PAUSE_MS = 250;

/**
 * The text of a field whose value stands elsewhere, too, and comes back from there late or out of turn. What a person
 * types stays: the field takes a value only while nobody is typing, and none that it gave away itself.
 */
export function useOwnText(value: string, give: (text: string) => void) {
  const [, redraw] = useState({});
  const own = useRef({ text: value, seen: value, given: [] as string[], isTyping: false }).current;
  // Not in an effect, which runs when the browser has drawn: the next letters may be there by then.
  if (value !== own.seen) {
    own.seen = value;
    const turn = own.given.indexOf(value);
    own.given.splice(0, turn < 0 ? own.given.length : turn + 1);
    if (turn < 0 && !own.isTyping) own.text = value;
  }
  const { text } = own;
  useEffect(() => {
    if (text === (own.given.at(-1) ?? value)) return;
    const timer = setTimeout(() => {
      own.given.push(text);
      own.isTyping = false;
      give(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, give]);
  return {
    text,
    type(next: string): void {
      own.text = next;
      own.isTyping = true;
      redraw({});
    },
    /** The field was left: what it gets now is what the person wants. */
    rest(): void {
      own.isTyping = false;
    },
  };
}
