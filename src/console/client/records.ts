import { known } from "../lib/cast.ts";
import { type Change, change, patched, versionOf } from "./changes.ts";
import {
  type Key,
  type ListPath,
  type ListRequest,
  type ListResult,
  queryClient,
  type RecordOf,
  useList,
} from "./queries.ts";

interface ListedRecord {
  id: number | string;
  version?: number;
}

interface Records<T extends ListedRecord> extends ListResult<T> {
  /** Shows a change at once, and sends it with the newest version that is known. */
  save(record: T, changes: Partial<T>, send: (version: number) => Promise<unknown>, failed: string): void;
  /** Takes a record off the list: with `undo`, which brings it back, or with `ask`, which comes before. */
  remove(record: T, given: Pick<Change<T, unknown>, "send" | "failed" | "undo" | "ask">): void;
  /** After one was added or changed by a form. */
  reread(): Promise<void>;
}

/** A list whose records are added, changed and deleted where they stand. */
export function useRecords<P extends ListPath>(key: Key, path: P, request?: ListRequest<P>) {
  type T = RecordOf<P> & ListedRecord;
  const list = known<ListResult<T>>(useList(key, path, request));
  const [kind] = key;
  const records: Records<T> = {
    ...list,
    records: list.records && patched(kind, list.records),
    save: ({ id, version = 0 }, changes, send, failed) =>
      void change<T, unknown>({
        kind,
        ids: [id],
        edit: (each) => ({ ...each, ...changes }),
        send: () => send(versionOf(kind, { id, version })),
        failed,
      }),
    remove: ({ id }, given) => void change<T, unknown>({ kind, ids: [id], edit: () => null, ...given }),
    reread: () => queryClient.invalidateQueries({ queryKey: [kind] }),
  };
  return records;
}
