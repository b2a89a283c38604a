import { patched, patchedOne } from "../../client/changes.ts";
import { type ListResult, queryClient, useGet, useList } from "../../client/queries.ts";
import { type BoxName, belongsTo, type Email, isAside, queryOf } from "./boxes.ts";

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

/** A search that names a place itself is not limited to the open box. */
export function looksElsewhere({ q }: MailFilters): boolean {
  return /(?:^|[\s(])-?in:\S/i.test(q);
}

const PAGE = 50;

/** The emails of a box, with the changes that are under way. `kept`: an email that stays listed while it is open. */
export function useEmails(box: BoxName, filters: MailFilters, kept: number | null, now: Date): ListResult<Email> {
  const { q, tag, unread } = filters;
  const isElsewhere = looksElsewhere(filters);
  const list = useList(["email", "list", box, filters], "/api/emails", {
    query: {
      ...(isElsewhere ? {} : queryOf(box)),
      q: q || undefined,
      tag: tag || undefined,
      unread: unread || undefined,
      limit: PAGE,
    },
    enabled: box !== "drafts",
  });
  const records =
    list.records &&
    patched("email", list.records).filter(
      (email) => (isElsewhere || belongsTo(box, email, now)) && (!unread || !email.isRead || email.id === kept),
    );
  return { ...list, records };
}

export function useTags(): string[] {
  const { data } = useGet(["email", "tags"], "/api/emails/tags", { query: { limit: 100 }, staleTime: 60_000 });
  return data?.data.map(({ tag }) => tag) ?? [];
}

export function useEmail(id: number) {
  const { data, error, refetch } = useGet(["email", id], "/api/emails/{id}", { params: { id } });
  return { email: patchedOne("email", data), error, refetch };
}

/** The other emails of the thread, oldest first. */
export function useThread(email: Email | undefined): Email[] {
  const id = email?.id ?? 0;
  const { data } = useGet(["email", id, "thread"], "/api/emails/{id}/thread", {
    params: { id },
    query: { limit: 100 },
    enabled: email !== undefined && email.threadCount > 1,
  });
  if (!email) return [];
  return data ? patched("email", data.data).filter((each) => !isAside(each) || each.id === id) : [email];
}

/** What a list already shows of an email, until all of it is there. */
export function listedEmail(id: number): Email | undefined {
  for (const [, data] of queryClient.getQueriesData<{ pages: { data: Email[] }[] }>({ queryKey: ["email", "list"] })) {
    for (const page of data?.pages ?? []) {
      const found = page.data?.find((email) => email.id === id);
      if (found) return patchedOne("email", found);
    }
  }
  return undefined;
}
