import type { components } from "#api";
import { api } from "../../client/api.ts";
import { attempt, Failure, reasonOf } from "../../client/notices.ts";
import { triage as t } from "../../messages/triage.ts";
import type { EmailsQuery } from "./use-mail.ts";

type Body = components["schemas"]["MatchingEmailChanges"];
type MatchingFields = Omit<Body, "newestId" | "asThreads" | "undoId">;

/** All that a list has, up to the newest email that was counted. */
export interface Matching {
  query: EmailsQuery;
  count: number;
  hasMore: boolean;
  newestId: number;
}

export async function countMatching(query: EmailsQuery, areThreads: boolean): Promise<Matching | null> {
  let matching: Matching | null = null;
  await attempt(t.notCounted, async () => {
    const { emails, conversations, ...counted } = await api.get("/api/emails/count", { query });
    matching = { query, count: areThreads ? conversations : emails, ...counted };
  });
  return matching;
}

/** Changes all of it, a portion after the other. Resolves to how to undo it. */
export async function updateMatching(
  { query, newestId, count }: Matching,
  fields: MatchingFields,
  asThreads: boolean,
): Promise<string | null> {
  let cursor: string | undefined;
  let undoId: string | undefined;
  let { snoozeText, snoozedUntil } = fields;
  let updated = 0;
  for (;;) {
    const body: Body = { ...fields, snoozeText, snoozedUntil, newestId, asThreads, undoId };
    try {
      const result = await api.post("/api/emails/update-matching", { query: { ...query, cursor }, body });
      updated += result.updated;
      undoId ??= result.undo?.id;
      // Words mean the same time for all portions.
      if (snoozeText !== undefined) [snoozeText, snoozedUntil] = [undefined, result.snoozedUntil];
      if (result.nextCursor === null) return undoId ?? null;
      cursor = result.nextCursor;
    } catch (error) {
      if (updated === 0) throw error;
      throw new Failure(t.partlyChanged(updated, count), reasonOf(error));
    }
  }
}

export async function undoMatching(id: string | null): Promise<void> {
  for (let hasMore = id !== null; id !== null && hasMore; ) {
    ({ hasMore } = await api.post("/api/emails/undo", { body: { id } }));
  }
}
