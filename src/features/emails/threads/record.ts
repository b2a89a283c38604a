import type { Address } from "../../../lib/addresses.ts";
import { assertType } from "../../../lib/cast.ts";
import type { EmailStatus } from "../../../lib/email-kinds.ts";
import { isoTime, isoTimeOrNull } from "../../../lib/iso-times.ts";
import type { ThreadSummary } from "../queries/schemas.ts";
import type { SummaryRow } from "../record.ts";
import { SUMMARIZED, type ThreadEmail } from "./columns.ts";

/** An email that a list has found, and for conversations the emails of its thread. */
export type ThreadRow = SummaryRow & { threadEmails?: ThreadEmail[] | null };

const MAX_PARTICIPANTS = 20;

interface Part {
  id: number;
  direction: string;
  from: Address;
  to: Address[];
  tags: string[];
  status: EmailStatus;
  isRead: boolean;
  isStarred: boolean;
  hasAttachment: boolean;
  snippet: string;
  receivedAt: Date;
}

export function toThread(row: ThreadRow): ThreadSummary {
  const parts = row.threadEmails?.length ? row.threadEmails.map(toPart) : [partOf(row)];
  const newest = parts[0] ?? partOf(row);
  const statuses = new Set(parts.map(({ status }) => status));
  return {
    threadId: row.threadId,
    subject: row.subject,
    participants: participantsOf(parts),
    count: parts.length < SUMMARIZED ? parts.length : Math.max(row.threadCount, parts.length),
    unread: parts.filter(({ isRead }) => !isRead).length,
    emailId: newest.id,
    snippet: newest.snippet,
    receivedAt: isoTime(newest.receivedAt),
    matchId: row.id,
    snoozedUntil: isoTimeOrNull(row.snoozedUntil),
    hasAttachment: parts.some(({ hasAttachment }) => hasAttachment),
    isStarred: parts.some(({ isStarred }) => isStarred),
    tags: [...new Set(parts.flatMap(({ tags }) => tags))],
    status: statuses.has("inbox") ? "inbox" : newest.status,
  };
}

function partOf(row: ThreadRow): Part {
  const hasAttachment = row.attachments.some(({ inline }) => !inline);
  return { ...row, from: { name: row.fromName, email: row.fromEmail }, hasAttachment };
}

function toPart(email: ThreadEmail): Part {
  const [id, direction, name, address, to, tags, status, isRead, isStarred, hasAttachments, snippet, receivedAt] =
    email;
  return {
    id,
    direction,
    from: { name, email: address },
    to: assertType<Address[]>(JSON.parse(to)),
    tags: assertType<string[]>(JSON.parse(tags)),
    status: assertType<EmailStatus>(status),
    isRead: isRead === 1,
    isStarred: isStarred === 1,
    hasAttachment: hasAttachments === 1,
    snippet,
    receivedAt: new Date(receivedAt),
  };
}

/** Who wrote, and to whom the person wrote, each address once, in the order they joined. */
function participantsOf(parts: readonly Part[]): Address[] {
  const people = parts
    .toReversed()
    .flatMap(({ direction, from, to }) => (direction === "outbound" ? [from, ...to] : [from]));
  const known = new Map<string, Address>();
  for (const person of people) {
    const address = person.email.toLowerCase();
    if (!known.get(address)?.name) known.set(address, person);
  }
  return [...known.values()].slice(0, MAX_PARTICIPANTS);
}
