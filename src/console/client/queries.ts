import {
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  type Query,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from "@tanstack/query-core";
import { useEffect, useState } from "preact/hooks";
import { known } from "../lib/cast.ts";
import { type Asked, api, type PathsWith, type Returned } from "./api.ts";
import { ApiProblem } from "./problem.ts";
import { whenSignedOut } from "./session.ts";

/*
 * What was read is kept and shown at once, then read again in the background. The first member of a key is the kind of
 * record: `["task", "list", filters]`, `["task", 12]`. Live changes and our own make all keys of their kind stale.
 */

/** The kinds of records, as in the live channel, and what is counted from several of them. */
export type Kind =
  | "email"
  | "draft"
  | "contact"
  | "chat"
  | "task"
  | "event"
  | "sync"
  | "stream"
  | "milestone"
  | "caption"
  | "proposal"
  | "delivery"
  | "reminder"
  | "stats"
  | "profile"
  | "service"
  // What only Settings shows.
  | "setting"
  | "identity"
  | "snippet"
  | "mailbox"
  | "rule"
  | "blocked"
  | "alert"
  | "webhook"
  | "api-key"
  | "connection"
  | "session"
  | "task-list"
  | "job";

export type Key = readonly [Kind, ...unknown[]];

/** Fresh enough not to be read again by a screen that is opened a second time; live changes come by themselves. */
const FRESH_MS = 20_000;
const KEPT_MS = 30 * 60_000;

class Client extends QueryClient {
  /** What is being read for the first time may be older than the change: it is read again, too. The library only does so later. */
  override async invalidateQueries(...[filters, options]: Parameters<QueryClient["invalidateQueries"]>): Promise<void> {
    const begun = this.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
    const first = begun.filter(({ state }) => state.data === undefined);
    const again = ({ queryKey, promise }: Query) =>
      promise?.then(() => super.invalidateQueries({ queryKey, exact: true }, options)).catch(() => {});
    await Promise.all([super.invalidateQueries(filters, options), ...first.map(again)]);
  }
}

export const queryClient = new Client({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
      // Offline requests fail at once and say so, instead of waiting unseen.
      networkMode: "always",
      retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem && error.status < 500),
      retryDelay: (failures) => 400 * 2 ** failures,
    },
  },
});

queryClient.mount();
whenSignedOut(() => queryClient.clear());

/** Keeps what the service returned for a change, unless a newer version was read before that came. */
export function keepNewest<T extends { version: number }>(key: Key, record: T): void {
  queryClient.setQueryData<T>(key, (known) => (known && known.version > record.version ? known : record));
}

/** Draws again when a member of the result changes that was read: take the members that you need, and never all of them. */
export function useQuery<T>(options: QueryObserverOptions<T, Error, T, T, Key>): QueryObserverResult<T> {
  const [observer] = useState(() => new QueryObserver<T, Error, T, T, Key>(queryClient, options));
  const [, redraw] = useState(0);
  useEffect(() => observer.subscribe(() => redraw((count) => count + 1)), [observer]);
  useEffect(() => observer.setOptions(options));
  return observer.trackResult(observer.getOptimisticResult(queryClient.defaultQueryOptions(options)));
}

type GetOptions<P extends PathsWith<"get">> = Asked<P> &
  Omit<QueryObserverOptions<Returned<P, "get">, Error, Returned<P, "get">, Returned<P, "get">, Key>, "queryKey">;

/** What an operation returns, read by `GET`. */
export function useGet<P extends PathsWith<"get">>(key: Key, path: P, options: GetOptions<P> = {}) {
  const { params, query, ...rest } = options;
  return useQuery<Returned<P, "get">>({
    queryKey: key,
    queryFn: ({ signal }) => api.get(path, known({ params, query, signal })),
    ...rest,
  });
}

/** A list that comes in pages. */
interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

export type ListPath = {
  [P in PathsWith<"get">]: Returned<P, "get"> extends Page<unknown> ? P : never;
}[PathsWith<"get">];
export type RecordOf<P extends ListPath> = Returned<P, "get"> extends Page<infer T> ? T : never;

type Pages<T> = { pages: Page<T>[]; pageParams: unknown[] };
type ListOptions<T> = InfiniteQueryObserverOptions<Page<T>, Error, Pages<T>, Key, string | undefined>;

export type ListRequest<P extends ListPath> = Asked<P> & { enabled?: boolean; refetchInterval?: number };

export interface ListResult<T> {
  /** Undefined until the first page is there. */
  records: T[] | undefined;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore(): void;
  retry(): void;
}

export function useList<P extends ListPath>(key: Key, path: P, request: ListRequest<P> = {}): ListResult<RecordOf<P>> {
  type T = RecordOf<P>;
  const { params, query, ...rest } = request;
  const options: ListOptions<T> = {
    queryKey: key,
    queryFn: async ({ pageParam: cursor, signal }) =>
      known<Page<T>>(await api.get<ListPath>(path, known({ params, query: { ...query, cursor }, signal }))),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    ...rest,
  };
  const [observer] = useState(
    () => new InfiniteQueryObserver<Page<T>, Error, Pages<T>, Key, string | undefined>(queryClient, options),
  );
  const [, redraw] = useState(0);
  useEffect(() => observer.subscribe(() => redraw((count) => count + 1)), [observer]);
  useEffect(() => observer.setOptions(options));
  const result = known<InfiniteQueryObserverResult<Pages<T>>>(
    observer.trackResult(observer.getOptimisticResult(known(queryClient.defaultQueryOptions(options)))),
  );
  return {
    records: result.data?.pages.flatMap((page) => page.data),
    error: result.data ? null : result.error,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    loadMore: () => void observer.fetchNextPage(),
    retry: () => void observer.refetch(),
  };
}
