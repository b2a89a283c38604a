import { signInOf } from "../../src/engine/email/sign-in.ts";
import { analysisQuestion } from "../../src/features/emails/analysis/question.ts";
import { BUILTIN_ENGINE } from "../../src/lib/ai-kinds.ts";
import type { EmailAuthentication, EmailKind } from "../../src/lib/email-kinds.ts";
import type { ListHeaders } from "../../src/lib/list-headers.ts";
import type { SeedContext } from "./area.ts";
import { rawWithFiles, type SeedFile } from "./mail-files.ts";
import { MAIN_INBOX, THREADS, type ThreadSeed } from "./mail-threads.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DOMAIN = "seed.example";

const PASSED: EmailAuthentication = { spf: "pass", dkim: "pass", dmarc: "pass" };
const FAILED: EmailAuthentication = { spf: "fail", dkim: "none", dmarc: "fail" };

interface SeedMail {
  messageId: string;
  references: string[];
  from: string;
  fromName: string;
  to: string;
  toName: string;
  subject: string;
  body: string;
  tags: string[];
  receivedAt: number;
  isOutbound: boolean;
  isRead: boolean;
  isStarred: boolean;
  isArchived: boolean;
  kind: EmailKind;
  list: ListHeaders | null;
  authentication: EmailAuthentication | null;
  files: readonly SeedFile[];
  /** When it is to leave. */
  sendAt?: number;
}

/** About sixty mails in nineteen threads over three weeks, in the inboxes of a small consultancy, one to be sent and one with a code. */
export async function mail({ db, files, random, now }: SeedContext): Promise<string> {
  const inOrder = THREADS.flatMap((thread, index) => mailsOf(thread, index, now, random)).sort(
    (a, b) => a.receivedAt - b.receivedAt,
  );
  // Its id is the one that /docs proposes to take back.
  inOrder.splice(2, 0, scheduledMail(now));
  inOrder.push(codeMail(now));
  const mails = await Promise.all(
    inOrder.map(async ({ files: own, ...each }) => ({
      ...each,
      ...(await storeFiles(files, now, each, own)),
      snippet: each.body.replace(/\s+/g, " ").slice(0, 200),
      key: each.messageId.slice(1, -1),
      thread: (each.references[0] ?? each.messageId).slice(1, -1),
      analysis: each.isOutbound ? null : analysisOf(each),
      signIn: each.isOutbound ? null : signInIn(each),
    })),
  );
  // As the service does: an answer settles what came before it in the thread.
  const isAnswered = ({ thread, receivedAt }: { thread: string; receivedAt: number }) =>
    mails.some((other) => other.isOutbound && other.thread === thread && other.receivedAt > receivedAt);
  const json = JSON.stringify(mails.map((each) => ({ ...each, isAnswered: isAnswered(each) })));
  const ours = "(SELECT value ->> 'messageId' FROM json_each(?1))";
  await db.batch([
    db.prepare(`DELETE FROM emails WHERE message_id IN ${ours}`).bind(json),
    // A thread has the id of its first mail.
    db
      .prepare(
        `WITH mails AS MATERIALIZED (
           SELECT value, row_number() OVER (ORDER BY key)
             + (SELECT max(last_id, coalesce((SELECT max(id) FROM emails), 0)) FROM email_totals) AS id
           FROM json_each(?1))
         INSERT INTO emails (id, message_id, thread_id, in_reply_to, reference_ids, direction, source, kind, list, authentication, delivery, send_at,
           raw_key, raw_size, has_attachments, html, from_name, from_email, to_recipients, cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version,
           created_at, updated_at, body, analysis, urgency, category, reply_needed, sign_in)
         SELECT id, value ->> 'messageId', (SELECT first.id FROM mails first WHERE first.value ->> 'key' = mails.value ->> 'thread'),
           value ->> '$.references[#-1]', value -> 'references', iif(value ->> 'isOutbound', 'outbound', 'inbound'), 'import',
           value ->> 'kind', nullif(value -> 'list', 'null'), nullif(value -> 'authentication', 'null'), CASE WHEN value ->> 'sendAt' IS NOT NULL THEN 'scheduled' WHEN value ->> 'isOutbound' THEN 'sent' END, value ->> 'sendAt',
           value ->> 'rawKey', value ->> 'rawSize', value ->> 'hasAttachments', value ->> 'html',
           value ->> 'fromName', value ->> 'from',
           json_array(json_object('name', value ->> 'toName', 'email', value ->> 'to')), '[]', value ->> 'subject',
           value ->> 'snippet', value -> 'attachments', value -> 'tags', CASE WHEN value ->> 'kind' = 'spam_like' THEN 'spam' WHEN value ->> 'isArchived' THEN 'archived' ELSE 'inbox' END, value ->> 'isRead',
           value ->> 'isStarred', value ->> 'receivedAt', 1, min(value ->> 'receivedAt', ?2), min(value ->> 'receivedAt', ?2), value ->> 'body',
           nullif(value -> 'analysis', 'null'), value ->> '$.analysis.urgency.level',
           value ->> '$.analysis.category', iif(value ->> 'isAnswered', 0, value ->> '$.analysis.replyNeeded'),
           nullif(value -> 'signIn', 'null')
         FROM mails ORDER BY id`,
      )
      // One that leaves later was written now.
      .bind(json, now.getTime()),
  ]);
  const inboxes = [...new Set(THREADS.map(({ inbox }) => inbox))];
  return `${mails.length} emails in ${THREADS.length} threads, tagged by inbox: ${inboxes.join(", ")}`;
}

const NO_FILES = { attachments: [], rawKey: null, rawSize: null, hasAttachments: false, html: null };

/** Writes the message of an email with files, as the service does with one that arrives. */
async function storeFiles(store: R2Bucket, now: Date, email: Omit<SeedMail, "files">, own: readonly SeedFile[]) {
  if (own.length === 0) return NO_FILES;
  const { messageId, fromName, from, toName, to, subject, body, receivedAt } = email;
  const people = { from: { name: fromName, email: from }, to: { name: toName, email: to } };
  const { raw, html, attachments } = await rawWithFiles({ messageId, ...people, subject, body, receivedAt }, own);
  // A key is used once: the object of an email that is replaced is deleted later.
  const rawKey = `emails/${now.toISOString().slice(0, 10)}/${crypto.randomUUID()}`;
  await store.put(rawKey, raw);
  return { attachments, rawKey, rawSize: raw.length, hasAttachments: attachments.some(({ inline }) => !inline), html };
}

/** Leaves in a month, so that there is one to take back. */
function scheduledMail(now: Date): SeedMail {
  const sendAt = now.getTime() + 30 * DAY_MS + 9 * 60 * MINUTE_MS;
  return {
    messageId: `<seed-scheduled@${DOMAIN}>`,
    references: [],
    from: "assistant@localhost.example",
    fromName: MAIN_INBOX.name,
    to: "ann.mueller@nordlicht.example",
    toName: "Ann Müller",
    subject: "Agenda of the workshop",
    body: "Hi Ann,\n\nhere is what we are going to do on the two days. Please tell me what is missing.\n\nBest,\nAda",
    tags: ["sales"],
    receivedAt: sendAt,
    sendAt,
    isOutbound: true,
    isRead: true,
    isStarred: false,
    isArchived: true,
    kind: "person",
    list: null,
    authentication: null,
    files: [],
  };
}

/** A minute old, so that its code is still valid. */
function codeMail(now: Date): SeedMail {
  return {
    messageId: `<seed-code@${DOMAIN}>`,
    references: [],
    from: "no-reply@papertrail.example",
    fromName: "Papertrail",
    to: `hello@${MAIN_INBOX.domain}`,
    toName: MAIN_INBOX.name,
    subject: "Your sign-in code",
    body: "Hi Ada,\n\nyour sign-in code is 482913. It expires in 30 minutes.\n\nIf you did not try to sign in, ignore this email.",
    tags: ["hello"],
    receivedAt: now.getTime() - MINUTE_MS,
    isOutbound: false,
    isRead: false,
    isStarred: false,
    isArchived: false,
    kind: "notification",
    list: null,
    authentication: PASSED,
    files: [],
  };
}

function signInIn({ from, subject, body, receivedAt }: Omit<SeedMail, "files">) {
  const found = signInOf({ from, subject, body });
  if (!found) return null;
  const { minutes, ...signIn } = found;
  const expiresAt = minutes === null ? null : new Date(receivedAt + minutes * MINUTE_MS).toISOString();
  return { ...signIn, expiresAt };
}

/** What the built-in engine makes of an email, as the service stores it when one arrives. */
function analysisOf({ body, subject, fromName, from, receivedAt, kind, authentication }: Omit<SeedMail, "files">) {
  const input = {
    content: body,
    subject,
    from: { name: fromName, email: from },
    reference: new Date(receivedAt),
    timeZone: "Europe/London",
    kind,
    authentication,
  };
  return { ...analysisQuestion(input).builtin(), engine: BUILTIN_ENGINE };
}

/** The mails of one thread, the answers hours after each other. */
function mailsOf(thread: ThreadSeed, index: number, now: Date, random: () => number): SeedMail[] {
  const { inbox, subject, person, tags = [], daysAgo, messages, kind = "person" } = thread;
  const idOf = (number: number) => `<seed-${String(index).padStart(2, "0")}-${number}@${DOMAIN}>`;
  // The day before today is the last: nothing has arrived in the future.
  let at = now.getTime() - (daysAgo + 1) * DAY_MS + (7 + Math.floor(random() * 9)) * 60 * MINUTE_MS;
  return messages.map((message, number) => {
    const isOutbound = message.startsWith("> ");
    const address = `${inbox}@${MAIN_INBOX.domain}`;
    const isLast = number === messages.length - 1;
    const receivedAt = Math.min(at, now.getTime() - (messages.length - number) * 10 * MINUTE_MS);
    at += (2 + Math.floor(random() * 20)) * 60 * MINUTE_MS;
    return {
      messageId: idOf(number),
      references: Array.from({ length: number }, (_, before) => idOf(before)),
      from: isOutbound ? address : person.email,
      fromName: isOutbound ? MAIN_INBOX.name : person.name,
      to: isOutbound ? person.email : address,
      toName: isOutbound ? person.name : MAIN_INBOX.name,
      subject: number === 0 ? subject : `Re: ${subject}`,
      body: isOutbound
        ? `Hi ${firstName(person.name)},\n\n${message.slice(2)}\n\nBest,\nAda`
        : `Hi Ada,\n\n${message}\n\nBest regards,\n${person.name}`,
      tags: [inbox, ...tags],
      receivedAt,
      isOutbound,
      kind: isOutbound ? "person" : kind,
      list: isOutbound ? null : (thread.list ?? null),
      authentication: isOutbound ? null : kind === "spam_like" ? FAILED : PASSED,
      isRead: isOutbound || !isLast || daysAgo > 4,
      isStarred: isLast && random() < 0.2,
      isArchived: isOutbound || (daysAgo > 12 && random() < 0.7),
      files: number === 0 ? (thread.files?.(now) ?? []) : [],
    };
  });
}

function firstName(name: string): string {
  return name.split(" ")[0] ?? name;
}
