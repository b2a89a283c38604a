import type { Header, SenderProof } from "../../lib/authentication-results.ts";
import type { EmailKind } from "../../lib/email-kinds.ts";
import { categoryOf } from "./classify.ts";

/** What the kind of a message is decided by. */
export interface KindFacts {
  headers: readonly Header[];
  proof: SenderProof;
  /** The sender of the SMTP envelope: empty for a bounce. */
  envelopeFrom: string;
  from: string;
  subject: string;
  body: string;
  calendarParts: readonly string[];
}

const ROBOT =
  /^(?:no-?_?reply|do-?_?not-?_?reply|notifications?|notify|alerts?|mailer|automated|system|robot|bounces?)(?:[+._-][^@]*)?@/i;
const MAIL_SYSTEM = /^(?:mailer-daemon|postmaster|mail-daemon)@/i;
const AUTOMATIC_SUBJECT =
  /^\s*(?:(?:re|aw):\s*)?(?:auto(?:matic|mated)?[ -]?(?:reply|response|answer)\b|out of (?:the )?office\b|automatische antwort\b|abwesenheit|réponse automatique|respuesta automática|on (?:vacation|leave)\b)/i;
const INVITING_METHOD = /^METHOD(?:;[^:\r\n]*)?:\s*(?:REQUEST|CANCEL|REPLY|COUNTER|DECLINECOUNTER|ADD|REFRESH)\s*$/im;

/** The kind of a received message. Its headers decide; its words only tell a receipt from other notifications. */
export function kindOf(facts: KindFacts): EmailKind {
  const { headers, proof, envelopeFrom, from, subject } = facts;
  if (proof === "failed") return "spam_like";
  const header = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  const first = (name: string) => header(name)?.split(/[\s;,]/)[0] ?? "";
  if (isBounce(header("content-type") ?? "", header("return-path"), envelopeFrom, from)) return "bounce";
  const submitted = first("auto-submitted");
  const precedence = first("precedence");
  const isAutomatic = /^auto-/.test(submitted);
  const saysSo = ["x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponse"].some((name) => {
    const value = header(name);
    return value !== undefined && value !== "no";
  });
  if (submitted === "auto-replied" || saysSo || precedence === "auto_reply") return "auto_reply";
  if ((isAutomatic || header("x-auto-response-suppress") !== undefined) && AUTOMATIC_SUBJECT.test(subject))
    return "auto_reply";
  if (facts.calendarParts.some((part) => INVITING_METHOD.test(part))) return "invitation";
  const isList = header("list-unsubscribe") !== undefined || header("list-id") !== undefined;
  if (isList || ["bulk", "list", "junk"].includes(precedence)) return "newsletter";
  if (isAutomatic || ROBOT.test(from) || MAIL_SYSTEM.test(from)) return isReceipt(facts) ? "receipt" : "notification";
  return "person";
}

/** A report that an email was not delivered (RFC 3464), or one of an old mail system. */
function isBounce(contentType: string, returnPath: string | undefined, envelopeFrom: string, from: string): boolean {
  if (contentType.startsWith("multipart/report") && /report-type\s*=\s*"?delivery-status\b/.test(contentType))
    return true;
  const hasNoSender = returnPath === "<>" || envelopeFrom === "" || envelopeFrom === "<>";
  return hasNoSender && MAIL_SYSTEM.test(from);
}

const READ_CHARACTERS = 20_000;

function isReceipt({ subject, body, from }: KindFacts): boolean {
  const visible = body.slice(0, READ_CHARACTERS);
  return categoryOf({ subject, visible, from: { name: null, email: from } }, 0) === "receipt";
}

/** Whether an email of this kind becomes tasks by itself. A person can make tasks of every email. */
export function makesTasks(kind: EmailKind, mode: "action_items" | "every"): boolean {
  if (mode === "action_items") return kind === "person";
  return kind !== "spam_like" && kind !== "bounce" && kind !== "auto_reply";
}
