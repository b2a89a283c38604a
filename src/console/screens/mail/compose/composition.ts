import { signal } from "@preact/signals";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { failureToast } from "../../../client/notices.ts";
import { queryClient } from "../../../client/queries.ts";
import { whenSignedOut } from "../../../client/session.ts";
import { openOverlay } from "../../../lib/overlays.ts";
import { compose as m } from "../../../messages/compose.ts";
import type { Email } from "../boxes.ts";

export type Draft = components["schemas"]["Draft"];
export type Kind = keyof typeof m.headings;

/** What is being written. A new email becomes a draft of the service with its first words. */
export interface Composition {
  kind: Kind;
  /** The email that is answered or passed on. */
  email: Email | null;
  draft: Draft | null;
}

export const composition = signal<Composition>({ kind: "new", email: null, draft: null });

whenSignedOut(() => {
  composition.value = { kind: "new", email: null, draft: null };
});

/** Opens the window at once. The service finds the recipients and the subject of an answer meanwhile. */
export function startComposing({ kind, email }: { kind: "reply" | "replyAll" | "forward"; email: Email }): void {
  composition.value = { kind, email, draft: null };
  openOverlay("compose");
}

export function startNew(): void {
  composition.value = { kind: "new", email: null, draft: null };
  openOverlay("compose");
}

export async function openDraft(id: number): Promise<void> {
  try {
    const draft = await api.get("/api/emails/drafts/{id}", { params: { id } });
    composition.value = { kind: "draft", email: null, draft };
    openOverlay("compose");
  } catch (error) {
    failureToast(m.notOpened, error);
    void queryClient.invalidateQueries({ queryKey: ["draft"] });
  }
}

/** The draft of an answer, with what the service fills in. */
export function draftOf({ kind, email }: Composition): Promise<Draft> {
  const origin =
    email === null
      ? {}
      : kind === "forward"
        ? { forwardOf: email.id }
        : { inReplyTo: email.id, replyAll: kind === "replyAll" };
  return api.post("/api/emails/drafts", { body: origin });
}
