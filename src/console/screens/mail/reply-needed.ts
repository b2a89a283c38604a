import { api } from "../../client/api.ts";
import { change } from "../../client/changes.ts";
import { mail as m } from "../../messages/mail.ts";
import type { Email } from "./boxes.ts";

/** Apart from the other changes, because Today needs only this one. */
export function setReplyNeeded(emails: readonly Email[], replyNeeded: boolean): void {
  const ids = emails.map(({ id }) => id);
  const send = (wanted: boolean) => api.patch("/api/emails", { body: { ids, replyNeeded: wanted } });
  void change<Email, unknown>({
    kind: "email",
    ids,
    edit: (email) => ({ ...email, replyNeeded }),
    send: () => send(replyNeeded),
    failed: m.notChanged,
    undo: {
      done: (replyNeeded ? m.done.needsAnswer : m.done.noAnswer)(emails.length),
      send: () => send(!replyNeeded),
    },
  });
}
