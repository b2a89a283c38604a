import { decodeWords } from "postal-mime";
import type { Header } from "../../../lib/authentication-results.ts";
import type { EmailStatus } from "../../../lib/email-kinds.ts";
import { withoutComments } from "../../../lib/mime/comments.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS, normaliseTag, uniqueTags } from "../../../lib/tags.ts";

/** Flags and labels of another email program. */
interface ImportedFlags {
  status: EmailStatus;
  isRead: boolean;
  isStarred: boolean;
  isSent: boolean;
  tags: string[];
}

/** Labels of Gmail that are no labels of the person. */
const GMAIL_LABELS = new Set(
  ["inbox", "unread", "opened", "starred", "important", "sent", "archived", "trash", "spam", "chat"].concat(
    ["personal", "social", "promotions", "updates", "forums", "purchases"].map((name) => `category ${name}`),
  ),
);

/** X-Mozilla-Status is a number of four hexadecimal digits. */
const MOZILLA = { read: 0x0001, starred: 0x0004 };

/**
 * Reads `X-Gmail-Labels`, `Status`, `X-Status` and `X-Mozilla-Status`. A message without any of them is old email: read, and
 * not in the inbox.
 */
export function flagsOf(headers: readonly Header[]): ImportedFlags {
  const value = (name: string) => headers.find(({ key }) => key.toLowerCase() === name)?.value ?? null;
  const labels = labelsOf(gmailLabels(headers));
  const status = `${value("status") ?? ""}${value("x-status") ?? ""}`;
  const mozilla = Number.parseInt(value("x-mozilla-status") ?? "", 16) || null;
  const has = (label: string) => labels.includes(label);
  const isUnread = has("unread") || (value("status") !== null && !status.includes("R")) || isOff(mozilla, MOZILLA.read);
  return {
    status: (["trash", "spam", "inbox"] as const).find(has) ?? "archived",
    isRead: !isUnread,
    isStarred: has("starred") || status.includes("F") || isOn(mozilla, MOZILLA.starred),
    isSent: has("sent"),
    tags: labels.filter((label) => !GMAIL_LABELS.has(label)).slice(0, MAX_TAGS),
  };
}

const isOn = (flags: number | null, flag: number) => flags !== null && (flags & flag) !== 0;
const isOff = (flags: number | null, flag: number) => flags !== null && (flags & flag) === 0;

/**
 * Gmail writes its labels above all that a message came with. Further down a sender wrote them, who could pass an email
 * off as one that the person has sent.
 */
function gmailLabels(headers: readonly Header[]): string | null {
  const came = headers.findIndex(({ key }) => /^(?:received|delivered-to|return-path)$/i.test(key));
  const above = came === -1 ? headers : headers.slice(0, came);
  return above.find(({ key }) => key.toLowerCase() === "x-gmail-labels")?.value ?? null;
}

function labelsOf(header: string | null): string[] {
  const labels = decodeWords(header ?? "").split(",");
  const tags = labels.map((label) => normaliseTag(label.replaceAll(/^"|"$/g, ""))).filter(Boolean);
  return uniqueTags(tags.map((tag) => [...tag].slice(0, MAX_TAG_CHARACTERS).join("")));
}

const DATE_CHARACTERS = 1000;

/** When a message was received: the top `Received` says so. Null if it cannot be read. */
export function receivedAtOf(headers: readonly Header[]): Date | null {
  const received = headers.find(({ key }) => key.toLowerCase() === "received")?.value;
  // A date has some thirty characters, and perhaps a comment.
  const date = received?.slice(received.lastIndexOf(";") + 1).slice(0, DATE_CHARACTERS) ?? "";
  const at = new Date(withoutComments(date).trim());
  return Number.isNaN(at.getTime()) ? null : at;
}
