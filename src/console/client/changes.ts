import { signal } from "@preact/signals";
import { hashKey, type QueryKey } from "@tanstack/query-core";
import { known } from "../lib/cast.ts";
import { shell } from "../messages/shell.ts";
import { ask } from "./ask.ts";
import { dismissAbout, failureToast, type Retry, toast, undoToast } from "./notices.ts";
import { type Kind, queryClient } from "./queries.ts";
import { whenSignedOut } from "./session.ts";

/*
 * Changes that are on screen at once. While a change is under way, or can still be undone, a patch lies over what was
 * read: every list and record is drawn through `patched`, so a refetch never brings back a row that has just left, and
 * taking the patch away is the whole rollback.
 */

type Id = number | string;

interface Identified {
  id: Id;
}

interface Patch {
  kind: Kind;
  isFor(record: Identified): boolean;
  /** The record as it is shown; null hides it. */
  edit(record: Identified): Identified | null;
  /** Records that are shown before the service has them. */
  added: readonly Identified[];
  /** The id that the service gave the added record. Where a list already has it, it is not shown twice. */
  addedAs?: unknown;
}

const patches = signal<readonly Patch[]>([]);
whenSignedOut(() => {
  patches.value = [];
});

/** The records as they are after all changes that are under way. */
export function patched<T extends Identified>(kind: Kind, records: readonly T[]): T[] {
  let shown: Identified[] = [...records];
  for (const patch of patches.value) {
    if (patch.kind !== kind) continue;
    shown = shown.flatMap((record) => {
      const edited = patch.isFor(record) ? patch.edit(record) : record;
      return edited ? [edited] : [];
    });
    const { addedAs, added } = patch;
    if (addedAs === undefined || !shown.some(({ id }) => id === addedAs)) shown.push(...added);
  }
  // Every edit keeps the type of its record: see `Change`.
  return known(shown);
}

export function patchedOne<T extends Identified>(kind: Kind, record: T | undefined): T | undefined {
  return record && patched(kind, [record]).find(({ id }) => id === record.id);
}

export interface Change<T extends Identified, Result> {
  kind: Kind;
  ids: readonly Id[];
  /** Which records look different afterwards, if not those with these ids. */
  isFor?(record: T): boolean;
  /** How the records look afterwards; null if they leave all lists. Without one, nothing that is shown changes. */
  edit?(record: T): T | null;
  /** A record that is shown until the service has it. */
  add?: T;
  send(): Promise<Result>;
  /** What to say when it fails, before the reason: "The task was not saved." */
  failed: string;
  /** What it is about, if not the same change of the same records, and how to try again what would have to be typed again. */
  retry?: Retry;
  /** Kinds that are counted from these records, besides "stats". */
  alsoStale?: readonly Kind[];
  /** For what cannot be taken back: asks first, and says afterwards that it is done. */
  ask?: { title: string; text?: string; button: string; done?: string };
  undo?: {
    /** What was done: "Archived". */
    done: string;
    /** How to say it of several changes together: one notice counts them. */
    sum?: { words(count: number): string; count: number };
    /** Takes it back. What the API cannot take back has `ask` instead. */
    send(result: Result): Promise<unknown>;
  };
}

/** Shows a change, sends it, and offers to undo it. Resolves to what the service returned; null if it failed or was undone. */
export async function change<T extends Identified, Result>(given: Change<T, Result>): Promise<Result | null> {
  if (given.ask && !(await ask(given.ask))) return null;
  // A record that is added has a new id at each try.
  const retry = given.retry ?? { topic: given.add ? given.failed : `${given.failed} ${given.ids}` };
  dismissAbout(retry.topic);
  const before = queryClient.getQueriesData({ queryKey: [given.kind] });
  const { patch, removePatch } = lay(given);
  const sending = inTurn(given, given.send);
  const { undo } = given;
  let isUndone = false;
  // What is said to be done belongs to the change: it goes when the change fails.
  let withdraw = () => false;
  if (undo) {
    withdraw = undoToast(undo.done, {
      sum: undo.sum,
      isOver: () => void sending.then(() => finish(removePatch, given)).catch(() => {}),
      async undo() {
        isUndone = true;
        removePatch();
        const letGo = holdData(before);
        const result = await sending.then((value) => ({ value })).catch(() => null);
        // Without a result it has failed, and there is nothing to take back.
        if (result)
          await inTurn(given, () => undo.send(result.value)).catch((error) => failureToast(shell.notUndone, error));
        letGo();
        makeStale(given);
      },
    });
  }
  try {
    const result = await sending;
    if (given.add) patch.addedAs = idOf(result);
    if (given.ask?.done) toast(given.ask.done);
    if (!undo) await finish(removePatch, given);
    else makeStale(given);
    return result;
  } catch (error) {
    withdraw();
    removePatch();
    makeStale(given);
    if (!isUndone) failureToast(given.failed, error, retry);
    return null;
  }
}

/** Shows what was there before, whatever is read until the returned function is called: the service may not have it back yet. */
function holdData(before: readonly [QueryKey, unknown][]): () => void {
  const held = new Map(before.map(([key, data]) => [hashKey(key), data]));
  for (const [key, data] of before) queryClient.setQueryData(key, data);
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || event.action.manual) return;
    const { queryHash, queryKey } = event.query;
    if (held.has(queryHash)) queryClient.setQueryData(queryKey, held.get(queryHash));
  });
}

/** Keeps the patch until what the service has now is read, so that nothing flickers. */
async function finish<T extends Identified, Result>(removePatch: () => void, given: Change<T, Result>): Promise<void> {
  await makeStale(given).catch(() => {});
  removePatch();
}

function idOf(result: unknown): unknown {
  return typeof result === "object" && result !== null && "id" in result ? result.id : undefined;
}

function lay<T extends Identified, Result>({ kind, ids, isFor, edit, add }: Change<T, Result>) {
  const given = new Set(ids);
  const patch: Patch = {
    kind,
    isFor: (record) => (isFor ? isFor(known(record)) : given.has(record.id)),
    edit: (record) => (edit ? edit(known(record)) : record),
    added: add ? [add] : [],
  };
  patches.value = [...patches.peek(), patch];
  const removePatch = () => {
    patches.value = patches.peek().filter((each) => each !== patch);
  };
  return { patch, removePatch };
}

const turns = new Map<string, Promise<unknown>>();

/** One after the other for each record: the second change needs the version that the first one made. */
function inTurn<Result>({ kind, ids }: { kind: Kind; ids: readonly Id[] }, send: () => Promise<Result>) {
  const names = ids.map((id) => `${kind}:${id}`);
  const before = names.flatMap((name) => turns.get(name) ?? []);
  // At once if nothing is under way: a page that is being closed has no later.
  const mine = before.length === 0 ? send() : Promise.allSettled(before).then(send);
  for (const name of names) turns.set(name, mine);
  const done = () => {
    for (const name of names) if (turns.get(name) === mine) turns.delete(name);
  };
  mine.then(done, done);
  return mine;
}

function makeStale({ kind, alsoStale = [] }: { kind: Kind; alsoStale?: readonly Kind[] }): Promise<unknown> {
  return Promise.all(
    [kind, ...alsoStale, "stats" as const].map((each) => queryClient.invalidateQueries({ queryKey: [each] })),
  );
}

/** Versions that were returned since the lists were read. */
const versions = new Map<string, number>();
whenSignedOut(() => versions.clear());

/** The version to send with a change: the newest that is known of the record. */
export function versionOf(kind: Kind, { id, version }: { id: Id; version: number }): number {
  return Math.max(version, versions.get(`${kind}:${id}`) ?? 0);
}

export function rememberVersion<T extends { id: Id; version: number }>(kind: Kind, record: T): T {
  versions.set(`${kind}:${record.id}`, record.version);
  return record;
}
