import type { components } from "#api";
import type { mail } from "../../messages/mail.ts";

export type Email = components["schemas"]["EmailList"]["data"][number];
/** What a list shows of a whole conversation. */
type Conversation = components["schemas"]["EmailConversation"]["conversation"];
/** A row of the list: an email, or a conversation by its newest email in the box. */
export type Row = Email & { conversation?: Conversation };
type Boxes = components["schemas"]["EmailBoxes"];

export type BoxName = keyof typeof mail.boxes;

/** The boxes of emails, in the order of the tabs. Drafts are records of their own. */
export const BOX_NAMES: readonly BoxName[] = [
  "inbox",
  "starred",
  "snoozed",
  "drafts",
  "sent",
  "archive",
  "spam",
  "trash",
];

export const BOX_ICONS: Record<BoxName, string> = {
  inbox: "inbox",
  starred: "star",
  snoozed: "snooze",
  drafts: "drafts",
  sent: "send",
  archive: "archive",
  spam: "alert",
  trash: "trash",
};

export function boxOf(name: string | undefined): BoxName | null {
  return BOX_NAMES.find((each) => each === (name ?? "inbox")) ?? null;
}

/** What the API is asked for. */
export function queryOf(box: BoxName) {
  const queries = {
    inbox: { status: "inbox" },
    starred: { starred: true, status: "any" },
    snoozed: { snoozed: true, status: "any" },
    drafts: {},
    sent: { direction: "outbound", status: "any" },
    archive: { status: "archived" },
    spam: { status: "spam" },
    trash: { status: "trash" },
  } as const;
  return queries[box];
}

/** In spam or in the trash: other boxes leave it out. */
export const isAside = ({ status }: Email) => status === "spam" || status === "trash";

export function isSnoozed({ snoozedUntil }: Pick<Email, "snoozedUntil">, now = new Date()): boolean {
  return snoozedUntil !== null && new Date(snoozedUntil) > now;
}

/** Of the whole conversation, or of the email. */
export const isUnread = ({ conversation, isRead }: Row) => (conversation ? conversation.unreadCount > 0 : !isRead);
export const hasStar = ({ conversation, isStarred }: Row) => conversation?.isStarred ?? isStarred;

/** Whether an email belongs to the box after the changes that are under way. */
export function belongsTo(box: BoxName, email: Email, now: Date): boolean {
  const isAsleep = isSnoozed(email, now);
  switch (box) {
    case "inbox":
      return email.status === "inbox" && !isAsleep;
    case "starred":
      return email.isStarred && !isAside(email);
    case "snoozed":
      return isAsleep && !isAside(email);
    case "archive":
      return email.status === "archived";
    case "spam":
    case "trash":
      return email.status === box;
    default:
      return !isAside(email);
  }
}

/** Only of the inbox: nothing waits elsewhere. */
export function unreadOf(box: BoxName, counts: Boxes | undefined): number {
  return box === "inbox" ? (counts?.inbox.unread ?? 0) : 0;
}
