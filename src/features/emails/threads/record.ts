import type { Conversation } from "../queries/schemas.ts";
import { type Reader, type SummaryRow, toSummary } from "../record.ts";
import type { ThreadFacts } from "./columns.ts";

/** An email that a list has found, and for conversations what it shows of the whole thread. */
export type ThreadRow = SummaryRow & { facts?: ThreadFacts | null };

export function toConversation(reader: Reader, row: ThreadRow): Conversation {
  const [emailCount, isMuted, participants, count, unread, starred, files] = row.facts ?? [1, 0, [], 1, 0, 0, 0];
  const ownAddress = "user" in reader.actor ? reader.actor.user.email.toLowerCase() : undefined;
  return {
    ...toSummary(reader, { ...row, threadCount: emailCount }),
    conversation: {
      count,
      unreadCount: unread,
      isStarred: starred > 0,
      hasAttachments: files > 0,
      participants: participants.map(([name, address, isMe]) => ({
        name,
        address,
        isMe: isMe === 1 || address.toLowerCase() === ownAddress,
      })),
      isMuted: isMuted === 1,
    },
  };
}
