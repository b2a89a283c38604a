import { type Change, change, patched, versionOf } from "./changes.ts";
import { type Kind, type ListResult, type Page, queryClient, useList } from "./queries.ts";

interface ListedRecord {
  id: number | string;
  version?: number;
}

interface RecordsRequest<T> {
  kind: Kind;
  /** Tells lists of one kind apart. */
  name?: string;
  read(query: { limit: number; cursor: string | undefined }, signal: AbortSignal): Promise<Page<T>>;
  limit?: number;
  refetchInterval?: number;
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
export function useRecords<T extends ListedRecord>(request: RecordsRequest<T>): Records<T> {
  const { kind, name = "list", read, limit = 100, ...rest } = request;
  const list = useList<T>({
    key: [kind, name],
    read: (cursor, signal) => read({ limit, cursor }, signal),
    ...rest,
  });
  return {
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
}
