export interface Address {
  /** Empty when only the address is known. */
  name: string;
  email: string;
}

/** A recipient of a draft: the text as it was written, if it is no address (yet). */
export type DraftRecipient = Address | string;

export function isEmailAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text);
}

export function localPart(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 0 ? email : email.slice(0, at);
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** With an international domain in its ASCII form, in which mail servers look it up. */
export function asciiDomain(email: string): string {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (!/[^\x21-\x7e]/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return email;
  try {
    return `${localPart(email)}@${new URL(`http://${domain}`).hostname}`;
  } catch {
    return email;
  }
}
