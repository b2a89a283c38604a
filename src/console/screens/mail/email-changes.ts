import type { components } from "#api";
import { api, request } from "../../client/api.ts";
import { ask } from "../../client/ask.ts";
import { change } from "../../client/changes.ts";
import { attempt, toast } from "../../client/notices.ts";
import { isProblem } from "../../client/problem.ts";
import { mail as m } from "../../messages/mail.ts";
import type { Email } from "./boxes.ts";

type Bulk = components["schemas"]["BulkEmailChanges"];
type Fields = Pick<Bulk, "isRead" | "isStarred" | "status" | "snoozedUntil" | "snoozeText" | "replyNeeded">;

/** A snooze in words is shown as this until the service has read the words. */
const SOON_MS = 24 * 60 * 60 * 1000;

function shown(fields: Fields): Partial<Email> {
  const { snoozeText, ...rest } = fields;
  return snoozeText ? { ...rest, snoozedUntil: new Date(Date.now() + SOON_MS).toISOString() } : rest;
}

/** One request for any number of emails, and one for each former state to undo it. */
function changeEmails(emails: readonly Email[], fields: Fields, done?: string): void {
  if (emails.length === 0) return;
  const ids = emails.map(({ id }) => id);
  const send = (body: Bulk) => api.patch("/api/emails", { body });
  void change<Email, unknown>({
    kind: "email",
    ids,
    edit: (email) => ({ ...email, ...shown(fields) }),
    send: () => send({ ids, ...fields }),
    failed: m.notChanged,
    ...(done && {
      undo: { done, send: () => Promise.all(formerStates(emails, fields).map(send)) },
    }),
  });
}

function formerStates(emails: readonly Email[], fields: Fields): Bulk[] {
  const states = new Map<string, Bulk>();
  for (const email of emails) {
    const former: Omit<Bulk, "ids"> = {
      ...(fields.isRead !== undefined && { isRead: email.isRead }),
      ...(fields.isStarred !== undefined && { isStarred: email.isStarred }),
      ...(fields.status !== undefined && { status: email.status }),
      ...(fields.replyNeeded !== undefined && { replyNeeded: email.replyNeeded ?? false }),
      ...((fields.snoozedUntil !== undefined || fields.snoozeText !== undefined) && {
        snoozedUntil: isFuture(email.snoozedUntil) ? email.snoozedUntil : null,
      }),
    };
    const key = JSON.stringify(former);
    const state = states.get(key) ?? { ids: [], ...former };
    state.ids.push(email.id);
    states.set(key, state);
  }
  return [...states.values()];
}

function isFuture(time: string | null): boolean {
  return time !== null && new Date(time) > new Date();
}

const several = (emails: readonly Email[]) => emails.length;

export const archive = (emails: readonly Email[]) =>
  changeEmails(emails, { status: "archived" }, m.done.archived(several(emails)));
export const moveToInbox = (emails: readonly Email[]) =>
  changeEmails(emails, { status: "inbox", snoozedUntil: null }, m.done.inbox(several(emails)));
export const trash = (emails: readonly Email[]) =>
  changeEmails(emails, { status: "trash" }, m.done.trashed(several(emails)));
export const moveToSpam = (emails: readonly Email[]) =>
  changeEmails(emails, { status: "spam" }, m.done.spam(several(emails)));
export const notSpam = (emails: readonly Email[]) =>
  changeEmails(emails, { status: "inbox" }, m.done.notSpam(several(emails)));
export const setReplyNeeded = (emails: readonly Email[], replyNeeded: boolean) =>
  changeEmails(emails, { replyNeeded }, (replyNeeded ? m.done.needsAnswer : m.done.noAnswer)(several(emails)));
export const snooze = (emails: readonly Email[], snoozeText: string) =>
  changeEmails(emails, { snoozeText }, m.done.snoozed(several(emails)));
export const wake = (emails: readonly Email[]) =>
  changeEmails(emails, { snoozedUntil: null }, m.done.woken(several(emails)));

export function markRead(emails: readonly Email[], isRead: boolean): void {
  changeEmails(emails, { isRead }, (isRead ? m.done.read : m.done.unread)(emails.length));
}

/** An email that is opened is read, without a word about it. */
export function noteRead(email: Email): void {
  changeEmails([email], { isRead: true });
}

/** Stars all of them, or takes all stars away if every one has one. */
export function toggleStar(emails: readonly Email[]): void {
  const isStarred = !emails.every((email) => email.isStarred);
  changeEmails(emails, { isStarred }, (isStarred ? m.done.starred : m.done.unstarred)(emails.length));
}

export function setTags(email: Email, tags: string[]): Promise<unknown> {
  const send = (wanted: string[]) =>
    api.patch("/api/emails/{id}", { params: { id: email.id }, body: { tags: wanted } });
  return change<Email, unknown>({
    kind: "email",
    ids: [email.id],
    edit: (each) => ({ ...each, tags }),
    send: () => send(tags),
    failed: m.notChanged,
    undo: { done: m.done.tagged, send: () => send(email.tags) },
  });
}

/** Only from the trash, and only after a question: nothing brings them back. */
export async function deleteForever(emails: readonly Email[], onSure: () => void = () => {}): Promise<void> {
  const question = { title: m.askDelete(emails.length), text: m.askDeleteText, button: m.deleteForever };
  if (emails.length === 0 || !(await ask(question))) return;
  onSure();
  const deleted = await change<Email, unknown>({
    kind: "email",
    ids: emails.map(({ id }) => id),
    edit: () => null,
    async send() {
      for (let start = 0; start < emails.length; start += AT_ONCE) {
        const some = emails.slice(start, start + AT_ONCE);
        await Promise.all(some.map(({ id }) => api.delete("/api/emails/{id}", { params: { id } }).catch(unlessGone)));
      }
    },
    failed: m.notDeleted,
  });
  if (deleted !== null) toast(m.done.deleted(emails.length));
}

const AT_ONCE = 10;

/** Deleted elsewhere meanwhile: that is what the person wants. */
function unlessGone(error: unknown): void {
  if (!isProblem(error, "not_found")) throw error;
}

/** `leave` is called unless the API is certain to refuse, because the address may not be the sender's. */
export async function blockSender(email: Email, leave: () => void): Promise<void> {
  const name = email.from.name || email.from.email;
  const isForged = email.senderProof === "failed";
  const done = (email.senderProof === "verified" ? m.done.blocked : m.done.blockedUnverified)(name);
  const { id, status, isRead } = email;
  if (!isForged) leave();
  await change<Email, { id: number; isNew: boolean }>({
    kind: "email",
    ids: [id],
    ...(!isForged && {
      edit: (each) => ({ ...each, status: "trash", isRead: true }),
      undo: {
        done,
        async send(blocked) {
          // A block that was there before stays.
          if (blocked.isNew) await api.delete("/api/emails/blocked-senders/{id}", { params: { id: blocked.id } });
          await api.patch("/api/emails", { body: { ids: [id], status, isRead } });
        },
      },
    }),
    async send() {
      const headers = { "Content-Type": "application/json" };
      const sent = { method: "POST", headers, body: "{}", keepalive: true };
      const response = await request({ ...sent, path: `/api/emails/${id}/block-sender` });
      return { id: (await response.json()).id, isNew: response.status === 201 };
    },
    failed: m.notBlocked,
    alsoStale: ["blocked"],
  });
}

export async function unsubscribe(email: Email): Promise<void> {
  await attempt(m.notUnsubscribed, async () => {
    await api.post("/api/emails/{id}/unsubscribe", { params: { id: email.id }, body: {} });
    toast(m.done.unsubscribed);
  });
}
