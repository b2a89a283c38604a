import { effect, signal } from "@preact/signals";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { failureToast } from "../../../client/notices.ts";
import { queryClient } from "../../../client/queries.ts";
import { whenSignedOut } from "../../../client/session.ts";
import { openOverlay, overlay } from "../../../lib/overlays.ts";
import { compose as m } from "../../../messages/compose.ts";
import type { Email } from "../boxes.ts";

export type Draft = components["schemas"]["Draft"];
export type Kind = keyof typeof m.headings;

/** The fields as they are typed. */
export interface Fields {
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  body: string;
  quote: boolean;
  identityId: number | null;
}

/** What is being written. A new email becomes a draft of the service with its first words. */
export interface Composition {
  kind: Kind;
  /** The email that is answered or passed on. */
  email: Email | null;
  draft: Draft | null;
  /** What was typed and could not be saved. */
  fields?: Fields;
}

export const composition = signal<Composition>({ kind: "new", email: null, draft: null });

whenSignedOut(() => {
  composition.value = { kind: "new", email: null, draft: null };
});

/** Opens the window at once. The service finds the recipients and the subject of an answer meanwhile. */
export function startComposing({ kind, email }: { kind: "reply" | "replyAll" | "forward"; email: Email }): void {
  openComposition({ kind, email, draft: null });
}

export function startNew(): void {
  openComposition({ kind: "new", email: null, draft: null });
}

/** One at a time: what comes back while another email is being written waits until that is closed. */
export function openComposition(given: Composition): void {
  const stop = effect(() => {
    if (overlay.value === "compose") return;
    composition.value = given;
    queueMicrotask(() => {
      stop();
      openOverlay("compose");
    });
  });
}

export async function openDraft(id: number): Promise<void> {
  try {
    const draft = await api.get("/api/emails/drafts/{id}", { params: { id } });
    openComposition({ kind: "draft", email: null, draft });
  } catch (error) {
    failureToast(m.notOpened, error);
    void queryClient.invalidateQueries({ queryKey: ["draft"] });
  }
}

/** What makes a new draft an answer: the service fills in recipients and subject. */
export function originOf({ kind, email }: Pick<Composition, "kind" | "email">) {
  if (email === null) return {};
  return kind === "forward" ? { forwardOf: email.id } : { inReplyTo: email.id, replyAll: kind === "replyAll" };
}

const textOf = (all: Draft["to"]) =>
  all.map(({ name, email }) => (name ? `${quoted(name)} <${email}>` : email)).join(", ");
/** A name with a comma would be two addresses. */
const quoted = (name: string) => (/[,;<>@"]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name);

export function fieldsOf(draft: Draft | null): Fields {
  return {
    to: textOf(draft?.to ?? []),
    cc: textOf(draft?.cc ?? []),
    bcc: textOf(draft?.bcc ?? []),
    subject: draft?.subject ?? "",
    body: draft?.body ?? "",
    quote: draft?.quote ?? true,
    identityId: draft?.identityId ?? null,
  };
}

/** Addresses at commas and semicolons, but not at those within quotes. */
export function addressesOf(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|[^,;"])+/g) ?? [];
  return parts.map((part) => part.trim()).filter(Boolean);
}
