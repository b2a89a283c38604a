import { keyCaps } from "../lib/shortcuts.ts";

/** The keys of a shortcut as key caps: for the eye. Screen readers have the name of what they stand beside. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span class="keys" aria-hidden="true">
      {keyCaps(keys).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
