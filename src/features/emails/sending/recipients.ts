import { type Address, type DraftRecipient, domainOf, localPart, sameAddress } from "../../../lib/addresses.ts";
import { type FieldError, validationFailed } from "../../../lib/errors.ts";
import { inboxTag } from "../../../lib/tags.ts";
import { firstCharacters } from "../../../lib/text.ts";
import { MAX_RECIPIENTS } from "../../../providers/mail.ts";
import type { EmailRow } from "../record.ts";

export interface Recipients<R = Address> {
  to: R[];
  cc: R[];
  bcc: R[];
}

/** The address, or the text that stands in its place. */
export function emailOf(recipient: DraftRecipient): string {
  return typeof recipient === "string" ? recipient : recipient.email;
}

/** The recipients of a draft that is sent: each that is no address is named. */
export function requireAddresses({ to, cc, bcc }: Recipients<DraftRecipient>): Recipients {
  const problems: FieldError[] = [];
  const read = (name: keyof Recipients, all: readonly DraftRecipient[]) =>
    all.flatMap((each, index) => {
      if (typeof each !== "string") return each;
      problems.push({ path: `${name}.${index}`, message: `“${firstCharacters(each, 100)}” is not an email address` });
      return [];
    });
  const found = { to: read("to", to), cc: read("cc", cc), bcc: read("bcc", bcc) };
  if (problems.length > 0) throw validationFailed(...problems);
  return found;
}

/** A reply goes to the sender; a reply to an outbound email goes to its recipients. */
export function repliedTo(original: EmailRow): Address[] {
  const author = original.replyTo ?? { name: original.fromName, email: original.fromEmail };
  return (original.direction === "outbound" ? original.to : [author]).filter(({ email }) => email);
}

/** The other recipients of an email, without one's own addresses. */
export function othersOf(original: EmailRow, own: readonly string[], serviceAddress: string): Address[] {
  const inboxes = inboxesOf(original, serviceAddress);
  const isOwn = (email: string) => [...own, ...inboxes].some((each) => sameAddress(plain(each), plain(email)));
  return [...original.to, ...original.cc].filter(({ email }) => !isOwn(email));
}

/** Where an inbound email was delivered: answers to a reply go there. */
export function inboxOf(original: EmailRow, serviceAddress: string): string | null {
  return inboxesOf(original, serviceAddress)[0] ?? null;
}

/** An email to several inboxes has the tag of each of them, but remembers the address of the first only. */
function inboxesOf(original: EmailRow, serviceAddress: string): string[] {
  if (original.direction !== "inbound") return [];
  const tagged = [...original.to, ...original.cc]
    .map(({ email }) => email)
    .filter((email) => domainOf(email) === domainOf(original.deliveredTo ?? serviceAddress))
    .filter((email) => inboxTag(email).some((tag) => original.tags.includes(tag)));
  return [...(original.deliveredTo ? [original.deliveredTo] : []), ...tagged];
}

/** `ada+news@…` and `ada@…` are one mailbox. */
function plain(email: string): string {
  return `${localPart(email).split("+")[0]}@${domainOf(email)}`;
}

/** Each address once, where it comes first. Texts stay as they were written. */
export function eachOnce<R extends DraftRecipient>({ to, cc, bcc }: Recipients<R>): Recipients<R> {
  const seen = new Set<string>();
  const isNew = (each: R) => {
    const key = emailOf(each).toLowerCase();
    const isFirst = typeof each === "string" || !seen.has(key);
    seen.add(key);
    return isFirst;
  };
  return { to: to.filter(isNew), cc: cc.filter(isNew), bcc: bcc.filter(isNew) };
}

export function checkRecipients({ to, cc, bcc }: Recipients): void {
  const count = to.length + cc.length + bcc.length;
  if (count === 0) throw validationFailed({ path: "to", message: "must name a recipient, or cc or bcc must" });
  if (count > MAX_RECIPIENTS) {
    const message = `must not have more than ${MAX_RECIPIENTS} recipients together with cc and bcc; there are ${count}`;
    throw validationFailed({ path: "to", message });
  }
}
