import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { isProblem } from "../../../client/problem.ts";
import { queryClient } from "../../../client/queries.ts";
import type { Composition, Draft } from "./composition.ts";
import { draftOf } from "./composition.ts";

export type DraftChanges = components["schemas"]["DraftChanges"];

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

const PAUSE_MS = 700;
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

export type SaveState = "new" | "saving" | "saved" | "failed";

/**
 * The draft behind the window: every change is saved after a short pause, one request at a time. What could not be
 * saved stays in the window and is tried again with the next change.
 */
export function useDraft(composition: Composition) {
  const [draft, setDraft] = useState<Draft | null>(composition.draft);
  const [fields, setFields] = useState<Fields>(() => fieldsOf(composition.draft));
  const [state, setState] = useState<SaveState>(composition.draft ? "saved" : "new");
  const latest = useRef({ draft, fields, isDirty: false });
  const saving = useRef<Promise<void>>(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const keep = (stored: Draft) => {
    latest.current.draft = stored;
    setDraft(stored);
    void queryClient.invalidateQueries({ queryKey: ["draft"] });
  };

  useEffect(() => {
    if (composition.draft || !composition.email) return;
    let isGone = false;
    saving.current = draftOf(composition).then(
      (stored) => {
        if (isGone) {
          void api.delete("/api/emails/drafts/{id}", { params: { id: stored.id } }).catch(() => {});
          return;
        }
        keep(stored);
        const { body, ...found } = fieldsOf(stored);
        // Words that were typed while the service was asked stay.
        const merged = { ...found, body: latest.current.fields.body || body };
        latest.current.fields = merged;
        setFields(merged);
        setState("saved");
      },
      () => setState("failed"),
    );
    return () => {
      isGone = latest.current.draft === null;
    };
  }, []);

  async function store(): Promise<void> {
    const { fields: now, draft: known } = latest.current;
    latest.current.isDirty = false;
    setState("saving");
    const body: DraftChanges = {
      to: addressesOf(now.to),
      cc: addressesOf(now.cc),
      bcc: addressesOf(now.bcc),
      subject: now.subject,
      body: now.body,
      quote: now.quote,
      identityId: now.identityId,
    };
    try {
      keep(await write(known, body));
      setState("saved");
    } catch (error) {
      latest.current.isDirty = true;
      setState("failed");
      // A half-typed address is no failure worth a word.
      if (!isProblem(error, "validation_failed")) throw error;
    }
  }

  async function write(known: Draft | null, body: DraftChanges): Promise<Draft> {
    if (!known) return api.post("/api/emails/drafts", { body });
    return api.patch("/api/emails/drafts/{id}", { params: { id: known.id }, body });
  }

  /** Saves what is typed, after what is under way. */
  function flush(): Promise<void> {
    clearTimeout(timer.current);
    saving.current = saving.current.catch(() => {}).then(() => (latest.current.isDirty ? store() : undefined));
    return saving.current;
  }

  function edit(changes: Partial<Fields>): void {
    const next = { ...latest.current.fields, ...changes };
    latest.current.fields = next;
    latest.current.isDirty = true;
    setFields(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void flush().catch(() => {}), PAUSE_MS);
  }

  async function setFiles(attachmentIds: string[]): Promise<void> {
    saving.current = saving.current
      .catch(() => {})
      .then(async () => {
        const known = latest.current.draft ?? (await write(null, { subject: latest.current.fields.subject }));
        keep(await api.patch("/api/emails/drafts/{id}", { params: { id: known.id }, body: { attachmentIds } }));
      });
    return saving.current;
  }

  const current = () => latest.current.draft;
  return { draft, fields, state, edit, flush, setFiles, current };
}
