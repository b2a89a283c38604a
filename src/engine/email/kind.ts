import type { Header, SenderProof } from "../../lib/authentication-results.ts";
import type { EmailKind } from "../../lib/email-kinds.ts";
import type { EmailInput } from "./email.ts";
import { type HeaderSigns, isMailSystem, isRobot, isRole, signsIn } from "./kind-senders.ts";
import {
  ABSENCE_CUES,
  ABSENCE_SUBJECT,
  AUTOMATIC_ANSWER,
  AUTOMATIC_SUBJECT,
  AUTOMATIC_TEXT,
  BOUNCE_SUBJECT,
  BULK_ADDRESS,
  BULK_CUES,
  NOTICE,
  RECEIPT_CUES,
  RECEIPT_SUBJECT,
  UNSUBSCRIBE,
} from "./kind-words.ts";
import { signInOf } from "./sign-in.ts";
import { isSuspicious } from "./suspicion.ts";

/** The facts that decide the kind of a message. */
export interface KindFacts {
  /** Empty where nobody knows them: then the sender and the words decide alone. */
  headers: readonly Header[];
  proof: SenderProof;
  /** The sender of the SMTP envelope: empty for a bounce; null if it is not known. */
  envelopeFrom: string | null;
  from: string;
  fromName: string;
  replyTo: string | null;
  /** The inbox it came to, if that is known. */
  deliveredTo: string | null;
  subject: string;
  body: string;
  html?: string | null;
  calendarParts: readonly string[];
  /** The person said that this sender sends no spam: the words alone make nobody suspicious then. */
  isTrusted?: boolean;
  /** Certainly from somebody whom the person knows: what they forward is not theirs. */
  isKnown?: boolean;
  /** Whether it has a code or link that signs its reader in; read from its text if it is not given. */
  isSignIn?: boolean;
}

const INVITING_METHOD = /^METHOD(?:;[^:\r\n]*)?:\s*(?:REQUEST|CANCEL|REPLY|COUNTER|DECLINECOUNTER|ADD|REFRESH)\s*$/im;
const FORWARDED = /^\s*(?:fwd?|wg|tr|rv|i|doorst|vs)\s*:/i;
const READ_CHARACTERS = 8000;
const FOOTER_CHARACTERS = 1500;
const FOOTER_LINES = 4;
const FOOTER_WORDS = 8;

/** The kind of a received message. Its headers decide, and where they say nothing, its sender and its words. */
export function kindOf(facts: KindFacts): EmailKind {
  const { proof, from } = facts;
  const signs = signsIn(facts.headers);
  if (proof === "failed") return "spam_like";
  const isForwarded = FORWARDED.test(facts.subject);
  // Before the kinds that a sender can choose by a header. An invitation is read in a calendar.
  const body = [facts.body, ...facts.calendarParts].join("\n");
  const isExempt = facts.isTrusted || (isForwarded && facts.isKnown);
  if (!isExempt && isSuspicious({ ...facts, body, isMarkedSpam: signs.isMarkedSpam })) return "spam_like";
  if (isBounce(facts, signs)) return "bounce";
  if (isInvitation(facts, signs)) return "invitation";
  if (isAutomaticReply(facts, signs)) return "auto_reply";
  if (facts.isSignIn ?? signInOf(facts)) return "notification";
  const isMachine = signs.isAutomatic || isRobot(from) || isMailSystem(from) || signs.isService;
  const isSentForOthers = isMachine || signs.isRelayed || signs.isList || signs.isBulk;
  if (isSentForOthers || isRole(from) || AUTOMATIC_TEXT.test(endsOf(facts.body))) {
    const kind = machineKind(facts, signs, isMachine);
    if (kind) return kind;
  }
  if (signs.isList || signs.isBulk) return "newsletter";
  if (isMachine) return "notification";
  return !isForwarded && isBulkText(facts) ? "newsletter" : "person";
}

/** The kind of an email whose headers are not known, by its sender and its words. */
export function kindByText(
  email: Pick<EmailInput, "from" | "subject" | "content"> & Pick<KindFacts, "html">,
): EmailKind {
  return kindOf({
    headers: [],
    proof: "unverified",
    envelopeFrom: null,
    from: email.from?.email ?? "",
    fromName: email.from?.name ?? "",
    replyTo: null,
    deliveredTo: null,
    subject: email.subject ?? "",
    body: email.content,
    html: email.html,
    calendarParts: [],
  });
}

/** A receipt or a notice, as its words and the services that sent it say; null if it may be anything else. */
function machineKind(facts: KindFacts, signs: HeaderSigns, isMachine: boolean): EmailKind | null {
  const { subject, body } = facts;
  const text = body.slice(0, READ_CHARACTERS);
  const isDeclared = AUTOMATIC_TEXT.test(endsOf(body));
  const receipt = RECEIPT_CUES.filter((cue) => cue.test(text)).length;
  const hasSubject = RECEIPT_SUBJECT.test(subject);
  // A person at `billing@` writes about invoices, too: without a sign of a machine, more has to come together.
  const needed = isMachine || signs.isPayment || isDeclared ? 1 : signs.isRelayed || signs.isList ? 2 : 3;
  if (!signs.isService && (hasSubject ? receipt >= needed : receipt >= Math.max(3, needed + 1))) return "receipt";
  if (signs.isService) return "notification";
  // On a list, a notice says so in its subject: many newsletters contain such words.
  const isNotice = NOTICE.test(subject) || (!signs.isList && !signs.isBulk && NOTICE.test(text.slice(0, 600)));
  if (isMachine) return isNotice || (!signs.isList && !signs.isBulk) || signs.isAutomatic ? "notification" : null;
  if ((signs.isRelayed || isDeclared) && isNotice) return "notification";
  return isDeclared && !signs.isList && !UNSUBSCRIBE.test(endsOf(body)) ? "notification" : null;
}

/** A report that an email was not delivered (RFC 3464), or one of an old mail system. */
function isBounce({ envelopeFrom, from, subject }: KindFacts, signs: HeaderSigns): boolean {
  const contentType = signs.value("content-type") ?? "";
  if (contentType.startsWith("multipart/report") && /report-type\s*=\s*"?delivery-status\b/.test(contentType))
    return true;
  if (!isMailSystem(from)) return false;
  if (signs.value("x-failed-recipients") !== undefined || BOUNCE_SUBJECT.test(subject)) return true;
  return signs.value("return-path") === "<>" || envelopeFrom === "" || envelopeFrom === "<>";
}

function isInvitation({ calendarParts }: KindFacts, signs: HeaderSigns): boolean {
  if (calendarParts.some((part) => INVITING_METHOD.test(part))) return true;
  const contentType = signs.value("content-type") ?? "";
  return /^text\/calendar\b.*\bmethod\s*=\s*"?(?:request|cancel|reply|counter)\b/.test(contentType);
}

function isAutomaticReply({ subject, body, from }: KindFacts, signs: HeaderSigns): boolean {
  if (signs.isAnswer) return true;
  // A read receipt (RFC 8098).
  const contentType = signs.value("content-type") ?? "";
  if (/^multipart\/report\b.*report-type\s*=\s*"?disposition-notification\b/s.test(contentType)) return true;
  if (AUTOMATIC_SUBJECT.test(subject)) return true;
  const isSuppressed = signs.isAutomatic || signs.value("x-auto-response-suppress") !== undefined;
  const isAbsent = ABSENCE_SUBJECT.test(subject);
  if (isSuppressed && isAbsent) return true;
  const text = body.slice(0, READ_CHARACTERS);
  const isAway = ABSENCE_CUES[0]?.test(text) ?? false;
  const cues = () => ABSENCE_CUES.filter((cue) => cue.test(text)).length;
  // A person who is away asks for something, too; a machine does not.
  if (isAway && !asksBack(text) && cues() >= (isAbsent ? 2 : 3)) return true;
  return !isRobot(from) && AUTOMATIC_TEXT.test(text) && AUTOMATIC_ANSWER.test(text);
}

function asksBack(text: string): boolean {
  return /\?|\b(?:can|could|would|will) you\b|\b(?:kannst du|können sie|könnten sie|peux-tu|pouvez-vous|puedes|puede usted)\b/i.test(
    text,
  );
}

/** A bulk email without its headers: its footer says how to leave it, and more than that marks it. */
function isBulkText({ from, subject, body }: KindFacts): boolean {
  if (/^\s*(?:re|aw|sv)\s*:/i.test(subject)) return false;
  const line = lastLines(body).find((each) => UNSUBSCRIBE.test(each));
  if (line === undefined) return false;
  // People who write about such links do so in whole sentences.
  const isFooter = line.trim().split(/\s+/).length <= FOOTER_WORDS;
  return isFooter || BULK_ADDRESS.test(from) || isRole(from) || BULK_CUES.test(body.slice(0, READ_CHARACTERS));
}

function lastLines(body: string): string[] {
  const lines = body.slice(-FOOTER_CHARACTERS).split("\n");
  return lines.filter((line) => line.trim() !== "").slice(-FOOTER_LINES);
}

/** The beginning and the end: the middle of a long message says nothing about who wrote it. */
function endsOf(body: string): string {
  return body.length <= READ_CHARACTERS
    ? body
    : `${body.slice(0, READ_CHARACTERS / 2)}\n${body.slice(-FOOTER_CHARACTERS)}`;
}

/** Whether an email of this kind becomes tasks by itself. A person can make tasks of every email. */
export function makesTasks(kind: EmailKind, mode: "action_items" | "every"): boolean {
  if (mode === "action_items") return kind === "person";
  return kind !== "spam_like" && kind !== "bounce" && kind !== "auto_reply";
}
