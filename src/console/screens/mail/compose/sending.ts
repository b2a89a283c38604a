import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { change } from "../../../client/changes.ts";
import { failureNotice } from "../../../client/notices.ts";
import { isProblem } from "../../../client/problem.ts";
import { navigate } from "../../../lib/router.ts";
import { compose as m } from "../../../messages/compose.ts";
import { ask } from "../../../shell/ask.tsx";
import { type Composition, type Draft, openComposition } from "./composition.ts";

type Email = components["schemas"]["Email"];

/** Longer than **Undo** is offered, so that an undo at the last moment still arrives in time. */
const WAIT_SECONDS = 10;
/** When to look whether it has left. */
const LOOK_MS = [14_000, 25_000, 60_000];

interface Sending {
  /** Its id, if it is stored already. */
  id: number | null;
  /** When it shall leave; null: now. */
  at: Date | null;
  /** Saves what is typed, and resolves to the draft. */
  save(): Promise<Draft>;
  /** What the window held, if it has to be opened again. */
  written(): Composition;
}

/** The service holds the email back for as long as it can be undone, so that closing the page changes nothing. */
export async function sendDraft({ id, at, save, written }: Sending): Promise<void> {
  const key = crypto.randomUUID();
  const sent = await change<Draft, Email>({
    kind: "draft",
    ids: id === null ? [] : [id],
    edit: () => null,
    async send() {
      const draft = await save();
      const params = { id: draft.id };
      if (at) await api.patch("/api/emails/drafts/{id}", { params, body: { sendAt: at.toISOString() } });
      const query = at ? {} : { undoSeconds: WAIT_SECONDS };
      return api.post("/api/emails/drafts/{id}/send", { params, query, key });
    },
    failed: m.notSent,
    alsoStale: ["email"],
    undo: {
      done: at ? m.scheduled : m.sent,
      async send(email) {
        const draft = await api.post("/api/emails/{id}/cancel-send", { params: { id: email.id } });
        openComposition({ kind: "draft", email: null, draft });
      },
    },
  });
  if (sent === null) openComposition(written());
  else if (!at) lookAfter(sent.id);
}

/** Says so if the email could not be sent after all. One that was taken back is gone. */
function lookAfter(id: number, [wait, ...rest]: readonly number[] = LOOK_MS): void {
  if (wait === undefined) return;
  setTimeout(async () => {
    try {
      const email = await api.get("/api/emails/{id}", { params: { id } });
      if (email.delivery === "failed") {
        const show = { label: m.showEmail, run: () => navigate(`/app/mail/sent/${id}`) };
        failureNotice(m.notDelivered(email.subject), email.deliveryError ?? undefined, show);
      } else if (email.delivery !== "sent") lookAfter(id, rest);
    } catch (error) {
      if (!isProblem(error, "not_found")) lookAfter(id, rest);
    }
  }, wait);
}

/** Asks first, if there is anything to lose. Resolves to whether it shall go. */
export async function mayDiscard(hasContent: boolean): Promise<boolean> {
  return !hasContent || ask({ title: m.askDiscard, text: m.askDiscardText, button: m.discard });
}

export function deleteDraft(draft: Draft): void {
  void change<Draft, unknown>({
    kind: "draft",
    ids: [draft.id],
    edit: () => null,
    send: () => api.delete("/api/emails/drafts/{id}", { params: { id: draft.id } }),
    failed: m.notDiscarded,
  });
}
