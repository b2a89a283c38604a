import { api } from "../../client/api.ts";
import { patched, patchedOne } from "../../client/changes.ts";
import { useProfile } from "../../client/profile.ts";
import { type ListResult, queryClient, useGet, useList, useQuery } from "../../client/queries.ts";
import { type BoxName, belongsTo, type Email, isAside, isUnread, queryOf, type Row } from "./boxes.ts";
import { placeIn } from "./search.ts";

export interface MailFilters {
  q: string;
  tag: string;
  unread: boolean;
}

export function filtersOf(query: URLSearchParams): MailFilters {
  return { q: query.get("q") ?? "", tag: query.get("tag") ?? "", unread: query.get("unread") === "true" };
}

export function isFiltered({ q, tag, unread }: MailFilters): boolean {
  return q !== "" || tag !== "" || unread;
}

/** A search looks into all mail, unless it names a place itself. */
export function looksElsewhere({ q }: MailFilters): boolean {
  return q.trim() !== "";
}

/** Whether a search still finds an email after the changes that are under way: only one that names a place finds spam and trash. */
function isFoundBy({ q }: MailFilters, email: Email): boolean {
  const place = placeIn(q);
  return !isAside(email) || (place !== null && place !== "starred");
}

/** Whether Mail shows conversations, and acts on them, or single messages. */
export function useThreaded(): boolean {
  return useProfile()?.mailView !== "messages";
}

/** Whether the rows are one line high. */
export function useCompact(): boolean {
  return useProfile()?.mailDensity === "compact";
}

const PAGE = 50;

interface RowsAsked {
  box: BoxName;
  filters: MailFilters;
  isThreaded: boolean;
  /** What is open stays listed. */
  openId: number | null;
  now: Date;
}

/** What the API is asked for a list, without its pages. */
export function emailsQuery(box: BoxName, filters: MailFilters) {
  const { q, tag, unread } = filters;
  return {
    ...(looksElsewhere(filters) ? {} : queryOf(box)),
    q: q || undefined,
    tag: tag || undefined,
    unread: unread || undefined,
  };
}
export type EmailsQuery = ReturnType<typeof emailsQuery>;

/** The rows of a box, with the changes that are under way. */
export function useRows({ box, filters, isThreaded, openId, now }: RowsAsked): ListResult<Row> {
  const { unread } = filters;
  const isElsewhere = looksElsewhere(filters);
  const path = isThreaded ? "/api/emails/threads" : "/api/emails";
  const list: ListResult<Row> = useList(["email", "list", path, box, filters], path, {
    query: {
      ...emailsQuery(box, filters),
      limit: PAGE,
    },
    enabled: box !== "drafts",
  });
  const rows = list.records && patched("email", list.records);
  const open = rows && openRow(rows, openId, isThreaded);
  const records = rows?.filter(
    (row) =>
      (isElsewhere ? isFoundBy(filters, row) : belongsTo(box, row, now)) && (!unread || isUnread(row) || row === open),
  );
  return { ...list, records };
}

/** The row of the email that is open. Its conversation may be listed by a newer one. */
export function openRow(rows: readonly Row[], openId: number | null, isThreaded: boolean): Row | undefined {
  const row = openId === null ? undefined : rows.find(({ id }) => id === openId);
  if (row || openId === null || !isThreaded) return row;
  const threadId = loadedEmail(openId)?.threadId;
  return rows.find((each) => each.threadId === threadId);
}

export function useTags(): string[] {
  const { data } = useGet(["email", "tags"], "/api/emails/tags", { query: { limit: 100 }, staleTime: 60_000 });
  return data?.data.map(({ tag }) => tag) ?? [];
}

export function useEmail(id: number) {
  const { data, error, refetch } = useGet(["email", id], "/api/emails/{id}", { params: { id } });
  return { email: patchedOne("email", data), error, refetch };
}

/** A longer thread is shown without the rest. */
const MAX_PAGES = 5;

async function readThread(id: number, signal?: AbortSignal): Promise<Email[]> {
  const all: Email[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const request = { params: { id }, query: { limit: 100, cursor }, ...(signal && { signal }) };
    const { data, nextCursor } = await api.get("/api/emails/{id}/thread", request);
    all.push(...data);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return all;
}

/** The emails of the thread, oldest first, without those put aside elsewhere. Undefined until they are there. */
export function useThread(email: Email | undefined): Email[] | undefined {
  const id = email?.id ?? 0;
  const isAlone = (email?.threadCount ?? 1) === 1;
  const { data } = useQuery({
    queryKey: ["email", id, "thread"],
    queryFn: ({ signal }) => readThread(id, signal),
    enabled: !isAlone,
  });
  if (!email || (!data && !isAlone)) return undefined;
  if (isAlone || !data?.some((each) => each.id === id)) return [email];
  const isIn = (each: Email) => (isAside(email) ? each.status === email.status : !isAside(each));
  return patched("email", data).filter((each) => each.id === id || isIn(each));
}

/** The emails of these conversations that are in the trash, or in spam, with those that they are listed by. */
export async function readAside(rows: readonly Email[]): Promise<Email[]> {
  const threads = await Promise.all(rows.map((row) => (row.threadCount === 1 ? [row] : readThread(row.id))));
  return threads.flatMap((thread, index) => thread.filter(({ status }) => status === rows[index]?.status));
}

/** An email that is open, also where the list does not have it: it may be further down, elsewhere, or on its way. */
export function loadedEmail(id: number): Email | undefined {
  return patchedOne("email", queryClient.getQueryData<Email>(["email", id])) ?? listedEmail(id);
}

/** What a list already shows of an email, until all of it is there. */
export function listedEmail(id: number): Email | undefined {
  return patchedOne(
    "email",
    listedRows().find((row) => row.id === id),
  );
}

/** The row of a conversation in a list. */
export function listedThread(threadId: number): Row | undefined {
  return patchedOne(
    "email",
    listedRows().find((row) => row.conversation && row.threadId === threadId),
  );
}

/** All rows that were read, without the changes that are under way. */
export function listedRows(): Row[] {
  // Today keeps a list without pages.
  const lists = queryClient.getQueriesData<{ pages?: { data: Row[] }[] }>({ queryKey: ["email", "list"] });
  return lists.flatMap(([, data]) => data?.pages?.flatMap((page) => page.data) ?? []);
}
