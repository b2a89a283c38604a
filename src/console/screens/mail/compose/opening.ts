import "../../../base.ts";
import { api } from "../../../client/api.ts";
import { attempt, dismissAbout } from "../../../client/notices.ts";
import { queryClient } from "../../../client/queries.ts";
import { compose as m } from "../../../messages/compose.ts";
import type { Composition, Draft } from "./composition.ts";
import { placesOf, takeLeft } from "./kept-email.ts";
import { openWindow, showOpen } from "./windows.ts";

/** What notices are about that offer to go on with a draft: no longer so once an email is open. */
export const OFFERED = "draft-offered";

export function openComposition(given: Composition): void {
  dismissAbout(OFFERED);
  openWindow(given);
}

/** With what was typed before and is not stored. Without any, at once. */
async function openWithLeft(given: Composition): Promise<void> {
  if (showOpen(given)) return;
  const places = placesOf(given);
  const left = places.length > 0 ? await takeLeft(places) : null;
  openComposition(left ? { ...left, kind: given.draft ? given.kind : left.kind } : given);
}

/** Opens the window. The service finds the recipients and the subject of an answer meanwhile. */
export function startComposing(given: { kind: "reply" | "replyAll" | "forward"; email: { id: number } }): void {
  void openWithLeft({ ...given, draft: null });
}

export function startNew(): void {
  openComposition({ kind: "new", email: null, draft: null });
}

/** To somebody, as it would be typed. */
export function startNewTo(to: string): void {
  openComposition({ kind: "new", email: null, draft: null, to });
}

export async function openDraft(id: number): Promise<void> {
  const isOpen = await attempt(m.notOpened, async () => {
    const draft = await api.get("/api/emails/drafts/{id}", { params: { id } });
    await openWithLeft({ kind: "draft", email: null, draft });
  });
  if (!isOpen) void queryClient.invalidateQueries({ queryKey: ["draft"] });
}

/** The drafts that answer an email or pass it on. */
export const draftsOf = (emailId: number) => ({
  queryKey: ["draft", "of", emailId] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Draft[]> =>
    (await api.get("/api/emails/drafts", { query: { emailId, limit: 20 }, signal })).data,
});
