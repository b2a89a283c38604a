import type { components } from "#api";
import { api, request } from "../../client/api.ts";
import { ask } from "../../client/ask.ts";
import { change } from "../../client/changes.ts";
import { attempt, toast } from "../../client/notices.ts";
import { isProblem } from "../../client/problem.ts";
import { mail as m } from "../../messages/mail.ts";
import { type Email, hasStar, isAside, isSnoozed, type Row } from "./boxes.ts";
import type { Matching } from "./matching.ts";
import { listedRows, listedThread, readAside } from "./use-mail.ts";

type Bulk = components["schemas"]["BulkEmailChanges"];
type Within = NonNullable<Bulk["within"]>;
type Fields = Pick<
  Bulk,
  | "isRead"
  | "isStarred"
  | "status"
  | "snoozedUntil"
  | "snoozeText"
  | "replyNeeded"
  | "isMuted"
  | "addTags"
  | "removeTags"
>;
type Former = Pick<Email, "id" | "status" | "isRead" | "isStarred" | "tags" | "snoozedUntil">;

/** What a key or a button acts on: emails, or the conversations that they stand for. */
export interface Meant {
  emails: readonly Row[];
  areThreads: boolean;
  /** Everything that the list has, of which `emails` are those that are loaded. */
  matching?: Matching | null;
}

/** How many rows are meant. */
export const countOf = ({ emails, matching }: Meant): number => matching?.count ?? emails.length;

/** Which emails of a conversation change: those in a box, all that are not put aside (`all`), or the one it is listed by. */
type Part = Within | "all" | "one";

/** A snooze in words is shown as this until the service has read the words. */
const SOON_MS = 24 * 60 * 60 * 1000;

function shown(email: Email, { snoozeText, isMuted, addTags, removeTags, ...fields }: Fields): Partial<Email> {
  return {
    ...fields,
    ...(snoozeText && { snoozedUntil: new Date(Date.now() + SOON_MS).toISOString() }),
    ...((addTags || removeTags) && {
      tags: [...new Set([...email.tags, ...(addTags ?? [])])].filter((tag) => !removeTags?.includes(tag)),
    }),
  };
}

function isIn(part: Part, email: Email): boolean {
  if (part === "all") return !isAside(email);
  if (part === "snoozed") return isSnoozed(email) && !isAside(email);
  return email.status === part && !(part === "inbox" && isSnoozed(email));
}

interface Target {
  email: Row;
  part: Part;
}

function requestsFor(targets: readonly Target[], fields: Fields): Bulk[] {
  return [...Map.groupBy(targets, ({ part }) => part)].map(([part, some]) => {
    if (part === "one") return { ids: some.map(({ email }) => email.id), ...fields };
    const threadIds = some.map(({ email }) => email.threadId);
    return { threadIds, ...(part !== "all" && { within: part }), ...fields };
  });
}

/**
 * One request for any number of emails or conversations, and one for each former state to undo it. `partOf`: which emails
 * of a conversation change.
 */
async function changeEmails(
  meant: Meant,
  fields: Fields,
  { done, partOf = wholeOf }: { done?: (count: number) => string; partOf?: (email: Email) => Part } = {},
): Promise<unknown> {
  const { emails, areThreads, matching } = meant;
  if (emails.length === 0) return null;
  const targets = emails.map((email): Target => ({ email, part: areThreads ? partOf(email) : "one" }));
  if (matching) return changeMatching(matching, targets, fields, done);
  const send = (body: Bulk) => api.patch("/api/emails", { body });
  const threads = [...new Set(emails.map(({ threadId }) => threadId))];
  return change<Row, { before?: Former[] }[]>({
    kind: "email",
    // A change of an email and one of its conversation wait for each other, too.
    ids: [...emails.map(({ id }) => id), ...threads.map((id) => `thread ${id}`)],
    ...appearance(targets, fields),
    send: () => Promise.all(requestsFor(targets, fields).map(send)),
    failed: m.notChanged,
    ...(done && {
      undo: {
        done: done(emails.length),
        sum: { words: done, count: emails.length },
        send(results) {
          const single = targets.filter(({ part }) => part === "one").map(({ email }) => email);
          const before = [...single, ...results.flatMap((result) => result.before ?? [])];
          const unmuted = fields.isMuted === undefined ? [] : [{ threadIds: threads, isMuted: !fields.isMuted }];
          return Promise.all([...formerStates(before, fields), ...unmuted].map(send));
        },
      },
    }),
  });
}

const portions = () => import("./matching.ts");
const undo = async (id: string | null) => (await portions()).undoMatching(id);

/** The same for all that the list has. The rows that are loaded show it at once. */
function changeMatching(
  matching: Matching,
  targets: readonly Target[],
  { isMuted: _, ...fields }: Fields,
  done: ((count: number) => string) | undefined,
): Promise<unknown> {
  const parts = [...new Set(targets.map(({ part }) => part))];
  const [part] = parts;
  const within = parts.length === 1 && part !== "all" && part !== "one" ? part : undefined;
  return change<Row, string | null>({
    kind: "email",
    ids: targets.flatMap(({ email }) => [email.id, `thread ${email.threadId}`]),
    ...appearance(targets, fields),
    send: async () => (await portions()).updateMatching(matching, { ...fields, within }, part !== "one"),
    failed: m.notChanged,
    ...(done && {
      undo: { done: done(matching.count), sum: { words: done, count: matching.count }, send: undo },
    }),
  });
}

/** How emails and the rows of their conversations look after a change. What arrives later is not part of it. */
function appearance(targets: readonly Target[], fields: Fields): { isFor(row: Row): boolean; edit(row: Row): Row } {
  const byThread = Map.groupBy(targets, ({ email }) => email.threadId);
  const newest = Math.max(...listedRows().map(({ id }) => id), ...targets.map(({ email }) => email.id));
  const isChanged = (row: Row) =>
    byThread
      .get(row.threadId)
      ?.some(({ email, part }) => (part === "one" ? email.id === row.id : row.id <= newest && isIn(part, row))) ??
    false;
  // As many as are left, however often it is drawn: what is read meanwhile may already be without the others.
  const unread = new Map([...byThread].map(([id, some]) => [id, unreadLeft(id, some)]));
  return {
    isFor: (row) => byThread.has(row.threadId),
    edit(row) {
      const edited = isChanged(row) ? { ...row, ...shown(row, fields) } : row;
      const { conversation, threadId } = edited;
      if (!conversation) return edited;
      const { isRead, isStarred = conversation.isStarred, isMuted = conversation.isMuted } = fields;
      const { unreadCount } = conversation;
      const left = isRead === false ? Math.max(1, unreadCount) : Math.min(unreadCount, unread.get(threadId) ?? 0);
      return {
        ...edited,
        conversation: { ...conversation, isStarred, isMuted, ...(isRead !== undefined && { unreadCount: left }) },
      };
    },
  };
}

/** How many emails of a conversation are unread when these are read. */
function unreadLeft(threadId: number, targets: readonly Target[]): number {
  if (targets.some(({ part }) => part !== "one")) return 0;
  const known = listedThread(threadId)?.conversation?.unreadCount ?? 0;
  return Math.max(0, known - targets.filter(({ email }) => !email.isRead).length);
}

function formerStates(emails: readonly Former[], fields: Fields): Bulk[] {
  const states = new Map<string, Bulk & { ids: number[] }>();
  for (const email of emails) {
    const { addTags, removeTags } = fields;
    const added = addTags?.filter((tag) => !email.tags.includes(tag)) ?? [];
    const removed = removeTags?.filter((tag) => email.tags.includes(tag)) ?? [];
    const former: Omit<Bulk, "ids"> = {
      ...(fields.isRead !== undefined && { isRead: email.isRead }),
      ...(fields.isStarred !== undefined && { isStarred: email.isStarred }),
      ...(fields.status !== undefined && { status: email.status }),
      ...((fields.snoozedUntil !== undefined || fields.snoozeText !== undefined) && {
        snoozedUntil: isSnoozed(email) ? email.snoozedUntil : null,
      }),
      ...(added.length > 0 && { removeTags: added }),
      ...(removed.length > 0 && { addTags: removed }),
    };
    const key = JSON.stringify(former);
    if (key === "{}") continue;
    const state = states.get(key) ?? { ids: [], ...former };
    state.ids.push(email.id);
    states.set(key, state);
  }
  return [...states.values()];
}

/** All of a conversation, or as much of it as is in spam or in the trash. */
const wholeOf = (email: Email): Part => (isAside(email) ? email.status : "all");
const placeOf = (email: Email): Part => (isSnoozed(email) && !isAside(email) ? "snoozed" : email.status);
const inboxOf = (email: Email): Part => (placeOf(email) === "snoozed" ? "snoozed" : "inbox");
const oneOf = (): Part => "one";

export const archive = (meant: Meant) =>
  changeEmails(meant, { status: "archived" }, { done: m.done.archived, partOf: inboxOf });
export const moveToInbox = (meant: Meant) =>
  changeEmails(meant, { status: "inbox", snoozedUntil: null }, { done: m.done.inbox, partOf: placeOf });
export const trash = (meant: Meant) => changeEmails(meant, { status: "trash" }, { done: m.done.trashed });
export const moveToSpam = (meant: Meant) => changeEmails(meant, { status: "spam" }, { done: m.done.spam });
export const notSpam = (meant: Meant) => changeEmails(meant, { status: "inbox" }, { done: m.done.notSpam });
/** What has been archived comes back to the inbox afterwards: only the one that is meant, and no sent ones with it. */
export const snooze = (meant: Meant, snoozeText: string) =>
  changeEmails(
    meant,
    { snoozeText },
    { done: m.done.snoozed, partOf: (email) => (placeOf(email) === "archived" ? "one" : placeOf(email)) },
  );
export const wake = (meant: Meant) =>
  changeEmails(meant, { snoozedUntil: null }, { done: m.done.woken, partOf: placeOf });

/** The whole conversation is read, or its newest email is unread. */
export function markRead(meant: Meant, isRead: boolean): void {
  const done = isRead ? m.done.read : m.done.unread;
  void changeEmails(meant, { isRead }, { done, partOf: isRead ? wholeOf : oneOf });
}

/** Stars the newest email of each, or takes all stars away if every one has one. */
export function toggleStar(meant: Meant): void {
  const isStarred = !meant.emails.every(hasStar);
  const done = isStarred ? m.done.starred : m.done.unstarred;
  void changeEmails(meant, { isStarred }, { done, partOf: isStarred ? oneOf : wholeOf });
}

/** A muted conversation leaves the inbox, and what comes later does not come back there. */
export function toggleMute({ emails }: Meant, leave?: () => void): void {
  const isMuted = !emails.every(({ conversation }) => conversation?.isMuted);
  const done = isMuted ? m.done.muted : m.done.unmuted;
  const inInbox = emails.filter(({ status }) => isMuted && status === "inbox");
  const others = emails.filter((email) => !inInbox.includes(email));
  if (inInbox.length > 0) leave?.();
  void changeEmails({ emails: inInbox, areThreads: true }, { isMuted, status: "archived" }, { done, partOf: inboxOf });
  void changeEmails({ emails: others, areThreads: true }, { isMuted }, { done });
}

/** Emails whose content is shown are read, without a word about it. Several that are shown together make one change. */
export function noteRead(email: Email): void {
  if (noted.length === 0) {
    setTimeout(() => void changeEmails({ emails: noted.splice(0), areThreads: false }, { isRead: true }), GATHER_MS);
  }
  noted.push(email);
}

const noted: Email[] = [];
const GATHER_MS = 20;

export const changeTags = (meant: Meant, tags: Pick<Fields, "addTags" | "removeTags">): Promise<unknown> =>
  changeEmails(meant, tags, { done: m.done.tagged });

/** Only from the trash, and only after a question: nothing brings them back. */
export async function deleteForever({ emails, areThreads }: Meant, onSure: () => void): Promise<void> {
  const question = { title: m.askDelete(emails.length), text: m.askDeleteText, button: m.deleteForever };
  if (emails.length === 0 || !(await ask(question))) return;
  onSure();
  const deleted = await change<Email, unknown>({
    kind: "email",
    ids: emails.map(({ id }) => id),
    edit: () => null,
    async send() {
      const all = areThreads ? await readAside(emails) : emails;
      for (let start = 0; start < all.length; start += AT_ONCE) {
        const some = all.slice(start, start + AT_ONCE);
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
