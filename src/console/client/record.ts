import { useRef, useState } from "preact/hooks";
import { known } from "../lib/cast.ts";
import { dismissAbout, failureToast, reasonOf } from "./notices.ts";
import { problemsOf } from "./problem.ts";
import { type Key, keepNewest, queryClient, useQuery } from "./queries.ts";

interface RecordRequest<T, Changes> {
  key: Key;
  read(signal: AbortSignal): Promise<T>;
  /** Saves changes of the version that was read last, and returns the record. */
  send(changes: Changes, version: number): Promise<T>;
  /** How the record looks with the changes before they are saved. Without one, they are its new members. */
  preview?(record: T, changes: Changes): T;
  failed: string;
  staleTime?: number;
}

const SAVED_MS = 2500;

/**
 * One record whose fields are saved one by one, when they change: shown at once, taken back with the reason at the
 * field when the service refuses it. Changes are sent one after the other, because each needs the version before it.
 */
export function useRecord<T extends { version: number }, Changes extends object>(given: RecordRequest<T, Changes>) {
  const { key, read, send, failed, preview = (record, changes) => ({ ...record, ...changes }) } = given;
  const query = useQuery<T>({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    ...(given.staleTime !== undefined && { staleTime: given.staleTime }),
  });
  const [pending, setPending] = useState<readonly Changes[]>([]);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [isSaved, setIsSaved] = useState(false);
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  async function save(changes: Changes): Promise<boolean> {
    setPending((before) => [...before, changes]);
    setProblems(new Map());
    dismissAbout(failed);
    const mine = turn.current.then(() => {
      const { version = 0 } = queryClient.getQueryData<T>(key) ?? {};
      return send(changes, version);
    });
    turn.current = mine.catch(() => {});
    try {
      keepNewest(key, await mine);
      setIsSaved(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setIsSaved(false), SAVED_MS);
      return true;
    } catch (error) {
      const found = problemsOf(error);
      // What was typed stays in its field, whatever the reason.
      setProblems(found.size > 0 ? found : new Map(Object.keys(changes).map((name) => [name, reasonOf(error)])));
      if (found.size === 0) {
        failureToast(failed, error);
        void queryClient.invalidateQueries({ queryKey: key });
      }
      return false;
    } finally {
      setPending((before) => before.filter((each) => each !== changes));
    }
  }

  const record = query.data && pending.reduce(preview, query.data);
  return {
    /** With all changes that are under way. */
    record,
    error: query.data ? null : query.error,
    retry: () => void query.refetch(),
    problemOf: (field: string) => problems.get(field),
    /** For the row of a field that is saved as it is. */
    row: <Name extends keyof T & keyof Changes & string>(name: Name) => ({
      value: known<T[Name]>(record?.[name]),
      problem: problems.get(name),
      onChange: (value: T[Name]) => void save(known<Changes>({ [name]: value })),
    }),
    isSaved,
    save,
  };
}
