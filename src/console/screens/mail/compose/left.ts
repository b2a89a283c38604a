import "../../../base.ts";
import { api } from "../../../client/api.ts";
import { dismissAbout, failureNotice, reasonOf, toast } from "../../../client/notices.ts";
import { isProblem } from "../../../client/problem.ts";
import { queryClient } from "../../../client/queries.ts";
import { session } from "../../../client/session.ts";
import { compose as m } from "../../../messages/compose.ts";
import { type Draft, type Fields, fieldsOf, isSameText, newDraftOf, originOf, withSuggestions } from "./composition.ts";
import { compositionOf, isHeld, keepEmail, keptEmail, keptPlaces, takeLeft, unlessOpen } from "./kept-email.ts";
import { OFFERED, openComposition, openDraft } from "./opening.ts";
import { readStored, writeStored } from "./stored.ts";

/*
 * Emails that were being written when the page was closed, broke down, or could not reach the service: they are stored as
 * soon as it can be reached, and can be gone on with at any time.
 */

const AGAIN_MS = 10_000;
const told = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
addEventListener("online", () => void storeLeft());

export async function storeLeft(): Promise<void> {
  clearTimeout(timer);
  if (session.value.status !== "in") return;
  // Those that are open in a window are looked after there.
  for (const place of keptPlaces()) await unlessOpen(place, () => tryStore(place));
  const left = keptPlaces();
  for (const place of told) if (!left.includes(place) || isHeld(place)) told.delete(place);
  if (left.length > 0) timer = setTimeout(() => void storeLeft(), AGAIN_MS);
}

async function tryStore(place: string): Promise<void> {
  try {
    const { id, subject } = await store(place);
    keepEmail(place, null);
    dismissAbout(place);
    void queryClient.invalidateQueries({ queryKey: ["draft"] });
    toast(m.storedLater(subject), { label: m.goOn, run: () => void openDraft(id) }, OFFERED);
  } catch (error) {
    tell(place, error);
  }
}

/** The same requests however often it is tried, and never over what was written elsewhere meanwhile. */
async function store(place: string): Promise<Draft> {
  const email = keptEmail(place);
  if (!email) throw new Error("nothing is kept there");
  const { draft, fields } = email;
  if (draft) return write(draft, fields);
  const { kind, emailId } = email;
  const origin = originOf({ kind, email: emailId === null ? null : { id: emailId } });
  const first = email.first ?? { key: crypto.randomUUID(), body: newDraftOf(fields, origin) };
  keepEmail(place, { ...email, first });
  const made = await api.post("/api/emails/drafts", first);
  return write(made, withSuggestions(fields, fieldsOf(made)));
}

async function write(draft: Draft, fields: Fields): Promise<Draft> {
  const isIn = (stored: Draft) => isSameText(fieldsOf(stored), fields);
  if (isIn(draft)) return draft;
  try {
    return await writeStored(draft, fields);
  } catch (error) {
    if (!isProblem(error, "version_conflict")) throw error;
    // An earlier try may have arrived without its reply.
    const now = await readStored(draft.id);
    if (isIn(now)) return now;
    throw error;
  }
}

function tell(place: string, error: unknown): void {
  if (told.has(place)) return;
  told.add(place);
  const { subject = "", body = "" } = keptEmail(place)?.fields ?? {};
  failureNotice({
    text: m.leftOver(subject || body),
    detail: reasonOf(error),
    topic: place,
    action: { label: m.goOn, run: () => void goOn(place) },
  });
}

async function goOn(place: string): Promise<void> {
  told.delete(place);
  const left = await takeLeft([place]);
  if (left) openComposition(left);
  else if (compositionOf(place)) toast(m.openElsewhere);
}
