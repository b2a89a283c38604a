import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { change } from "../../../client/changes.ts";
import { dismissAbout, failureNotice } from "../../../client/notices.ts";
import { ApiProblem, isProblem, problemsOf } from "../../../client/problem.ts";
import { navigate } from "../../../lib/router.ts";
import { compose as m } from "../../../messages/compose.ts";
import type { Composition, Draft, Problems } from "./composition.ts";
import { release } from "./kept-email.ts";
import { openComposition } from "./opening.ts";
import { deleteStored } from "./stored.ts";

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
  /** Where the window is kept, and what it held, if it has to be opened again. */
  place: string;
  written(): Composition;
}

/** The service holds the email back for as long as it can be undone, so that closing the page changes nothing. Resolves to whether it is on its way. */
export async function sendDraft({ id, at, save, place, written }: Sending): Promise<boolean> {
  const key = crypto.randomUUID();
  let problems: Problems = {};
  const sent = await change<Draft, Email>({
    kind: "draft",
    ids: id === null ? [] : [id],
    edit: () => null,
    async send() {
      const draft = await save();
      const params = { id: draft.id };
      if (at) await api.patch("/api/emails/drafts/{id}", { params, body: { sendAt: at.toISOString() } });
      const query = at ? {} : { undoSeconds: WAIT_SECONDS };
      try {
        return await api.post("/api/emails/drafts/{id}/send", { params, query, key });
      } catch (error) {
        problems = wrongFields(error);
        throw inWords(error, problems);
      }
    },
    failed: m.notSent,
    retry: { topic: topicOf(place) },
    alsoStale: ["email"],
    undo: {
      done: at ? m.scheduled : m.sent,
      async send(email) {
        const draft = await api.post("/api/emails/{id}/cancel-send", { params: { id: email.id } });
        openComposition({ kind: "draft", email: null, draft });
      },
    },
  });
  if (sent === null) {
    openComposition({ ...written(), problems });
    return false;
  }
  release(place);
  if (!at) lookAfter(sent.id);
  return true;
}

const topicOf = (place: string) => `send ${place}`;

/** The window that says why it was not sent is closed. */
export const forgetFailure = (place: string) => dismissAbout(topicOf(place));

const FIELDS = ["to", "cc", "bcc", "subject", "body"] as const;

/** What the service refused, by the fields of the window. */
function wrongFields(error: unknown): Problems {
  const found = problemsOf(error);
  return Object.fromEntries(
    FIELDS.flatMap((name) => (found.has(name) ? [[name, sentence(found.get(name) ?? "")]] : [])),
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** With the names that the window gives the fields. */
function inWords(error: unknown, problems: Problems): unknown {
  const detail = FIELDS.flatMap((name) => (problems[name] ? `${m[name]}: ${problems[name]}` : [])).join(" ");
  return detail && isProblem(error) ? new ApiProblem(error.status, { ...error.document, detail }, null) : error;
}

/** Says so if the email could not be sent after all. One that was taken back is gone. */
function lookAfter(id: number, [wait, ...rest]: readonly number[] = LOOK_MS): void {
  if (wait === undefined) return;
  setTimeout(async () => {
    try {
      const email = await api.get("/api/emails/{id}", { params: { id } });
      if (email.delivery === "failed") {
        const show = { label: m.showEmail, run: () => navigate(`/app/mail/sent/${id}`) };
        failureNotice({ text: m.notDelivered(email.subject), detail: email.deliveryError ?? undefined, action: show });
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
    send: () => deleteStored(draft.id),
    failed: m.notDiscarded,
  });
}
