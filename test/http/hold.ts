interface Hold {
  enter(): void;
  released: Promise<void>;
}

const holds = new Map<string, Hold>();

/** Stops the next creation of a note with this title inside its handler, as a slow request would be. */
export function hold(title: string): { entered: Promise<void>; release(): void } {
  let enter = () => {};
  let release = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  holds.set(title, { enter, released });
  return { entered, release };
}

/** Only the first request is held: a second one with the same title runs through. */
export async function heldBack(title: string): Promise<void> {
  const held = holds.get(title);
  if (!held) return;
  holds.delete(title);
  held.enter();
  await held.released;
}
