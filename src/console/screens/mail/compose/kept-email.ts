import { keep, kept, keptNames } from "../../../client/kept.ts";
import { dismissAbout } from "../../../client/notices.ts";
import type { Composition, Fields, Kind, NewDraft, Started } from "./composition.ts";

/*
 * An email that is being written, on this device: from the first key until the service has stored the last one. Each
 * window has a place of its own, so that two tabs do not write over each other.
 */

/** How the draft is made: the same request however often it is sent, so that a lost reply makes no second draft. */
export interface First {
  key: string;
  body: NewDraft;
}

interface KeptEmail {
  kind: Kind;
  emailId: number | null;
  /** The draft as it was when the service stored it last: what is typed was typed on top of it. */
  draft: Started;
  fields: Fields;
  first: First | null;
}

const START = "email:";

export const newPlace = () => `${START}${crypto.randomUUID()}`;
export const keepEmail = (place: string, email: KeptEmail | null) => keep(place, email);
export const keptEmail = (place: string) => kept<KeptEmail>(place);

export const keptPlaces = () => keptNames(START);

/** The places that this tab has: in a window, about to be opened in one, or on their way to be sent. */
const held = new Map<string, () => void>();

/** Has the place until it is released. Nobody else writes there, nor stores what is there. */
export function hold(place: string): void {
  if (held.has(place)) return;
  // Made before the lock is granted, so that a window that is closed at once lets go, too.
  const released = untilReleased(place);
  void navigator.locks.request(place, () => released);
}

export const isHeld = (place: string) => held.has(place);

export function release(place: string): void {
  held.get(place)?.();
  held.delete(place);
}

function untilReleased(place: string): Promise<void> {
  return new Promise((resolve) => held.set(place, resolve));
}

/** Does something with a place that no window of any tab has open. */
export function unlessOpen(place: string, run: () => Promise<void>): Promise<void> {
  return navigator.locks.request(place, { ifAvailable: true }, async (lock) => {
    if (lock) await run();
  });
}

/** The window as it was when it was left. */
export function compositionOf(place: string): Composition | null {
  const found = keptEmail(place);
  if (!found) return null;
  const { kind, emailId, draft, fields, first } = found;
  return { kind, email: emailId === null ? null : { id: emailId }, draft, fields, first, place };
}

/** Where something is kept for the same draft, or the same answer. */
export function placesOf(given: Composition): string[] {
  const isForward = ({ kind }: Composition) => kind === "forward";
  return keptPlaces().filter((place) => {
    const left = compositionOf(place);
    if (!left) return false;
    if (given.draft !== null) return left.draft?.id === given.draft.id;
    return given.email !== null && left.email?.id === given.email.id && isForward(left) === isForward(given);
  });
}

/** What was left at the first of the places that no window has open. It is held from now on. */
export async function takeLeft(places: readonly string[]): Promise<Composition | null> {
  for (const place of places) {
    if (!(await tryHold(place))) continue;
    dismissAbout(place);
    return compositionOf(place);
  }
  return null;
}

function tryHold(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    void navigator.locks.request(place, { ifAvailable: true }, (lock) => {
      const isMine = lock !== null && keptEmail(place) !== null;
      const released = isMine ? untilReleased(place) : undefined;
      resolve(isMine);
      return released;
    });
  });
}
