import { api } from "../../../client/api.ts";
import { dismiss, failureNotice, reasonOf, toast } from "../../../client/notices.ts";
import { queryClient } from "../../../client/queries.ts";
import { session } from "../../../client/session.ts";
import { compose as m } from "../../../messages/compose.ts";
import { changesOf, type Draft, newDraftOf, originOf } from "./composition.ts";
import { compositionOf, keepEmail, keptEmail, keptPlaces, unlessOpen } from "./kept-email.ts";
import { openComposition, openDraft } from "./opening.ts";

/*
 * Emails that were being written when the page was closed, broke down, or could not reach the service: they are stored as
 * soon as it can be reached, and can be gone on with at any time.
 */

const AGAIN_MS = 10_000;
const told = new Map<string, number>();
let timer: ReturnType<typeof setTimeout> | undefined;
addEventListener("online", () => void storeLeft());

export async function storeLeft(): Promise<void> {
  clearTimeout(timer);
  if (session.value.status !== "in") return;
  // Those that are open in a window are looked after there.
  for (const place of keptPlaces()) await unlessOpen(place, () => tryStore(place));
  const left = keptPlaces();
  for (const place of told.keys()) if (!left.includes(place)) hide(place);
  if (left.length > 0) timer = setTimeout(() => void storeLeft(), AGAIN_MS);
}

async function tryStore(place: string): Promise<void> {
  try {
    const { id, subject } = await store(place);
    keepEmail(place, null);
    void queryClient.invalidateQueries({ queryKey: ["draft"] });
    toast(m.storedLater(subject), { label: m.goOn, run: () => void openDraft(id) });
  } catch (error) {
    tell(place, error);
  }
}

async function store(place: string): Promise<Draft> {
  const found = compositionOf(place);
  if (!found?.fields) throw new Error("nothing is kept there");
  const { draft, fields, first } = found;
  if (draft) {
    const { id, version } = draft;
    return api.patch("/api/emails/drafts/{id}", { params: { id }, body: changesOf(fields, draft), version });
  }
  if (!first) return api.post("/api/emails/drafts", { body: newDraftOf(fields, originOf(found)) });
  const { id } = await api.post("/api/emails/drafts", { body: first.body, key: first.key });
  return api.patch("/api/emails/drafts/{id}", { params: { id }, body: changesOf(fields, null) });
}

function tell(place: string, error: unknown): void {
  if (told.has(place)) return;
  const { subject = "", body = "" } = keptEmail(place)?.fields ?? {};
  const goOn = () => {
    told.delete(place);
    const left = compositionOf(place);
    if (left) openComposition(left);
  };
  told.set(place, failureNotice(m.leftOver(subject || body), reasonOf(error), { label: m.goOn, run: goOn }));
}

function hide(place: string): void {
  const id = told.get(place);
  if (id !== undefined) dismiss(id);
  told.delete(place);
}
