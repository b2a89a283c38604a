import { keep, kept, keptNames } from "../../../client/kept.ts";
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

/** Holds the place while its window is open. Returns how to let go. */
export function hold(place: string): () => void {
  let letGo = () => {};
  void navigator.locks.request(
    place,
    () =>
      new Promise<void>((resolve) => {
        letGo = resolve;
      }),
  );
  return () => letGo();
}

export const keptPlaces = () => keptNames(START);

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

/** What was left at one of the places. It moves to a place of its own; what another window is writing stays there. */
export async function takeLeft(places: readonly string[]): Promise<Composition | null> {
  let taken: Composition | null = null;
  for (const old of places) {
    await unlessOpen(old, async () => {
      const email = keptEmail(old);
      if (taken || !email) return;
      const place = newPlace();
      keepEmail(place, email);
      keepEmail(old, null);
      taken = compositionOf(place);
    });
  }
  return taken;
}
