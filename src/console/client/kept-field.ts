import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { keep, kept, keptNames, whenGone } from "./kept.ts";
import { dismissAbout, type Retry } from "./notices.ts";
import { whenSignedOut } from "./session.ts";

/** Words with the key that their request always has: however often they are sent, they are stored once. */
export interface Words {
  text: string;
  key: string;
}

/** Stores the words. Resolves to null if they were not stored. `again` sends them once more. */
type Send = (text: string, key: string, again: Retry) => Promise<unknown>;

const NONE: Words = { text: "", key: "" };
/** What is in the fields of this tab: another tab may be writing, too, and the last of them is kept. */
const here = new Map<string, Words>();
/** Counts changes of what is kept, so that every field of a name shows the same. */
const changes = signal(0);
const underWay = new Set<string>();
whenSignedOut(() => {
  here.clear();
  changes.value = changes.peek() + 1;
});

const ON_ITS_WAY = "!";

// The same words may be in a field of this tab. What is kept is the other tab's.
whenGone((place) => {
  for (const [name, { key }] of here) if (place === `${name}${ON_ITS_WAY}${key}`) here.set(name, NONE);
  changes.value = changes.peek() + 1;
});

function put(name: string, words: Words): void {
  // Other words take the place of those that a notice may offer to send again.
  const former = wordsIn(name).key;
  if (former && former !== words.key) dismissAbout(`${name}${ON_ITS_WAY}${former}`);
  here.set(name, words);
  keep(name, words.text === "" ? null : words);
  changes.value = changes.peek() + 1;
}

const wordsIn = (name: string): Words => here.get(name) ?? kept<Words>(name) ?? NONE;

/** Words that were sent and not stored: back in the field if it is empty, otherwise beside it. */
function giveBack(name: string, words: Words): void {
  if (wordsIn(name).text !== "") return;
  keep(`${name}${ON_ITS_WAY}${words.key}`, null);
  put(name, words);
}

function unsentOf(name: string): Words[] {
  return keptNames(name + ON_ITS_WAY)
    .filter((each) => !underWay.has(each))
    .flatMap((each) => kept<Words>(each) ?? []);
}

async function dispatch(name: string, words: Words, send: Send): Promise<void> {
  const place = `${name}${ON_ITS_WAY}${words.key}`;
  if (underWay.has(place)) return;
  underWay.add(place);
  keep(place, words);
  if (wordsIn(name).key === words.key) put(name, NONE);
  dismissAbout(place);
  const again = { topic: place, run: () => void dispatch(name, words, send) };
  const isStored = await send(words.text.trim(), words.key, again).then(
    (result) => result !== null,
    () => false,
  );
  underWay.delete(place);
  if (isStored) keep(place, null);
  else giveBack(name, words);
  changes.value = changes.peek() + 1;
}

/** What was typed while a record was made goes on in the field of the record. */
export function moveKept(from: string, to: string): void {
  const words = wordsIn(from);
  if (words.text === "" || wordsIn(to).text !== "") return;
  put(to, words);
  put(from, NONE);
}

/**
 * A field whose words are on this device until the service has stored them. They leave the field when they are sent, and
 * come back if that fails, also after a reload.
 */
export function useKept(name: string, send: Send, initial = "") {
  void changes.value;
  const [own] = useState(() => ({ began: false }));
  useEffect(() => {
    const [first] = unsentOf(name);
    if (first) giveBack(name, first);
    if (initial && !own.began) type(wordsIn(name).text + initial);
    own.began = true;
  }, [name]);
  const words = wordsIn(name);

  function type(text: string): void {
    if (text !== wordsIn(name).text) put(name, { text, key: crypto.randomUUID() });
  }

  return {
    text: words.text,
    type,
    /** Sends what is in the field. Returns whether there was anything. */
    submit(): boolean {
      if (words.text.trim() === "") return false;
      void dispatch(name, words, send);
      return true;
    },
    unsent: unsentOf(name),
    retry: (each: Words) => void dispatch(name, each, send),
    discard(each: Words): void {
      const place = `${name}${ON_ITS_WAY}${each.key}`;
      keep(place, null);
      dismissAbout(place);
      changes.value = changes.peek() + 1;
    },
  };
}
