import { analysisQuestion } from "../../src/features/emails/analysis/question.ts";
import { BUILTIN_ENGINE } from "../../src/lib/ai-kinds.ts";
import type { EmailAuthentication, EmailKind } from "../../src/lib/email-kinds.ts";
import type { ListHeaders } from "../../src/lib/list-headers.ts";
import type { SeedContext } from "./area.ts";
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
}

/** About sixty mails in nineteen threads over three weeks, in the inboxes of a small consultancy. */
export async function mail({ db, random, now }: SeedContext): Promise<string> {
  const mails = THREADS.flatMap((thread, index) => mailsOf(thread, index, now, random)).map((each) => ({
    ...each,
    snippet: each.body.replace(/\s+/g, " ").slice(0, 200),
    key: each.messageId.slice(1, -1),
    thread: (each.references[0] ?? each.messageId).slice(1, -1),
    analysis: each.isOutbound ? null : analysisOf(each),
  }));
  const json = JSON.stringify(mails);
  const ours = "(SELECT value ->> 'messageId' FROM json_each(?1))";
  await db.batch([
    db.prepare(`DELETE FROM emails WHERE message_id IN ${ours}`).bind(json),
    // A thread has the id of its first mail.
    db
      .prepare(
        `WITH mails AS MATERIALIZED (
           SELECT value, row_number() OVER (ORDER BY value ->> 'receivedAt')
             + (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'emails') AS id
           FROM json_each(?1))
         INSERT INTO emails (id, message_id, thread_id, in_reply_to, reference_ids, direction, source, kind, list, authentication, delivery,
           from_name, from_email, to_recipients, cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version,
           created_at, updated_at, body, analysis, urgency, category, reply_needed)
         SELECT id, value ->> 'messageId', (SELECT first.id FROM mails first WHERE first.value ->> 'key' = mails.value ->> 'thread'),
           value ->> '$.references[#-1]', value -> 'references', iif(value ->> 'isOutbound', 'outbound', 'inbound'), 'import',
           value ->> 'kind', nullif(value -> 'list', 'null'), nullif(value -> 'authentication', 'null'), iif(value ->> 'isOutbound', 'sent', NULL),
           value ->> 'fromName', value ->> 'from',
           json_array(json_object('name', value ->> 'toName', 'email', value ->> 'to')), '[]', value ->> 'subject',
           value ->> 'snippet', '[]', value -> 'tags', iif(value ->> 'isArchived', 'archived', 'inbox'), value ->> 'isRead',
           value ->> 'isStarred', value ->> 'receivedAt', 1, value ->> 'receivedAt', value ->> 'receivedAt', value ->> 'body',
           nullif(value -> 'analysis', 'null'), value ->> '$.analysis.urgency.level',
           value ->> '$.analysis.category', value ->> '$.analysis.replyNeeded'
         FROM mails ORDER BY id`,
      )
      .bind(json),
  ]);
  const inboxes = [...new Set(THREADS.map(({ inbox }) => inbox))];
  return `${mails.length} emails in ${THREADS.length} threads, tagged by inbox: ${inboxes.join(", ")}`;
}

/** What the built-in engine makes of an email, as the service stores it when one arrives. */
function analysisOf({ body, subject, fromName, from, receivedAt, kind, authentication }: SeedMail) {
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
    };
  });
}

function firstName(name: string): string {
  return name.split(" ")[0] ?? name;
}
